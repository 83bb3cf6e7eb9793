package site

import (
	"context"
	"log/slog"
	"net/http"
	"sync"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/diffmode"
	"calbridge/cmd/calbridge/figures"
	"calbridge/cmd/calbridge/httpserver"
	"calbridge/cmd/calbridge/settings"
	"calbridge/rest"
	"calbridge/rest/changes/stream"
	"calbridge/rest/metrics"
	"calbridge/rest/notice"
	"calbridge/rest/proof"
	"calbridge/rest/rollout"
	"calbridge/wpstore/guard"
)

// Live serves the latest Site.
type Live struct {
	logger  *slog.Logger
	metrics *metrics.Metrics
	guard   *guard.Guard
	closing sync.WaitGroup // the goroutines that close earlier Sites
	// closed is closed when all Sites before the current one are; nil if there is none. Only RenewShared
	// uses it.
	closed chan struct{}

	mu      sync.RWMutex
	current *Site
}

// NewLive serves a Site until Renew replaces it, and saves what it proves.
func NewLive(s *Site, logger *slog.Logger, m *metrics.Metrics) *Live {
	s.KeepProofs()
	return &Live{logger: logger, metrics: m, guard: newGuard(logger, m), current: s}
}

// Renew opens the site again with settings that were reread, and closes the earlier one once its
// requests have ended. If the site can't be opened, nothing changes.
func (l *Live) Renew(ctx context.Context, s *settings.Settings) error {
	return l.RenewShared(ctx, s, Shared{})
}

// RenewShared does what Renew does, for one of several sites. Only one call may run at a time.
func (l *Live) RenewShared(ctx context.Context, s *settings.Settings, shared Shared) error {
	next, err := open(ctx, s, shared, true, l.logger, l.metrics)
	if err != nil {
		return err
	}
	last := l.replace(next)
	last.Companion.HandOver(next.Companion)
	if err := last.Release(); err != nil {
		l.logger.Warn("closing the journal from before the reload", "err", err)
	}
	last.HandOver(ctx, next)
	before, closed := l.closed, make(chan struct{})
	l.closed = closed
	l.guard.Go(&l.closing, "closing the site from before a reload", func() {
		defer close(closed)
		if err := last.Close(); err != nil {
			l.logger.Warn("closing the site from before the reload", "err", err)
		}
		next.purger.PurgeAll() // of what its last requests have left in caches in front
		if before != nil {
			<-before
		}
		next.purger.Succeed()
	})
	return nil
}

// enter returns the latest Site. The caller must call its users.Done.
func (l *Live) enter() *Site {
	l.mu.RLock()
	defer l.mu.RUnlock()
	l.current.users.Add(1)
	return l.current
}

// replace makes next the Site that is served and returns the previous one, which the caller
// closes.
func (l *Live) replace(next *Site) *Site {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := l.current
	l.current = next
	return last
}

// Streams returns the streams of the latest Site. They end when another one replaces it.
func (l *Live) Streams() *stream.Hub {
	s := l.enter()
	defer s.users.Done()
	return s.api.Streams()
}

// EndStreams ends the streams of changes of the latest Site.
func (l *Live) EndStreams() {
	s := l.enter()
	defer s.users.Done()
	s.EndStreams()
}

// Close closes the latest Site. No request may be in flight when it is called.
func (l *Live) Close() error {
	l.closing.Wait()
	return l.current.Close()
}

// ServeHTTP implements http.Handler.
func (l *Live) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s := l.enter()
	defer s.users.Done()
	s.handler.ServeHTTP(w, r)
}

// Cached returns the size and the maximum size of the caches in bytes.
func (l *Live) Cached() (bytes, mayCache uint64) {
	s := l.enter()
	defer s.users.Done()
	return s.sizes().Bytes(), s.mayCache
}

// Indexing returns how many events the index of the latest Site has read, and their total. It
// returns 0 if the index isn't being loaded.
func (l *Live) Indexing() (read, total int64) {
	s := l.enter()
	defer s.users.Done()
	sizes := s.sizes()
	return sizes.Read, sizes.Total
}

// Sites returns nil: there is one site.
func (l *Live) Sites() []figures.Site { return nil }

// Differences returns the fields in which responses of WordPress and the latest Site have
// differed.
func (l *Live) Differences() []diffmode.Field {
	s := l.enter()
	defer s.users.Done()
	return s.comparing.Seen()
}

// Ask reads the site's facts in order to check that requests can be answered.
func (l *Live) Ask(ctx context.Context) error {
	s := l.enter()
	defer s.users.Done()
	_, err := s.Store.Session(nil).Options.FactsWithoutCharsets(ctx)
	return err
}

// Read answers a request within the process, without metrics and the log.
func (l *Live) Read(r *http.Request) (status int, header http.Header, body []byte, err error) {
	s := l.enter()
	defer s.users.Done()
	w := httpserver.NewMemory()
	own := s.api.Answer(w, r)
	defer own.Close()
	if err := own.Copy(w); err != nil {
		return 0, nil, nil, err
	}
	status, header, body = w.Response()
	return status, header, body, nil
}

// Shown answers a GET of the process itself with what the site shows to anonymous clients without asking
// WordPress.
func (l *Live) Shown(r *http.Request) (*rollout.Shown, error) {
	s := l.enter()
	defer s.users.Done()
	return s.rollout.Shown(r)
}

// About describes the latest Site.
func (l *Live) About(ctx context.Context) (rest.About, error) {
	s := l.enter()
	defer s.users.Done()
	return s.api.About(ctx)
}

// Moved returns a channel that is closed when the journal of changes of the latest Site records the
// next change, nil without a journal.
func (l *Live) Moved() <-chan struct{} {
	s := l.enter()
	defer s.users.Done()
	return s.Cache.JournalMoved()
}

// Notice applies a notice of the companion plugin.
func (l *Live) Notice(n notice.Notice) {
	s := l.enter()
	defer s.users.Done()
	s.Cache.Invalidate(n)
}

// Changed returns a channel that receives a value when the facts of the latest Site have
// changed, so that it must be reopened.
func (l *Live) Changed() <-chan struct{} {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.current.watch.changed
}

// Parts returns the parts of the latest Site. A reload may close them; their facts remain
// readable.
func (l *Live) Parts() Parts {
	s := l.enter()
	defer s.users.Done()
	return s.Parts
}

// Proof returns what mode auto has proved, or what mode native keeps of WordPress's rendering. ok is
// false if the site has neither.
func (l *Live) Proof() (report proof.Report, ok bool) {
	s := l.enter()
	defer s.users.Done()
	if s.prover == nil {
		return report, false
	}
	return s.prover.Report(), true
}

// ProofOf returns what Proof returns. There is one site, so that none can be named.
func (l *Live) ProofOf(_ context.Context, name string) (report proof.Report, ok bool, err error) {
	if name != "" {
		return report, false, cmdline.Usagef("--site: this process serves one site, %s; leave --site out", l.Parts().Home)
	}
	report, ok = l.Proof()
	return report, ok, nil
}

// Database returns the database's engine and version.
func (l *Live) Database() (engine, version string) {
	s := l.enter()
	defer s.users.Done()
	return s.Store.Engine(), s.Store.Version()
}
