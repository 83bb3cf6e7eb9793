package site

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"strings"
	"time"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/api"
	"calbridge/rest/cachetag"
	"calbridge/rest/metrics"
	"calbridge/rest/purge"
	"calbridge/rest/sitefacts"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/langpack"
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
	policy  *cachetag.Policy // nil: nothing is stored
	file    *purge.File      // nil: nothing is purged
	changes *purge.Changes   // nil: nothing is purged
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

// collect collects what changes from now on, and, if the state folder has the position of a process with the same
// identity, from there on. A site that replaces others waits until they are closed.
func (p *pushing) collect(ctx context.Context, s *settings.Settings, of Parts, tracker *invalidation.Tracker, replaces bool, logger *slog.Logger) error {
	if p.file == nil {
		return nil
	}
	dir, identity := "", ""
	if s.StateDir != "" && of.prover == nil { // what a Prover has learned may have changed with the process
		made, err := of.Store.JournalSite().Made(ctx)
		if err != nil {
			return err
		}
		dir, identity = purgeDir(s), cachedOf(s, of, made, buildinfo.This())
	}
	var err error
	if p.changes, err = purge.Collect(tracker, dir, identity, replaces); err != nil {
		logger.Warn("each start will purge everything from caches in front: make --state-dir writable", "error", err)
	}
	return nil
}

// position returns what stores how far caches were purged; nil if nothing does.
func (p *pushing) position() changefeed.Position {
	if p.changes == nil || !p.changes.Stored() {
		return nil
	}
	return p.changes
}

// cachedOf names everything besides rows that responses in caches in front depend on.
func cachedOf(s *settings.Settings, p Parts, made string, build buildinfo.Build) string {
	sums := map[string][]uint32{}
	packs := maps.Clone(p.Facts.FurtherPacks())
	if packs == nil {
		packs = map[string]*langpack.Packs{}
	}
	packs[""] = p.Facts.Packs()
	for locale, of := range packs {
		if of != nil {
			sums[locale] = []uint32{of.Core.Sum(), of.Calendar.Sum(), of.Common.Sum()}
		}
	}
	all := *s
	all.Origin = settings.Origin{}
	all.Database = settings.Database{
		Charset: s.Database.Charset, TablePrefix: s.Database.TablePrefix, BlogID: s.Database.BlogID, UserTable: s.Database.UserTable, UserMetaTable: s.Database.UserMetaTable,
	}
	var server []string
	if p.Store != nil {
		at := p.Store.Servers.Feed().Config()
		server = []string{at.Net, at.Addr, at.DBName}
	}
	text, err := lasting(struct {
		Build    buildinfo.Build
		Program  string
		Settings settings.Settings
		Purge    *purge.File
		Profile  *api.Profile
		Facts    *sitefacts.Document
		Packs    map[string][]uint32
		Home     string
		Server   []string
		Made     string
	}{build, program(), all, p.pushing.file, p.Profile, p.Facts, sums, p.Home, server, made})
	if err != nil { // the name then differs at each start
		text = []byte(time.Now().String())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// program distinguishes the file of this program from that of another build with the same version.
func program() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}

// start purges what changes, until the Purger is closed. It returns nil if nothing is purged.
func (p pushing) start(tracker *invalidation.Tracker, s *Site, m *metrics.Metrics, logger *slog.Logger) *purge.Purger {
	if p.file == nil {
		return nil
	}
	purger := purge.Start(purge.Config{
		File: p.file, Policy: p.policy, Tracker: tracker, Changes: p.changes, Settle: s.Cache.Caches(0, false).Settle, Observer: m.Purges, Logger: logger, Guard: s.Store.Guard(),
	})
	if s.prover != nil {
		s.prover.Listen(func() { purger.Purge(invalidation.Tag{Kind: invalidation.Parity}) })
	}
	s.unwatch = append(s.unwatch, m.Purges.Watch(p.file.Names(), purger.Waiting))
	return purger
}
