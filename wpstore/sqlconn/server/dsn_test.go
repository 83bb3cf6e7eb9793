package server

import "testing"

// TestUnusableDSN: what can't be used is an error, whatever the driver does about it.
func TestUnusableDSN(t *testing.T) {
	for _, dsn := range []string{"nonsense", "u:p@tcp(127.0.0.1:1)/x?strict=true", "u:p@udp(127.0.0.1:1)/x", "u:p@tcp(127.0.0.1:1)/", "u:p@tcp(127.0.0.1:1)/x?timeout=soon"} {
		if _, err := DriverConfig(&Settings{}, dsn, ""); err == nil {
			t.Errorf("%s: %v", dsn, err)
		}
	}
}
