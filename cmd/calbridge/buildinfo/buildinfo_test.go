package buildinfo

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestString(t *testing.T) {
	b := Build{Version: "1.2.3", Revision: "0123abc", GoVersion: "go1.26"}
	if got, want := b.String(), "calbridge 1.2.3 (revision 0123abc, go1.26)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := b.Agent("calbridge-mirror"), "calbridge-mirror/1.2.3"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestOf(t *testing.T) {
	module := debug.Module{Version: "v0.0.0-20261127221009-0123abc0123a"}
	for _, c := range []struct {
		name, linked string
		info         *debug.BuildInfo
		revision     string
	}{
		{"without version control", "", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "unknown"},
		{"set by the linker", "0123abc", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "0123abc"},
		{"version control takes precedence", "fff", &debug.BuildInfo{Main: module, Settings: []debug.BuildSetting{
			{Key: "vcs.time", Value: "x"}, {Key: "vcs.revision", Value: "0123abc"}}}, "0123abc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := Build{Version, c.revision, runtime.Version()}
			if got := of(c.info, c.linked); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
	if b := This(); b.Version != Version || b.Revision == "" || b.GoVersion != runtime.Version() {
		t.Errorf("this build is %+v", b)
	}
}

// semver matches a semantic version, by the expression of semver.org without build metadata.
var semver = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?$`)

// TestChangelog checks that the version of the tree is that of the changelog's first section.
func TestChangelog(t *testing.T) {
	if !semver.MatchString(Version) {
		t.Errorf("%q is not a semantic version", Version)
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "..", ".github", "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	sections := regexp.MustCompile(`(?m)^## (.+)$`).FindAllStringSubmatch(string(text), -1)
	if len(sections) < 2 {
		t.Fatalf("the changelog has the sections %q", sections)
	}
	next, dev := strings.CutSuffix(Version, "-dev")
	first := sections[0][1]
	if dev && first != "Unreleased" {
		t.Errorf("the version is %s, but the changelog begins with %q, not with \"Unreleased\"", Version, first)
	}
	dated := regexp.MustCompile(`^(\S+), \d{4}-\d\d-\d\d$`)
	if m := dated.FindStringSubmatch(first); !dev && (m == nil || m[1] != Version) {
		t.Errorf("the version is %s, but the changelog begins with %q, not with \"%s, DATE\"", Version, first, Version)
	}
	for _, section := range sections[1:] {
		m := dated.FindStringSubmatch(section[1])
		if m == nil || !semver.MatchString(m[1]) {
			t.Errorf("the section %q is not \"VERSION, DATE\"", section[1])
		} else if m[1] == next {
			t.Errorf("%s has been released already", next)
		}
	}
}
