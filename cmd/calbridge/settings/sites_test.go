package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadSites checks that each section gives a site its own settings, and that all others are those of
// the process.
func TestReadSites(t *testing.T) {
	file := write(t, "sites.conf", `# ours
[town]
address = https://Town.example/Calendar   # upper case
namespace = tribe/events/v1
define = "EMPTY_TRASH_DAYS=7"

[ school.2 ]
address = "http://school.example:8080/"
dsn = sqlite:school.db
`)
	state := t.TempDir()
	p, _ := process(map[string]string{"CALBRIDGE_DSN": "sqlite:all.db"})
	sites, err := ReadSites(p, Command{Name: "serve", Args: []string{"--state-dir", state, "--namespace", "a/v1", "--define", "EMPTY_TRASH_DAYS=9"}}, file)
	if err != nil || len(sites) != 2 {
		t.Fatal(len(sites), err)
	}
	for i, want := range []struct{ name, address, dsn, namespace, trash string }{
		{"town", "https://town.example/Calendar/", "sqlite:all.db", "tribe/events/v1", "7"},
		{"school.2", "http://school.example:8080/", "sqlite:school.db", "a/v1", "9"},
	} {
		t.Run(want.name, func(t *testing.T) {
			s := sites[i]
			if got := []string{s.Name, s.Address.String(), s.Database.Address.String(), s.API.Namespace, fmt.Sprint(s.Site.EmptyTrashDays)}; strings.Join(got, " ") != strings.Join([]string{want.name, want.address, want.dsn, want.namespace, want.trash}, " ") {
				t.Errorf("%q, want %q", got, want)
			}
			if want := filepath.Join(state, "sites", want.name); s.StateDir != want {
				t.Errorf("state folder %s, want %s", s.StateDir, want)
			}
		})
	}
	if sites[0].Fingerprint() == sites[1].Fingerprint() {
		t.Error("two sites have the same fingerprint")
	}
}

// TestFingerprint checks that what a reload must notice changes the fingerprint of a site, and nothing else does.
func TestFingerprint(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("sites.conf", "[town]\naddress = https://town.example/\nprofile = "+filepath.Join(dir, "profile")+"\ncompare-rules = "+filepath.Join(dir, "rules")+"\npurge = "+filepath.Join(dir, "purge")+"\n")
	put("purge", `{"caches": [{"provider": "http", "url": "http://127.0.0.1:1/", "token_file": "`+filepath.Join(dir, "token")+`"}]}`)
	for _, name := range []string{"profile", "rules", "token"} {
		put(name, "first")
	}
	p, _ := process(map[string]string{"CALBRIDGE_DSN": "sqlite:all.db"})
	file := filepath.Join(dir, "sites.conf")
	read := func() NamedSite {
		t.Helper()
		sites, err := ReadSites(p, Command{Name: "serve", Args: []string{"--sites", file}}, file)
		if err != nil || len(sites) != 1 {
			t.Fatal(len(sites), err)
		}
		return sites[0]
	}
	last := read()
	for _, c := range []struct{ name, file, text string }{
		{"nothing", "", ""},
		{"profile", "profile", "second"},
		{"rules for comparisons", "rules", "second"},
		{"token", "token", "second"},
		{"purge file", "purge", "{}"},
		{"setting", "sites.conf", "[town]\naddress = https://town.example/\nread-only = true\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.file != "" {
				put(c.file, c.text)
			}
			next := read()
			if got := next.Fingerprint() != last.Fingerprint(); got != (c.file != "") {
				t.Errorf("the fingerprint has changed: %t", got)
			}
			last = next
		})
	}
}

// TestReadSitesErrors checks that each mistake is reported with its line.
func TestReadSitesErrors(t *testing.T) {
	const address = "address = https://a.example/\n"
	for _, c := range []struct{ name, text, line, want string }{
		{"empty", "# nothing\n", "", "no site: each site begins with a line [NAME]"},
		{"line before the first section", "\nlisten = :1\n[a]\n", ":2", "expected a line [NAME]"},
		{"open bracket", "[a\n" + address, ":1", "[a is not the name of a site"},
		{"no name", "[]\n" + address, ":1", "[] is not the name of a site"},
		{"name with a slash", "[a/b]\n" + address, ":1", "[a/b] is not the name of a site"},
		{"name that is a parent folder", "[..]\n" + address, ":1", "[..] is not the name of a site"},
		{"long name", "[" + strings.Repeat("a", 65) + "]\n", ":1", "is not the name of a site"},
		{"two sites of one name", "[a]\n" + address + "[A]\n", ":3", "there are two sites named A"},
		{"no address", "\n[a]\nread-only = true\n", ":2", "the site a: address: missing"},
		{"relative address", "[a]\naddress = /folder/\n", ":1", `"/folder/" is not an address`},
		{"address with a query", "[a]\naddress = https://a.example/?b\n", ":1", "is not an address"},
		{"address with a user", "[a]\naddress = https://b@a.example/\n", ":1", "is not an address"},
		{"two addresses", "[a]\n" + address + address, ":3", "address is set twice"},
		{"one address of two sites", "[a]\n" + address + "[b]\n" + address, ":3", "the site b has the same address as a"},
		{"one address in other cases", "[a]\naddress = https://a.example/x\n[b]\naddress = https://A.example/X/\n", ":3", "the site b has the same address as a"},
		{"one address by two schemes", "[a]\naddress = http://a.example/\n[b]\naddress = https://a.example/\n", ":3", "the site b has the same address as a"},
		{"one address with the default port", "[a]\naddress = https://a.example:443\n[b]\naddress = https://a.example/\n", ":3", "the site b has the same address as a"},
		{"unknown setting", "[a]\n" + address + "red-only = true\n", ":3", `there is no setting "red-only"`},
		{"no value", "[a]\n" + address + "read-only\n", ":3", "expected a line `name = value`"},
		{"a setting twice", "[a]\n" + address + "read-only = true\nread-only = false\n", ":4", "read-only is set twice"},
		{"wrong value", "[a]\n" + address + "read-only = maybe\n", ":3", `"maybe" is not a boolean`},
		{"quotes", "[a]\n" + address + "namespace = \"b\n", ":3", "does not end with it"},
		{"listener", "[a]\n" + address + "listen = :1\n", ":3", "listen holds for the whole process"},
		{"log", "[a]\n" + address + "log-level = debug\n", ":3", "log-level holds for the whole process"},
		{"clock", "[a]\n" + address + "clock = 2026-11-21T12:00:00Z\n", ":3", "clock holds for the whole process"},
		{"state folder", "[a]\n" + address + "state-dir = /tmp\n", ":3", "state-dir holds for the whole process"},
		{"sites in a site", "[a]\n" + address + "sites = b\n", ":3", "sites holds for the whole process"},
		{"another file", "[a]\n" + address + "config = b\n", ":3", "a configuration file cannot name another one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := write(t, "sites.conf", c.text)
			p, _ := process(map[string]string{"CALBRIDGE_DSN": "sqlite:all.db"})
			_, err := ReadSites(p, Command{Name: "serve"}, file)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), file+c.line+":") {
				t.Errorf("%v\nwant %s%s: %s", err, file, c.line, c.want)
			}
		})
	}
	t.Run("no file", func(t *testing.T) {
		p, _ := process(nil)
		file := filepath.Join(t.TempDir(), "none")
		if _, err := ReadSites(p, Command{Name: "serve"}, file); err == nil || !strings.Contains(err.Error(), "--sites") {
			t.Errorf("%v, want an error that names --sites", err)
		}
	})
}
