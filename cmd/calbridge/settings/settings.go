package settings

import (
	"slices"
	"time"

	"calbridge/cmd/calbridge/companion"
	"calbridge/cmd/calbridge/logging"
	"calbridge/rest/api"
	"calbridge/rest/rollout"
)

// Settings holds the values of all settings.
type Settings struct {
	ConfigFile, WPConfigFile string
	Clock                    time.Time // time of a stopped clock; zero means the real clock
	StateDir                 string    // folder for data that survives a restart; "" for none

	Database  Database
	Sites     Sites
	Listen    Listen
	Limits    Limits
	API       API
	Uploads   Uploads
	Site      Site
	Companion companion.Config
	Login     Login
	Cache     Cache
	Rollout   Rollout
	Log       logging.Config

	Origin Origin
	// defines takes what --define gives; the reader applies it to the constants' settings.
	defines string
}

// table returns all settings, bound to s, in the order of the help.
func (s *Settings) table() table {
	return slices.Concat(
		databaseRows(&s.Database, &s.ConfigFile, &s.WPConfigFile, &s.defines),
		sitesRows(&s.Sites),
		listenRows(&s.Listen, &s.Limits, &s.StateDir),
		interfaceRows(&s.API, &s.Uploads, &s.Cache, &s.Clock),
		siteRows(&s.Site),
		companionRows(&s.Companion),
		loginRows(&s.Login),
		cacheRows(&s.Cache, &s.API.CacheControl),
		rolloutRows(&s.Rollout),
		logRows(&s.Log),
	)
}

// Now returns the time of the configured clock.
func (s *Settings) Now() time.Time {
	if s.Clock.IsZero() {
		return time.Now()
	}
	return s.Clock
}

// Extends reports whether calbridge's own routes are served. They are off with --compat exact,
// because every response must be the reference's. They are off with --mode auto, because
// WordPress has no such routes to compare with.
func (s *Settings) Extends() bool {
	return s.API.Extensions && s.API.Compat != api.Exact && s.Rollout.Plan.Mode != rollout.Auto
}

// KeepsJournal reports whether a journal of changes is kept, which only routes of calbridge's own need.
func (s *Settings) KeepsJournal() bool { return s.Extends() && s.StateDir != "" }

// ReadCompat returns the level of compatibility at which reads are answered. Mode auto compares them
// with WordPress's responses, which it would never match at another level than exact.
func (s *Settings) ReadCompat() api.Compat {
	if s.Rollout.Plan.Mode == rollout.Auto {
		return api.Exact
	}
	return s.API.Compat
}

// TakesNotices reports whether the companion plugin can send notices.
func (s *Settings) TakesNotices() bool { return s.Companion.Secret != "" && s.Listen.Ops != "" }

// FollowsNotices reports whether calbridge can rely on notices: with the address of
// WordPress it can ask WordPress whether it sends them.
func (s *Settings) FollowsNotices() bool { return s.TakesNotices() && s.Companion.URL != "" }

// LongestAnswer returns the longest time until a response begins.
func (s *Settings) LongestAnswer() time.Duration {
	return max(s.Limits.RequestTimeout, s.Rollout.Upstream.Timeout)
}
