package mirror

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"
)

// streamRetry is the number of requests for changes after which a missing stream is tried
// again.
const streamRetry = 10

// patience limits how long Once retries a server that is busy, for example just after its
// start.
const patience = time.Minute

// Options configures Run.
type Options struct {
	Source Source
	Out    string // the SQLite file
	Lines  string // a file with one event a line, or ""
	// Once makes Run return after the copy is complete, or after the first error. A busy
	// server is retried for a minute.
	Once bool
	// Interval is the time between two requests for changes if there is no stream.
	Interval time.Duration
	Agent    string       // User-Agent, default "calbridge-mirror"
	Client   *http.Client // must not have a timeout, which would end streams
	Logger   *slog.Logger
	Now      func() time.Time
	Jitter   func() float64 // returns random numbers from 0 to 1
	// Progress is called with the number of events fetched so far of a whole list, and with -1
	// when the list is complete. It may be nil.
	Progress func(events int)

	// These fields are for tests: the first wait after an error, how long a server may be
	// silent, and a wrapper around the embedded engine.
	wait, silence time.Duration
	wrap          func(driver.Connector) driver.Connector
	// round limits what is fetched at a time, unless it is zero.
	round round
}

// round counts, or limits, what is fetched in pages that each name the next.
type round struct{ pages, items, bytes int64 }

// longestRound is far more than the list of a site. It keeps a server that names another page
// again and again from filling the disk.
var longestRound = round{pages: 500_000, items: 5_000_000, bytes: 16 << 30}

// add counts a page. It reports whether the counts are still within most.
func (r *round) add(p *page, most round) bool {
	r.pages++
	r.items += int64(len(p.items))
	r.bytes += p.bytes
	return r.pages <= most.pages && r.items <= most.items && r.bytes <= most.bytes
}

var errEndless = errors.New("the server names one page of changes after another, more than a list has")

// mirror is a copy and everything that keeps it up to date.
type mirror struct {
	options  Options
	remote   *remote
	store    *store
	lines    *linesFile // nil if it is not wanted
	backoff  backoff
	at       position
	complete bool      // a whole copy exists or existed in an earlier process
	fetched  int       // number of events fetched of the current list
	noStream time.Time // the stream isn't tried before this time
	begun    time.Time // time at which Run began
}

// Run keeps the copy up to date until the context ends, and then returns nil. It returns an
// error if the files can't be used. Before there is a whole copy, it also returns an error if
// the server refuses in a way that only a person can change. Afterwards it continues after all
// errors, except if another process writes to the file.
func Run(ctx context.Context, o Options) (err error) {
	m := &mirror{options: o, begun: o.Now(), backoff: backoff{first: cmp.Or(o.wait, firstWait), jitter: o.Jitter},
		remote: &remote{client: o.Client, source: o.Source, agent: cmp.Or(o.Agent, "calbridge-mirror"), silence: cmp.Or(o.silence, silence), pageTime: pageTime, now: o.Now}}
	if m.store, err = openStore(ctx, o.Out, o.Source.identity(), o.Now, o.wrap); err != nil {
		return ended(ctx, fmt.Errorf("--out %s: %w", o.Out, err))
	}
	defer func() { err = errors.Join(err, m.store.close()) }()
	if m.at, m.complete, err = m.store.position(ctx); err != nil {
		return ended(ctx, fmt.Errorf("--out %s: %w", o.Out, err))
	}
	if o.Lines == "" {
		return ended(ctx, m.run(ctx))
	}
	if m.lines, err = openLines(o.Lines, m.store, o.Logger); err != nil {
		return fmt.Errorf("--jsonl %s: %w", o.Lines, err)
	}
	return m.runWithLines(ctx)
}

// runWithLines runs the mirror and the writer of the lines file.
func (m *mirror) runWithLines(ctx context.Context) error {
	if m.complete {
		m.lines.changed() // the last process may have ended before it wrote the file
	}
	writing, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		m.lines.run(writing)
	}()
	err := ended(ctx, m.run(ctx))
	stop()
	<-done
	if failed := m.lines.flush(context.WithoutCancel(ctx)); failed != nil {
		err = errors.Join(err, fmt.Errorf("--jsonl %s: %w", m.options.Lines, failed))
	}
	return err
}

// ended returns err, or nil if err was caused by the end of the context.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// run fetches changes and follows the stream, in a loop.
func (m *mirror) run(ctx context.Context) error {
	for {
		err := m.sync(ctx)
		if err == nil && m.options.Once {
			return nil
		}
		wait := m.options.Interval
		switch {
		case err != nil:
		case m.mayStream():
			err = m.follow(ctx)
		default:
			m.backoff.reset()
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil && m.final(err) {
			return err
		}
		if errors.As(err, new(noStreamError)) {
			wait = min(wait, m.recover(ctx, err)) // without the stream, changes can still be requested
		} else if err != nil {
			wait = m.recover(ctx, err)
		}
		if !sleep(ctx, wait) {
			return nil
		}
	}
}

// mayStream reports whether to try the stream now. The stream takes no credentials, so that a
// user with a login would get a different list.
func (m *mirror) mayStream() bool {
	return m.options.Source.user == "" && !m.options.Now().Before(m.noStream)
}

// final reports whether an error ends the mirror.
func (m *mirror) final(err error) bool {
	var refused *refusal
	isRefused := errors.As(err, &refused)
	if m.options.Once {
		return !isRefused || !refused.busy() || m.options.Now().Add(refused.retryAfter).After(m.begun.Add(patience))
	}
	return errors.Is(err, errOtherWriter) || !m.complete && isRefused && refused.permanent()
}

// recover returns the time to wait after an error.
func (m *mirror) recover(ctx context.Context, err error) time.Duration {
	var refused *refusal
	var retryAfter time.Duration
	if errors.As(err, &refused) {
		retryAfter = refused.retryAfter
	}
	wait := m.backoff.next(retryAfter)
	m.options.Logger.Warn("the copy may be behind", "error", err, "again", wait.Round(time.Millisecond))
	// A commit that failed may have succeeded on disk.
	if at, complete, err := m.store.position(ctx); err == nil {
		m.at, m.complete = at, complete
	}
	return wait
}

// sync fetches pages until the copy is complete. It discards what it has of a list that
// doesn't end.
func (m *mirror) sync(ctx context.Context) error {
	var fetched round
	for begun := false; ; {
		p, err := m.remote.changes(ctx, m.at)
		var refused *refusal
		if errors.As(err, &refused) && refused.status == http.StatusGone && !begun && m.at != (position{listing: true}) {
			begun = true // if it happens twice in a row, wait
			if err := m.begin(ctx, refused); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if !fetched.add(&p, cmp.Or(m.options.round, longestRound)) {
			return cmp.Or(m.begin(ctx, errEndless), errEndless)
		}
		if err := m.apply(ctx, p.items, p.next); err != nil {
			return err
		}
		if m.at.page == "" {
			return nil
		}
	}
}

// follow applies what the stream sends until the stream ends, which is an error.
func (m *mirror) follow(ctx context.Context) error {
	since := m.options.Now()
	err := m.remote.follow(ctx, m.at.sync, func() {
		m.options.Logger.Info("following the stream")
	}, func(items []item, to string) error {
		m.backoff.reset()
		next := m.at
		if to != "" {
			next.sync = to
		}
		return m.apply(ctx, items, next)
	})
	now := m.options.Now()
	if now.Sub(since) >= longestWait {
		m.backoff.reset() // a quiet stream counts as a success, too
	}
	var refused *refusal
	gone := errors.As(err, &refused) && refused.status == http.StatusGone
	switch {
	case gone || errors.As(err, new(*resetError)):
		if failed := m.begin(ctx, err); failed != nil {
			return failed
		}
	case !errors.As(err, new(noStreamError)):
	case refused != nil && !refused.permanent():
		m.noStream = now.Add(refused.retryAfter)
	default:
		m.noStream = now.Add(streamRetry * m.options.Interval)
	}
	return err
}

// begin discards the position.
func (m *mirror) begin(ctx context.Context, why error) error {
	m.options.Logger.Info("fetching the whole list again; the copy stays as it is until then", "why", why)
	next, err := m.store.begin(ctx, m.at)
	if err != nil {
		return fmt.Errorf("--out %s: %w", m.options.Out, err)
	}
	m.at, m.fetched = next, 0
	return nil
}

// apply stores items and the position after them.
func (m *mirror) apply(ctx context.Context, items []item, next position) error {
	before := m.at
	if len(items) == 0 && before == next {
		return nil
	}
	if err := m.store.apply(ctx, items, before, next); err != nil {
		return fmt.Errorf("--out %s: %w", m.options.Out, err)
	}
	m.at = next
	if before.listing {
		m.fetched += len(items)
		m.progress(next)
	}
	if next.listing {
		return nil
	}
	m.complete = true
	if m.lines != nil && (len(items) > 0 || before.listing) {
		m.lines.changed()
	}
	return nil
}

// progress reports the progress of a list that is being fetched.
func (m *mirror) progress(next position) {
	shown := m.fetched
	if !next.listing {
		m.options.Logger.Info("the copy is complete", "fetched", m.fetched)
		m.fetched, shown = 0, -1
	}
	if m.options.Progress != nil {
		m.options.Progress(shown)
	}
}
