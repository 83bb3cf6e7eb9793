package sites

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/settings"
	"calbridge/wpstore"
)

// readSettings returns the settings of a process with these flags.
func readSettings(t *testing.T, args ...string) *settings.Settings {
	t.Helper()
	s, err := settings.Read(testProcess(), settings.Command{Name: "serve", Args: args})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func testProcess() *cmdline.Process {
	return &cmdline.Process{Getenv: func(string) string { return "" }}
}

// listed returns the source of the sites of a file with this text.
func listed(t *testing.T, text string) *Listed {
	t.Helper()
	file := filepath.Join(t.TempDir(), "sites.conf")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := NewListed(readSettings(t, "--dsn", "sqlite:a.db"), func(*settings.Settings) ([]settings.NamedSite, error) {
		return settings.ReadSites(testProcess(), settings.Command{Name: "serve", Args: []string{"--dsn", "sqlite:a.db"}}, file)
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// found returns the name of the site that a source finds, or where it redirects.
func found(source Source, host, path string) string {
	match := source.Find(host, path)
	if match.Site == nil {
		return cmp.Or(match.Redirect, "none")
	}
	return match.Site.Name
}

// TestNetworkFind checks which site answers a host and a path, as the recorded network does.
func TestNetworkFind(t *testing.T) {
	network := wpstore.Network{Domain: "sit.example", Path: "/"}
	for id, at := range []struct{ domain, path string }{
		{"sit.example", "/"}, {"sit.example", "/divadlo/"}, {"sit.example", "/knihovna/"}, {"sit.example", "/archiv/"}, {"sit.example", "/spam/"},
		{"sit.example", "/smazany/"}, {"koncerty.example", "/"}, {"sit.example", "/skola/"},
	} {
		network.Blogs = append(network.Blogs, wpstore.Blog{ID: int64(id + 1), Domain: at.domain, Path: at.path, Public: id != 2, Archived: id == 3, Spam: id == 4})
	}
	network.Blogs[5].Deleted = 1
	source := func(subdomains string) *Network {
		n := &Network{}
		s := readSettings(t, "--network", "--dsn", "sqlite:a.db")
		n.now.Store(newDirectory(s, network, map[string]string{"siteurl": "https://sit.example/", "subdomain_install": subdomains}, nil))
		return n
	}
	const redirect = "https://sit.example/"
	folders := source("0")
	for _, c := range []struct{ name, host, path, want string }{
		{"main site", "sit.example", "/", "1"},
		{"main site's API", "sit.example", "/wp-json/tribe/events/v1/events", "1"},
		{"folder", "sit.example", "/divadlo/wp-json/tribe/events/v1/events", "2"},
		{"folder without a slash", "sit.example", "/divadlo", "2"},
		{"case of the folder", "sit.example", "/Divadlo/wp-json/", "2"},
		{"case of the host", "SIT.example", "/divadlo/", "2"},
		{"slashes in front", "sit.example", "//divadlo/wp-json/", "2"},
		{"encoded folder", "sit.example", "/%64ivadlo/wp-json/", "1"},
		{"unknown folder", "sit.example", "/neni/wp-json/", "1"},
		{"folder below a site", "sit.example", "/divadlo/neni/wp-json/", "2"},
		{"a part of a name", "sit.example", "/divadl/", "1"},
		{"archived", "sit.example", "/archiv/", "4"},
		{"spam", "sit.example", "/spam/", "5"},
		{"deleted", "sit.example", "/smazany/", "6"},
		{"domain of its own", "koncerty.example", "/wp-json/", "7"},
		{"folder of another site on that domain", "koncerty.example", "/divadlo/wp-json/", "7"},
		{"former folder of that site", "sit.example", "/koncerty/", "1"},
		{"default ports", "sit.example:443", "/divadlo/", "2"},
		{"port 80", "sit.example:80", "/divadlo/", "2"},
		{"another port", "sit.example:8080", "/divadlo/", redirect},
		{"dot at the end", "sit.example.", "/divadlo/", redirect},
		{"www", "www.sit.example", "/divadlo/", "2"},
		{"www of the domain", "www.koncerty.example", "/", "7"},
		{"subdomain", "divadlo.sit.example", "/", redirect},
		{"unknown host", "jinde.example", "/divadlo/", redirect},
		{"bare address", "192.0.2.1", "/", redirect},
		{"address of version 6", "[2001:db8::1]", "/", redirect},
		{"no host", "", "/", redirect},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := found(folders, c.host, c.path); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
	t.Run("a network in subdomains offers unknown hosts a new site", func(t *testing.T) {
		if got := found(source("1"), "jinde.example", "/"); got != "none" {
			t.Errorf("%s, want none", got)
		}
	})
	t.Run("public", func(t *testing.T) {
		for i, want := range []bool{true, true, false, false, false, false, true, true} {
			if got := folders.All()[i]; got.Public != want {
				t.Errorf("site %s: public is %t", got.Name, got.Public)
			}
		}
	})
}

// TestDirectory checks that sites keep their identity as long as nothing of theirs changes.
func TestDirectory(t *testing.T) {
	s := readSettings(t, "--network", "--dsn", "sqlite:a.db")
	network := func(path string, archived bool) wpstore.Network {
		return wpstore.Network{Domain: "sit.example", Path: "/", Blogs: []wpstore.Blog{
			{ID: 2, Domain: "sit.example", Path: path, Public: true, Archived: archived}, {ID: 1, Domain: "sit.example", Path: "/", Public: true},
		}}
	}
	first := newDirectory(s, network("/a/", false), nil, nil)
	if first.all[0].Name != "1" {
		t.Errorf("the first site is %s, want the main one", first.all[0].Name)
	}
	for _, c := range []struct {
		name     string
		path     string
		archived bool
		same     bool
	}{{"nothing", "/a/", false, true}, {"renamed", "/b/", false, false}, {"archived", "/a/", true, false}} {
		t.Run(c.name, func(t *testing.T) {
			next := newDirectory(s, network(c.path, c.archived), nil, first)
			if next.all[0] != first.all[0] {
				t.Error("the main site is another one")
			}
			if (next.all[1] == first.all[1]) != c.same {
				t.Errorf("the same site: %t, want %t", !c.same, c.same)
			}
		})
	}
}

func TestListedFind(t *testing.T) {
	l := listed(t, `
[town]
address = https://Town.example
[school]
address = https://town.example/School
[hall]
address = https://town.example/school/hall/
[port]
address = http://town.example:8080/
[tls]
address = https://tls.example:443/
[www]
address = https://www.club.example/
[encoded]
address = https://town.example/%C3%A9t%C3%A9/
`)
	for _, c := range []struct{ name, host, path, want string }{
		{"host", "town.example", "/wp-json/", "town"},
		{"folder", "town.example", "/school/wp-json/", "school"},
		{"case", "Town.Example", "/SCHOOL/wp-json/", "school"},
		{"folder in a folder", "town.example", "/school/hall/wp-json/", "hall"},
		{"unknown folder in a folder", "town.example", "/school/yard/hall/", "school"},
		{"unknown folder", "town.example", "/hall/", "town"},
		{"a part of a name", "town.example", "/schools/", "town"},
		{"port", "town.example:8080", "/school/", "port"},
		{"another port", "town.example:8081", "/", "none"},
		{"default port of the request", "town.example:443", "/school/", "school"},
		{"default port of the address", "tls.example", "/", "tls"},
		{"default port of both", "tls.example:443", "/", "tls"},
		{"www of the request", "www.town.example", "/school/", "school"},
		{"www of the address", "www.club.example", "/", "www"},
		{"without the www of the address", "club.example", "/", "none"},
		{"encoded folder", "town.example", "/%C3%A9t%C3%A9/wp-json/", "encoded"},
		{"encoded folder in lower case", "town.example", "/%c3%a9t%c3%a9/wp-json/", "encoded"},
		{"unknown host", "village.example", "/", "none"},
		{"no host", "", "/", "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := found(l, c.host, c.path); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
