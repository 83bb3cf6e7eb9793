package server_test

import (
	"testing"

	"calbridge/wpstore/sqlconn/server"
)

func TestIsReadOnly(t *testing.T) {
	for role, want := range map[string]bool{
		"0 0": false, "1 0": true, "0 1": true, "1 1": true, // Aurora's readers: 0 1
		"OFF 0": false, "ON 0": true, "NO_LOCK 0": true, "NO_LOCK_NO_ADMIN 0": true, // MariaDB 12
	} {
		if got := server.IsReadOnly(role); got != want {
			t.Errorf("%s: %v", role, got)
		}
	}
}
