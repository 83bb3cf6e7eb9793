package changefeed

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/changefeed/rowtags"
	"calbridge/wpstore/invalidation"
)

// member is a site whose changes a [Hub] follows.
type member struct {
	cfg      *Config
	tracker  *invalidation.Tracker
	observer Observer
	// restores outlives sessions: tables may be restored while there is none. Only one session uses it
	// at a time.
	restores Detector
	// begun is set once changes have arrived, and as long as none was missed since. Only the applier
	// uses it.
	begun bool
	// behind is set if the log is read from a mark that doesn't continue the Position's. Only the applier
	// uses it once the log is followed.
	behind bool
	// following is set while changes arrive as they are made.
	following atomic.Bool
	// gone is set once the site has left.
	gone atomic.Bool
	// followed is closed when changes arrive for the first time; it may be nil.
	followed chan struct{}
	// before passes the site's changes on until this hub takes over; nil if there is nothing to take over.
	before *predecessor
	// pending is set until then.
	pending atomic.Bool
}

// follower is a member in one session.
type follower struct {
	*member
	tables   *Tables
	resolver *rowtags.Resolver
	// skip is the position up to which the hub before has passed changes on; nil for none.
	skip binlog.Position
	// blind is the time from which the site's tables are queried again, after they could not be.
	blind time.Time
}

// blindFor is the time for which each change of a site counts as a change of everything, after its tables
// could not be queried: they may be dropped or locked, and the other sites must not wait for them.
const blindFor = 10 * time.Second

func newFollower(m *member, src *Source) *follower {
	return &follower{
		member: m, tables: newTables(m.cfg.logTables(src, &m.observer)), resolver: rowtags.NewResolver(src.Query, m.cfg.Tables.Quoted, m.cfg.taxonomies()),
	}
}

// resolve completes changes. Those of tables that the server doesn't let it read become changes of
// everything. Other errors concern the connection, and end the session.
func (f *follower) resolve(ctx context.Context, c *rowtags.Changes) error {
	if time.Now().Before(f.blind) {
		c.Everything()
	}
	err := f.resolver.Resolve(ctx, c)
	var refused *mysql.MySQLError
	if err == nil || ctx.Err() != nil || !errors.As(err, &refused) && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	f.cfg.Servers.Logger().WarnContext(ctx, "a site's tables can't be read; each of its changes counts as a change of everything", "error", err)
	f.blind = time.Now().Add(blindFor)
	c.Everything()
	return f.resolver.Resolve(ctx, c)
}

// resume returns the mark from which the log is read: the earlier one of what the Recorder and the Position
// have stored.
func (m *member) resume(ctx context.Context, flavor binlog.Flavor) mark {
	var recorded, reached mark
	if m.observer.Recorder != nil {
		if recorded = parseMark(m.observer.Recorder.Resume(ctx), flavor); recorded.position == nil {
			return mark{}
		}
	}
	if m.observer.Position == nil {
		return recorded
	}
	reached = parseMark(m.observer.Position.Resume(ctx), flavor)
	switch {
	case recorded.position == nil:
		return reached
	case reached.position == nil || reached.server != recorded.server:
		m.behind = true
	case reached.position.Contains(recorded.position):
	case recorded.position.Contains(reached.position):
		return reached
	default:
		m.behind = true
	}
	return recorded
}

// begin lets changes arrive. missed is set if there may have been others before.
func (f *follower) begin(missed bool, at mark) {
	if f.observer.Recorder != nil {
		f.observer.Recorder.Begin(missed, at)
	}
	if f.observer.Position != nil {
		f.observer.Position.Begin(missed || f.behind, at)
		f.behind = false
	}
	f.tracker.Resume(missed)
	f.begun = true
	f.following.Store(true)
}

// began reports that changes arrive.
func (f *follower) began() {
	if f.followed != nil {
		close(f.followed)
		f.followed = nil
	}
	if f.cfg.Watcher != nil {
		f.cfg.Watcher.Begin()
	}
	if f.observer.Following != nil {
		f.observer.Following(true, nil)
	}
}

// end marks the end of a session.
func (m *member) end() {
	if m.pending.Load() {
		return
	}
	m.following.Store(false)
	m.tracker.Suspend()
	if m.cfg.Watcher != nil {
		m.cfg.Watcher.End()
	}
}

// everything invalidates everything, because of changes that the log doesn't have.
func (m *member) everything() {
	if m.observer.Recorder != nil {
		m.observer.Recorder.Record(nil, true, nil)
	}
	m.tracker.InvalidateAll()
	if m.cfg.Watcher != nil {
		m.cfg.Watcher.Seen("", nil, 0, true)
	}
}

// logged reports whether the server logs the changes of the member's database.
func (m *member) logged(stream *binlog.Stream) bool {
	return stream.Logs(m.cfg.Servers.Feed().Config().DBName)
}
