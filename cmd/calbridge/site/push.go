package site

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/api"
	"calbridge/rest/cachetag"
	"calbridge/rest/metrics"
	"calbridge/rest/purge"
	"calbridge/wpstore/invalidation"
)

// openPurge reads the file of --purge and checks that the settings agree with it. It returns nil
// without the setting.
func openPurge(s *settings.Settings) (*purge.File, error) {
	c := &s.Cache
	if len(c.Tags) > 0 && s.API.Compat == api.Exact {
		return nil, errors.New("--cache-tags adds headers, which --compat exact forbids")
	}
	if c.Purge == "" {
		return nil, nil
	}
	file, err := purge.Load(c.Purge)
	if err != nil {
		return nil, fmt.Errorf("--purge: %w", err)
	}
	switch lacks := file.Lacks(c.Tags); {
	case lacks != "":
		return nil, fmt.Errorf("--purge: a cache of %s needs --cache-tags %s", c.Purge, lacks)
	case len(c.Tags) == 0:
		return nil, errors.New("--purge needs --cache-tags")
	case c.Mode != settings.CacheAuto:
		return nil, fmt.Errorf("--purge needs --cache auto: with --cache %s, calbridge either learns of changes too late, or promises more than a cache in front can keep", c.Mode)
	}
	for _, no := range []string{"no-store", "private", "s-maxage"} {
		if strings.Contains(s.API.CacheControl, no) {
			return nil, fmt.Errorf("--purge sets the age of stored answers, and --cache-control has %s", no)
		}
	}
	return file, nil
}

// pushing lets caches in front store responses, and purges them.
type pushing struct {
	policy *cachetag.Policy // nil: nothing is stored
	file   *purge.File      // nil: nothing is purged
}

// openPushing returns what the settings let caches in front store. mode is the mode in which changes
// are noticed.
func openPushing(s *settings.Settings, mode settings.CacheMode, tracker *invalidation.Tracker, logger *slog.Logger) (p pushing, err error) {
	if p.file, err = openPurge(s); err != nil || tracker == nil || len(s.Cache.Tags) == 0 {
		return p, err
	}
	p.policy = &cachetag.Policy{Formats: s.Cache.Tags, Prefix: s.Cache.TagPrefix}
	if s.API.CacheControl != "no-cache" {
		p.policy.Control = s.API.CacheControl
	}
	switch {
	case p.file == nil:
	case mode != settings.CacheAuto:
		p.file = nil
		logger.Warn("caches in front must not store answers, and are not purged: --purge needs the database's binary log (see `calbridge check`)")
	default:
		p.policy.MaxAge = p.file.MaxAge
	}
	return p, nil
}

// start purges what changes, until the Purger is closed. It returns nil if nothing is purged.
func (p pushing) start(tracker *invalidation.Tracker, s *Site, m *metrics.Metrics, logger *slog.Logger) *purge.Purger {
	if p.file == nil {
		return nil
	}
	purger := purge.Start(purge.Config{
		File: p.file, Policy: p.policy, Tracker: tracker, Settle: s.Cache.Caches(0, false).Settle, Observer: m.Purges, Logger: logger, Guard: s.Store.Guard(),
	})
	if s.prover != nil {
		s.prover.Listen(func() { purger.Purge(invalidation.Tag{Kind: invalidation.Parity}) })
	}
	s.unwatch = append(s.unwatch, m.Purges.Watch(p.file.Names(), purger.Waiting))
	return purger
}
