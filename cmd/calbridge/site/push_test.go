package site

import (
	"testing"
	"time"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/api"
	"calbridge/rest/purge"
	"calbridge/rest/sitefacts"
)

// TestCachedOf checks that each part of what responses depend on changes the name under which the position of
// purges is stored, and nothing else does.
func TestCachedOf(t *testing.T) {
	of := func(change func(s *settings.Settings, p *Parts, made *string, b *buildinfo.Build)) string {
		s := &settings.Settings{StateDir: "/state"}
		p := Parts{Home: "https://example.com", Facts: sitefacts.New(sitefacts.Inputs{}), Profile: &api.Profile{}, pushing: pushing{file: &purge.File{MaxAge: time.Hour}}}
		made, b := "made", buildinfo.Build{Version: "1", Revision: "r"}
		if change != nil {
			change(s, &p, &made, &b)
		}
		return cachedOf(s, p, made, b)
	}
	first := of(nil)
	if again := of(nil); again != first {
		t.Fatalf("%s, and then %s", first, again)
	}
	for name, change := range map[string]func(s *settings.Settings, p *Parts, made *string, b *buildinfo.Build){
		"version":  func(_ *settings.Settings, _ *Parts, _ *string, b *buildinfo.Build) { b.Version = "2" },
		"revision": func(_ *settings.Settings, _ *Parts, _ *string, b *buildinfo.Build) { b.Revision = "s" },
		"setting": func(s *settings.Settings, _ *Parts, _ *string, _ *buildinfo.Build) {
			s.API.CacheControl = "no-cache, x"
		},
		"prefix": func(s *settings.Settings, _ *Parts, _ *string, _ *buildinfo.Build) { s.Cache.TagPrefix = "x-" },
		"tables": func(s *settings.Settings, _ *Parts, _ *string, _ *buildinfo.Build) { s.Database.TablePrefix = "x_" },
		"users":  func(s *settings.Settings, _ *Parts, _ *string, _ *buildinfo.Build) { s.Database.UserTable = "x_users" },
		"purge": func(_ *settings.Settings, p *Parts, _ *string, _ *buildinfo.Build) {
			p.pushing.file.MaxAge = time.Minute
		},
		"home":     func(_ *settings.Settings, p *Parts, _ *string, _ *buildinfo.Build) { p.Home = "https://example.org" },
		"restored": func(_ *settings.Settings, _ *Parts, made *string, _ *buildinfo.Build) { *made = "again" },
		"rollout": func(s *settings.Settings, _ *Parts, _ *string, _ *buildinfo.Build) {
			s.Rollout.StaticBlocks = []string{"x"}
		},
		"stopped clock": func(s *settings.Settings, _ *Parts, _ *string, _ *buildinfo.Build) {
			s.Clock = time.Unix(1, 0)
		},
	} {
		if of(change) == first {
			t.Errorf("%s: the same name", name)
		}
	}
}
