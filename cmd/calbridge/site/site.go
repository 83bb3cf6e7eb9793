package site

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"sync"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/cachesync"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/companion"
	"calbridge/cmd/calbridge/diffmode"
	"calbridge/cmd/calbridge/figures"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/cmd/calbridge/webhook"
	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/rest/changes"
	"calbridge/rest/metrics"
	"calbridge/rest/notice"
	"calbridge/rest/proof"
	"calbridge/rest/purge"
	"calbridge/rest/rollout"
	"calbridge/rest/sitefacts"
	"calbridge/rest/tribev1"
	"calbridge/rest/wptext"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/check"
	"calbridge/wpstore/searchindex"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
)

// Site is a site with its settings. A reload creates a new one.
type Site struct {
	Parts
	api *rest.Server
	// mayCache is the maximum size of the caches, in bytes.
	mayCache uint64
	// rollout handles requests before the API and WordPress. comparing is nil if the two are
	// not compared.
	rollout *rollout.Handler
	// handler is the rollout behind the guard of what caches in front may store.
	handler   http.Handler
	purger    *purge.Purger // nil if nothing is purged
	comparing *diffmode.Judge
	unwatch   []func()       // end what metrics read of the site
	users     sync.WaitGroup // requests in flight
	watch     watch
}

// Parts holds the parts of a Site.
type Parts struct {
	Store     *sitedb.DB
	Cache     *cachesync.Sync   // nil without caches
	Companion *companion.Client // nil without the companion plugin
	Theme     wptext.Theme
	Home      string // the site's address
	Profile   *api.Profile
	Facts     *sitefacts.Document // nil if they were not read
	Findings  check.Report        // the findings of opening the site
	prover    *proof.Prover       // nil in other modes than Auto, unless WordPress's content is kept
	proofs    *proofs             // nil in other modes than Auto
	pushing   pushing
	traffic   *figures.Traffic // nil unless the site is one of several
}

// Shared holds the connections and the files that several sites of one process share. A site without them
// has its own.
type Shared struct {
	Servers *sqlconn.Servers
	// Hub follows the binary log for all sites.
	Hub *changefeed.Hub
	// Collations holds what the indexes of texts share.
	Collations *searchindex.Collations
	// Files may be nil, as its methods describe.
	Files *Files
	// Traffic counts the site's requests. It may be nil.
	Traffic *figures.Traffic
}

// Open checks and opens the site that the settings describe.
func Open(ctx context.Context, s *settings.Settings, logger *slog.Logger, m *metrics.Metrics) (*Site, error) {
	return OpenShared(ctx, s, Shared{}, logger, m)
}

// OpenShared opens one of several sites.
func OpenShared(ctx context.Context, s *settings.Settings, shared Shared, logger *slog.Logger, m *metrics.Metrics) (*Site, error) {
	return open(ctx, s, shared, false, logger, m)
}

// open opens a site. replaces is set if it replaces others, which may still have requests.
func open(ctx context.Context, s *settings.Settings, shared Shared, replaces bool, logger *slog.Logger, m *metrics.Metrics) (site *Site, err error) {
	findings := validate(s, shared.Files)
	if err := sitecheck.Require(logger, findings); err != nil {
		return nil, cmdline.SettingError{Err: err}
	}
	p := Parts{traffic: shared.Traffic}
	if p.Profile, err = shared.Files.profile(s); err != nil {
		return nil, err
	}
	notified := companionConfig(s)
	notified.Guard = newGuard(logger, m)
	if p.Companion, err = companion.Open(notified, logger); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.pushing.changes.Close()
			err = errors.Join(err, p.closeStore(), p.Companion.Close())
		}
	}()
	cfg := StoreConfig(s, logger, m)
	cfg.Servers, cfg.Hub, cfg.Collations = shared.Servers, shared.Hub, shared.Collations
	cfg.Committed, cfg.Tracker = p.Companion.Committed(), s.Cache.NewTracker()
	store, read, databaseFindings, err := OpenDatabase(ctx, s, cfg)
	if err != nil {
		return nil, err
	}
	p.Store = store
	if err := sitecheck.Require(logger, databaseFindings); err != nil {
		return nil, err
	}
	findings = append(findings, databaseFindings...)
	gatherer := &sitecheck.Gatherer{Settings: s, Store: store, Companion: p.Companion, Profile: p.Profile, Folders: shared.Files.folders()}
	facts, problems, err := gatherer.GatherWith(ctx, read)
	if err != nil {
		return nil, fmt.Errorf("gather the site's facts: %w", err)
	}
	problems = append(problems, sitecheck.ServedFacts(s, facts)...)
	if err := sitecheck.Require(logger, problems); err != nil {
		return nil, err
	}
	if !cfg.ReadOnly { // removes what a process that died may have left
		if err := store.MendRange(ctx); err != nil {
			logger.Warn("the range of all events could not be corrected; the next save of an event will correct it", "err", err)
		}
	}
	p.Facts, p.Findings = facts, append(findings, problems...)
	p.Theme = sitecheck.Theme(s, p.Facts)
	p.Home = cmp.Or(s.Site.Home, p.Facts.Text(sitefacts.Home))
	caching := cachesync.Config{Settings: s.Cache, Sends: noticesSent(p.Companion)}
	if s.KeepsJournal() {
		caching.JournalDir = journalDir(s)
		caching.JournalOf = journalOf(s, p, buildinfo.This())
	}
	caching.Settings.Mode = cachesync.Choose(ctx, caching.Settings.Mode, store, s.FollowsNotices(), caching.Settings.MaxAge, logger)
	source := &factSource{settings: s, companion: p.Companion, gatherer: gatherer, opened: facts, logger: logger}
	followed := caching.Settings.Mode == settings.CacheAuto || caching.Settings.Mode == settings.CacheStrict
	switch {
	case s.Rollout.Plan.Mode == rollout.Auto && !followed:
		return nil, errNoLog
	case s.Rollout.Plan.Mode == rollout.Auto:
		p.proofs = newProofs(s, m.Proof, logger, newGuard(logger, m))
		p.prover = newProver(s, cfg.Tracker, source, p.proofs, logger)
		if err := p.proofs.identify(ctx, s, &p); err != nil {
			return nil, err
		}
	case followed && keepsContent(s, p.Companion):
		p.prover = newProver(s, cfg.Tracker, source, m.Proof, logger)
	}
	if p.prover != nil {
		caching.OtherChanges, caching.Harmless, caching.Hidden = p.prover.Others, p.prover.Harmless, p.prover.Hidden
	}
	if p.pushing, err = openPushing(s, caching.Settings.Mode, cfg.Tracker, logger); err != nil {
		return nil, err
	}
	if err := p.pushing.collect(ctx, s, p, cfg.Tracker, replaces, logger); err != nil {
		return nil, err
	}
	caching.Position = p.pushing.position()
	p.Cache = cachesync.Start(caching, store, cfg.Tracker, m.Caches, logger)
	if site, err = Assemble(s, p, logger, m); err == nil {
		site.purger = p.pushing.start(cfg.Tracker, site, m, logger)
		site.watch.shut = func(closed bool) {
			site.api.Streams().Shut(closed)
			if closed {
				site.purger.PurgeAll()
			}
		}
		site.watch.prover, site.watch.codeEvery = p.prover, s.Rollout.CodeEvery
		site.watch.start(gatherer, facts, logger, store.Guard())
	}
	return site, err
}

// companionConfig returns the configuration of the companion plugin's client. Each address of
// WordPress has its own folder for saves that WordPress has not received yet.
func companionConfig(s *settings.Settings) companion.Config {
	c := s.Companion
	c.Agent = buildinfo.This().Agent("calbridge")
	if s.StateDir != "" {
		sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{c.URL, c.Host}))
		c.Outbox = filepath.Join(s.StateDir, "companion", hex.EncodeToString(sum[:8]))
	}
	return c
}

// noticesSent returns a function that asks the companion plugin whether it sends notices, or
// nil without a client.
func noticesSent(c *companion.Client) func(context.Context) error {
	if c == nil {
		return nil
	}
	return func(ctx context.Context) error {
		status, err := c.Status(ctx)
		switch {
		case errors.Is(err, notice.ErrNotInstalled):
			return fmt.Errorf("%w: %w", cachesync.ErrSendsNone, err)
		case err == nil && (!status.SendsNotices || status.Sequence == ""):
			return fmt.Errorf("%w: its companion plugin has version %s, and CALBRIDGE_URL is defined: %t", cachesync.ErrSendsNone, status.Companion, status.SendsNotices)
		}
		return err
	}
}

// UseCaches makes a REST server cache responses.
func UseCaches(c *rest.Config, s *cachesync.Sync) {
	use := s.Caches(c.RenderCache, c.OwnWrites > 0)
	c.Tracker, c.CacheBytes, c.RenderCache = use.Tracker, use.Bytes, use.Rendered
	c.Complete, c.CatchUp, c.CatchUpOwn, c.Settle = use.Complete, use.CatchUp, use.CatchUpOwn, use.Settle
	c.Changes.Journal, c.Changes.Lacks = use.Journal, use.Lacks
}

// NewMetrics returns the metrics of this build.
func NewMetrics() *metrics.Metrics {
	return metrics.New(metrics.Build(buildinfo.This()), metricValues())
}

// NewMetricsOfSites returns the metrics of a process in which some of several sites have metrics of their
// own. Those of the others have the label other.
func NewMetricsOfSites() *metrics.Metrics {
	return metrics.NewOfSites(metrics.Build(buildinfo.This()), metricValues(), "other")
}

func metricValues() metrics.Values {
	return metrics.Values{Routes: tribev1.Templates(), Codes: api.Errors().With(tribev1.Errors()).Codes(), Gone: changes.Reasons(), Webhooks: webhook.Results()}
}

// Assemble puts the API and the rollout on top of the database. If it fails, it closes the
// caches, but neither the store nor the companion.
func Assemble(s *settings.Settings, p Parts, logger *slog.Logger, m *metrics.Metrics) (*Site, error) {
	unknown := &unknownNames{}
	cfg := restConfig(s, p, logger, observeRequests(m, p.traffic, logger, unknown))
	site := &Site{Parts: p, mayCache: uint64(cfg.RenderCache)}
	cfg.Changes.Observer, cfg.Changes.Gone = m.Streams, m.Streams.Gone
	UseCaches(&cfg, p.Cache)
	if p.Cache != nil {
		site.mayCache = uint64(s.Cache.Size)
	}
	cfg.CacheTags = p.pushing.policy
	site.api = rest.New(p.Store, cfg)
	var err error
	if site.rollout, site.comparing, err = openRollout(s, &p, site.api, site.watch.closed.Load, observer{p.traffic, m.Rollout, m.Requests, logger, unknown}); err != nil {
		p.Cache.Close()
		site.api.Close()
		return nil, err
	}
	site.handler = p.pushing.policy.Guard(site.rollout)
	site.unwatch = []func(){
		m.Servers.WatchPools(p.Store.Pools()), m.Caches.WatchSizes(site.sizes), m.Streams.WatchJournal(p.Cache.JournalSize),
	}
	if p.prover != nil {
		site.unwatch = append(site.unwatch, m.Proof.Watch(func() proof.Figures { return proof.FiguresOf(p.prover) }))
	}
	return site, nil
}

// sizes returns the sizes of the caches.
func (s *Site) sizes() metrics.CacheSizes {
	var sizes metrics.CacheSizes
	sizes.Answers, sizes.AnswerBytes, sizes.Evicted = s.api.CacheSize()
	sizes.RowBytes, sizes.RenderedBytes = s.Store.CachedBytes(), s.api.RenderedBytes()
	if listing := s.Cache.EventIndex(); listing != nil {
		sizes.Events = listing.Rows()
		sizes.Read, sizes.Total = listing.Progress()
	}
	if search := s.Cache.SearchIndex(); search != nil {
		sizes.SearchBytes, sizes.SearchPosts = search.Bytes(), search.Posts()
	}
	return sizes
}

// Release releases the journal of changes, which only one site can have, for the site that
// replaces this one, and the position up to which caches in front were purged. It also ends the streams;
// their clients reconnect to the other site.
func (s *Site) Release() error {
	s.EndStreams()
	s.purger.Release()
	return s.Cache.Release()
}

// EndStreams ends the streams of changes, which don't end by themselves, and those that begin
// later.
func (s *Site) EndStreams() { s.api.Streams().End() }

// Close waits for requests in flight and closes the site.
func (s *Site) Close() error {
	s.watch.stop()
	s.EndStreams()
	s.users.Wait()
	for _, end := range s.unwatch {
		end()
	}
	s.rollout.Close() // before the parts that its comparisons use
	s.purger.Close()
	s.proofs.stop((*proof.Store).Close)
	s.Cache.Close()
	s.api.Close()
	return errors.Join(s.comparing.Close(), s.Companion.Close(), s.Store.Close())
}

func (p *Parts) closeStore() error {
	if p.Store == nil {
		return nil
	}
	return p.Store.Close()
}
