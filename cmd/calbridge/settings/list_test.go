package settings

import (
	"strings"
	"testing"

	"calbridge/cmd/calbridge/cmdline"
)

// TestList: every setting with its source, and no secret.
func TestList(t *testing.T) {
	env := map[string]string{"CALBRIDGE_DSN": "user:hidden@tcp(db)/wp", "CALBRIDGE_UPSTREAM": "http://user:hidden@127.0.0.1:9000"}
	s, err := Read(&cmdline.Process{Getenv: func(name string) string { return env[name] }}, Command{Name: "serve", Args: []string{"--namespace", "tribe/events/v1"}})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Value{}
	for _, v := range s.List() {
		got[v.Name] = v
		if strings.Contains(v.Text, "hidden") {
			t.Errorf("%+v", v)
		}
	}
	for _, want := range []Value{
		{GroupDatabase, "dsn", mask, "CALBRIDGE_DSN"}, {GroupInterface, "namespace", "tribe/events/v1", "--namespace"},
		{GroupInterface, "compat", "safe", "the default"}, {GroupLogins, "auth-key", "", "the default"},
	} {
		if got[want.Name] != want {
			t.Errorf("%+v, want %+v", got[want.Name], want)
		}
	}
	if up := got["upstream"]; !strings.HasSuffix(up.Text, "@127.0.0.1:9000") {
		t.Errorf("%+v", up)
	}
}
