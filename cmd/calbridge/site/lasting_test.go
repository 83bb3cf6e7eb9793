package site

import (
	"testing"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/settings"
)

// TestJournalOf checks that the name of a site depends on settings alone, and that it is the same as
// that of earlier builds: another one makes all clients of changes begin again.
func TestJournalOf(t *testing.T) {
	s := &settings.Settings{}
	s.API.Namespace, s.API.Languages, s.Database.TablePrefix = "calendar/events/v1", []string{"cs", "en"}, "wp_"
	p := Parts{Home: "https://example.org"}
	build := buildinfo.Build{Version: "0.2.0", Revision: "0123abc", GoVersion: "go1.26"}
	was := journalOf(s, p, build)
	const name = "a01055faa5d3ac37678c08bd39fc9b194c3a0c513f7260af5c69bf18a2e553a1"
	if was.Site != name {
		t.Errorf("the name is %s, and was %s: give new settings the zero value as default, or accept that clients begin again", was.Site, name)
	}
	for label, c := range map[string]struct {
		build       buildinfo.Build
		home        string
		same, shows bool
	}{
		"the same":                    {build, p.Home, true, true},
		"rebuilt":                     {buildinfo.Build{Version: "0.2.0", Revision: "fff", GoVersion: "go1.27"}, p.Home, true, true},
		"the next version":            {buildinfo.Build{Version: "0.3.0", Revision: "0123abc"}, p.Home, true, false},
		"a build before that version": {buildinfo.Build{Version: "0.2.0-dev", Revision: "0123abc"}, p.Home, true, false},
		"another address":             {build, "https://example.com", false, true},
	} {
		t.Run(label, func(t *testing.T) {
			now := journalOf(s, Parts{Home: c.home}, c.build)
			if (now.Site == was.Site) != c.same || (now.Shows == was.Shows) != c.shows {
				t.Errorf("%+v after %+v", now, was)
			}
		})
	}
	dev := func(revision string) string {
		return showsAs(buildinfo.Build{Version: "0.3.0-dev", Revision: revision})
	}
	if dev("a") == dev("b") {
		t.Error("two builds of an unreleased version count as showing events alike")
	}
}

func TestLasting(t *testing.T) {
	type older struct {
		Name string
		Kept int
		List []string
	}
	type newer struct {
		Added struct{ Deep []int }
		List  []string
		Kept  int
		Name  string
		Off   bool
	}
	for name, c := range map[string]struct {
		v    any
		want string
	}{
		"older": {older{"a", 1 << 60, []string{"", "b"}}, `{"Kept":1152921504606846976,"List":["","b"],"Name":"a"}`},
		"newer": {newer{Name: "a", Kept: 1 << 60, List: []string{"", "b"}}, `{"Kept":1152921504606846976,"List":["","b"],"Name":"a"}`},
		"used":  {newer{Off: true}, `{"Off":true}`},
		"none":  {newer{}, `{}`},
		"null":  {nil, `null`},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := lasting(c.v); err != nil || string(got) != c.want {
				t.Errorf("%s %v, want %s", got, err, c.want)
			}
		})
	}
}
