package settings

import (
	"slices"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/cmdline"
)

// TestList checks that every setting is listed with its source, and that no secret is shown.
func TestList(t *testing.T) {
	env := map[string]string{"CALBRIDGE_DSN": "user:hidden@tcp(db)/wp", "CALBRIDGE_UPSTREAM": "http://user:hidden@127.0.0.1:9000"}
	s, err := Read(&cmdline.Process{Getenv: func(name string) string { return env[name] }}, Command{Name: "serve", Args: []string{"--namespace", "tribe/events/v1", "--cache=auto"}})
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
		{GroupDatabase, "dsn", mask, "CALBRIDGE_DSN", false}, {GroupInterface, "namespace", "tribe/events/v1", "--namespace", false},
		{GroupInterface, "compat", "safe", "the default", true}, {GroupLogins, "AUTH_KEY", "", "the default", true}, {GroupCache, "cache", "auto", "--cache", true},
	} {
		if got[want.Name] != want {
			t.Errorf("%+v, want %+v", got[want.Name], want)
		}
	}
	if up := got["upstream"]; !strings.HasSuffix(up.Text, "@127.0.0.1:9000") {
		t.Errorf("%+v", up)
	}
}

// TestListOfWPConfig checks that the database of wp-config.php is listed, and not shown.
func TestListOfWPConfig(t *testing.T) {
	file := write(t, "wp-config.php", wpConfig)
	p, _ := process(nil)
	s, err := Read(p, Command{Name: "serve", Args: []string{"--wp-config", file}})
	if err != nil {
		t.Fatal(err)
	}
	list := s.List()
	if want := (Value{GroupDatabase, "dsn", mask, file, false}); !slices.Contains(list, want) {
		t.Errorf("%+v lacks %+v", list, want)
	}
	for _, v := range list {
		if strings.Contains(v.Text, "geheim") {
			t.Errorf("%+v", v)
		}
	}
}

// TestRestartNeeded checks that exactly the settings that a reload doesn't apply are named
// when they change.
func TestRestartNeeded(t *testing.T) {
	read := func(args ...string) *Settings {
		t.Helper()
		s, err := Read(&cmdline.Process{Getenv: func(string) string { return "" }}, Command{Name: "serve", Args: args})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	reloaded, restarted := Names()
	if len(reloaded)+len(restarted) != len(new(Settings).table()) || len(restarted) == 0 {
		t.Errorf("%d and %d settings", len(reloaded), len(restarted))
	}
	for _, c := range []struct{ name, before, after, same string }{
		{"listen", "127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:1"}, {"ops-listen", "127.0.0.1:1", "off", "127.0.0.1:1"}, {"max-connections", "1", "2", "1"},
		{"pprof", "true", "false", "true"}, {"log-format", "text", "json", "text"}, {"log-level", "info", "warn", "info"},
		{"network", "true", "false", "true"}, {"metrics-sites", "3", "4", "3"}, {"sites", "", "a.conf", ""}, {"rate-limit", "3", "0", "4"}, {"tls-cert", "", "a.pem", ""}, {"namespace", "a/v1", "", "b/v1"},
	} {
		before := read("--" + c.name + "=" + c.before)
		change := func(to string) []string { return RestartNeeded(before, read("--"+c.name+"="+to)) }
		if c.name != "namespace" && !slices.Equal(change(c.after), []string{c.name}) {
			t.Errorf("%s from %q to %q: %v", c.name, c.before, c.after, change(c.after))
		}
		if got := change(c.same); len(got) > 0 {
			t.Errorf("%s from %q to %q: %v", c.name, c.before, c.same, got)
		}
		restarted = slices.DeleteFunc(restarted, func(name string) bool { return name == c.name })
	}
	if !slices.Equal(restarted, []string{"config"}) { // names the configuration file itself
		t.Errorf("%v have no case here", restarted)
	}
}
