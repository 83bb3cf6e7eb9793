package sitedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/coherence"
)

// replica is a server that follows the primary and may be read from.
type replica struct {
	*server
	index int    // among the settings
	addr  string // for messages
	// probe is one connection for looking at the server, which reads never occupy.
	probe *sql.DB
	dsn   string
	// service is set while the replica is read from.
	service atomic.Pointer[service]

	mu sync.Mutex
	// seen is the latest moment of which the replica is known to have everything
	// that the primary had then; zero while nothing is known.
	seen time.Time
	// follows is how the replica follows the primary, "" while that is not known.
	follows kind
	// banned keeps a replica out that failed to answer reads although it looks well;
	// ban is how long the next time.
	banned time.Time
	ban    time.Duration
}

// service is a time during which a replica is read from. Its end ends the
// statements on it, so that they can be asked of the primary in time.
type service struct {
	ctx context.Context
	end context.CancelCauseFunc
	lag time.Duration // as of the last look
	kind
}

// errRetired is why a statement on a replica was given up.
var errRetired = errors.New("the replica was taken out of use")

const (
	// latestWait is the longest wait for a replica to catch up with one request. What
	// takes longer, the primary answers sooner.
	latestWait = 100 * time.Millisecond
	// shortestBan and longestBan bound how long a replica is left alone that fails
	// although it looks well.
	shortestBan = time.Second
	longestBan  = time.Minute
)

// replicaSet are the replicas and the goroutine that watches them.
type replicaSet struct {
	list  []*replica
	watch *watcher
}

// openReplicas makes the pools and starts watching. It does not wait for any
// server: a replica that is away is none to be read from, and nothing more.
func (db *DB) openReplicas() error {
	if db.Engine() == "sqlite" {
		return errors.New("replica dsn: only MySQL and MariaDB have replicas")
	}
	set := &replicaSet{}
	db.replicas = set
	for i, dsn := range db.cfg.Replicas {
		r, err := db.openReplica(i, dsn)
		if err != nil {
			return fmt.Errorf("replica %d: %w", i+1, err)
		}
		set.list = append(set.list, r)
	}
	cfg, err := mysqlConfig(db.cfg, db.cfg.DSN)
	if err != nil {
		return err
	}
	primary, err := openPool(cfg, db.cfg, db.primary.moves)
	if err != nil {
		return err
	}
	primary.SetMaxOpenConns(1)
	set.watch = newWatcher(db, primary)
	go set.watch.run()
	return nil
}

func (db *DB) openReplica(i int, dsn string) (*replica, error) {
	cfg, err := mysqlConfig(db.cfg, dsn)
	if err != nil {
		return nil, err
	}
	s, err := openServer(ReplicaName(i), cfg, db.cfg)
	if err != nil {
		return nil, err
	}
	probe, err := openPool(cfg, db.cfg, s.moves)
	if err != nil {
		return nil, err
	}
	probe.SetMaxOpenConns(1)
	return &replica{server: s, index: i, addr: cfg.Addr, probe: probe, dsn: dsn}, nil
}

func (set *replicaSet) close() error {
	var errs []error
	if set.watch != nil {
		set.watch.close()
		errs = append(errs, set.watch.primary.Close())
	}
	for _, r := range set.list {
		errs = append(errs, r.probe.Close(), r.pool.Close())
	}
	return errors.Join(errs...)
}

// route is where the reads of one request go.
type route struct {
	replica atomic.Pointer[replica]
	service *service
	db      *DB
	// made is what the ledger had heard of before the replica was known to have it:
	// a row that is read may lack what the ledger hears of later.
	made uint64
}

// readAsOf is as of when rows read in this context are to be kept.
func readAsOf(ctx context.Context, ledger *coherence.Ledger) uint64 {
	if to, ok := ctx.Value(routeKey{}).(*route); ok {
		return to.made
	}
	return ledger.Sequence()
}

type routeKey struct{}

// OnReplica returns a context whose queries outside of transactions go to one
// replica that is fit, or to the primary where none is. All of a request's queries
// should use the same context: replicas differ in how far they are.
//
// A fit replica lacks nothing that is older than the allowed lag. With latest, or
// with an allowed lag of 0, it lacks nothing that was committed before this call,
// by whomever: the primary is asked for its position, and the replica is waited
// for, at most a tenth of a second. That is how clients read what they wrote: it
// needs neither memory here nor a token in their hands, so that it works through
// any number of processes behind a balancer, and answers stay what they are
// without replicas. The price is one statement on the primary that touches no
// table, for the few clients that may write.
//
// Rows that are kept in memory must be read with latest.
//
// While the primary is away, replicas count as being as far behind as when it was
// last heard of, for five minutes; latest then leads to the primary, which fails.
//
// What decides rights must not be read through such a context: users, their
// passwords and sessions, roles, keys.
func (db *DB) OnReplica(ctx context.Context, latest bool) context.Context {
	if db.replicas == nil || db.inTx != nil {
		return ctx
	}
	r, s := db.replicas.choose()
	if r == nil {
		return ctx
	}
	to := &route{service: s, db: db}
	if db.memory != nil {
		to.made = db.memory.ledger.Sequence()
	}
	if latest || db.cfg.ReplicaMaxLag == 0 {
		// One that is far behind now will hardly have caught up in time.
		if s.lag > latestWait || !db.catchUp(ctx, r, s) {
			return ctx
		}
	}
	to.replica.Store(r)
	return context.WithValue(ctx, routeKey{}, to)
}

// ReplicaMaxLag is how far behind the replicas in use may be; 0 without any.
func (db *DB) ReplicaMaxLag() time.Duration {
	if db.replicas == nil {
		return 0
	}
	return db.cfg.ReplicaMaxLag
}

// Pools are the pools of all servers by name, for collectors of their statistics.
func (db *DB) Pools() map[string]*sql.DB {
	pools := map[string]*sql.DB{Primary: db.primary.pool}
	if db.replicas != nil {
		for _, r := range db.replicas.list {
			pools[r.name] = r.pool
		}
	}
	return pools
}

// HasReplica says whether [DB.OnReplica] would find a replica now.
func (db *DB) HasReplica() bool {
	if db.replicas == nil {
		return false
	}
	r, _ := db.replicas.choose()
	return r != nil
}

// choose returns the least busy of the replicas in use, nil when there is none.
func (set *replicaSet) choose() (*replica, *service) {
	var best *replica
	var in *service
	first := rand.IntN(len(set.list)) // so that equals take turns
	for i := range set.list {
		r := set.list[(first+i)%len(set.list)]
		if s := r.service.Load(); s != nil && (best == nil || len(r.places) < len(best.places)) {
			best, in = r, s
		}
	}
	return best, in
}

// catchUp waits until the replica has what the primary has now.
func (db *DB) catchUp(ctx context.Context, r *replica, s *service) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*latestWait)
	defer cancel()
	var position string
	if ask := s.kind.now(); ask != nil {
		err := db.queryAt(ctx, db.leader(), "replica.position", ask, func(rows *sql.Rows) error { return rows.Scan(&position) })
		if err != nil || position == "" {
			return false
		}
	}
	var reached sql.NullInt64
	err := db.queryAt(ctx, r.server, "replica.wait", s.kind.await(position, latestWait), func(rows *sql.Rows) error { return rows.Scan(&reached) })
	return err == nil && reached.Int64 == 1
}

// chosenReplica returns the replica of a request, nil for none.
func chosenReplica(ctx context.Context) (*route, *replica) {
	to, ok := ctx.Value(routeKey{}).(*route)
	if !ok {
		return nil, nil
	}
	return to, to.replica.Load()
}

// readReplica asks a replica. done is false when the primary should be asked
// instead: the replica failed before it gave a row away.
func (db *DB) readReplica(ctx context.Context, to *route, r *replica, name string, given *bool, do reading) (done bool, err error) {
	limited, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(to.service.ctx, func() { cancel(errRetired) })()
	err = db.run(limited, r.server, name, func(ctx context.Context) error { return keptConnOf(ctx).read(ctx, r.server, given, do) })
	switch {
	case err == nil, ctx.Err() != nil, errors.Is(err, errCrowded):
		return true, err // a crowd must not be sent on to the primary
	case *given:
		to.leave(r, err)
		return true, fmt.Errorf("%w: %w", wpstore.ErrUnavailable, err)
	}
	return false, err
}

// leave sends the rest of a request to the primary after a replica has failed.
func (to *route) leave(r *replica, err error) {
	to.replica.Store(nil)
	if to.service.ctx.Err() == nil {
		to.db.retire(r, err)
	}
}

// retire takes a replica out that fails although it looks well, each time for
// longer.
func (db *DB) retire(r *replica, err error) {
	s := r.service.Swap(nil)
	if s == nil {
		return
	}
	s.end(errRetired)
	r.dropIdle()
	r.mu.Lock()
	r.ban = min(max(2*r.ban, shortestBan), longestBan)
	r.banned = time.Now().Add(r.ban)
	ban := r.ban
	r.mu.Unlock()
	db.cfg.Logger.Warn("replica taken out: it does not answer as it should", "replica", r.name, "addr", r.addr, "for", ban, "err", err)
}
