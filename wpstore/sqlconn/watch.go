package sqlconn

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"
)

const (
	// watchPause is the time between two looks at all servers. A lag is known to
	// this precision.
	watchPause = 500 * time.Millisecond
	// watchTimeout bounds a look at one server: what takes longer hangs.
	watchTimeout = time.Second
	// maxSamples bounds the positions that are remembered; the lag of a replica that
	// is behind all of them still grows, by the clock.
	maxSamples = 32
	// orphanTime is how long replicas are read from while the primary is away.
	orphanTime = 5 * time.Minute
)

// sample is a position of the primary and the time during which it was the latest.
type sample struct {
	position
	first, last time.Time
}

// watcher looks at the primary and all replicas again and again, and decides which
// replicas may be read from.
//
// The lag is measured without a table of its own in the site's schema: the
// primary's positions are remembered with their times, and each replica is asked
// which of them it has reached. What it lacks was committed after the last one's
// time. No clock but this machine's counts, and a replica whose replication has
// stopped is behind by as much as it really is.
type watcher struct {
	*cluster
	options string  // a table that may be written where anything may
	primary *sql.DB // one connection to where the DSN leads
	// known are that server and the replicas, holder which of them is the primary.
	known   []*contender
	holder  *contender
	samples []sample
	// last is what the primary last said of itself.
	last Node
	// silent is since when the primary has not answered, zero when it has.
	silent time.Time
	stop   context.CancelFunc
	done   chan struct{}
	ctx    context.Context
}

// watch starts to watch the servers of a cluster that has replicas. options is the
// quoted name of a table that may be written where anything may.
func watch(c *cluster, options string) (*watcher, error) {
	cfg, err := driverConfig(c.cfg, c.cfg.DSN)
	if err != nil {
		return nil, err
	}
	primary, err := openPool(cfg, c.cfg, c.configured.moves)
	if err != nil {
		return nil, err
	}
	primary.SetMaxOpenConns(1)
	ctx, stop := context.WithCancel(context.Background())
	w := &watcher{cluster: c, options: options, primary: primary, ctx: ctx, stop: stop, done: make(chan struct{})}
	w.known = []*contender{{server: c.configured, dsn: c.cfg.DSN, probe: primary}}
	for _, r := range c.replicas {
		w.known = append(w.known, &contender{server: r.server, dsn: r.dsn, probe: r.probe})
	}
	w.holder = w.known[0]
	go w.run()
	return w, nil
}

func (w *watcher) run() {
	defer close(w.done)
	tick := time.NewTicker(watchPause)
	defer tick.Stop()
	for {
		w.look()
		select {
		case <-tick.C:
		case <-w.ctx.Done():
			return
		}
	}
}

func (w *watcher) close() error {
	w.stop()
	<-w.done
	for _, r := range w.replicas {
		if s := r.service.Swap(nil); s != nil {
			s.end(errRetired)
		}
	}
	return w.primary.Close()
}

// look asks the primary, then all others at once.
func (w *watcher) look() {
	w.lookAtPrimary()
	var all sync.WaitGroup
	if configured := w.known[0]; configured != w.holder {
		all.Go(func() { w.ask(configured) })
	}
	for _, r := range w.replicas {
		all.Go(func() { w.judge(r, w.lookAt(r)) })
	}
	all.Wait()
	w.succeed()
}

// ask asks a server for its state.
func (w *watcher) ask(c *contender) (Node, error) {
	ctx, cancel := context.WithTimeout(w.ctx, watchTimeout)
	defer cancel()
	n, err := AskNode(ctx, c.probe, w.dialect)
	c.note(n, err)
	if err == nil && n.ReadOnly && c == w.known[0] { // the next look finds out where the address leads now
		c.probe.SetMaxIdleConns(-1)
		c.probe.SetMaxIdleConns(1)
	}
	return n, err
}

func (w *watcher) lookAtPrimary() {
	asked := time.Now()
	n, err := w.ask(w.holder)
	if err != nil {
		if w.silent.IsZero() {
			w.silent = asked
			w.cfg.Logger.Warn("the primary does not answer; replicas serve what they have", "for", orphanTime, "err", err)
		}
		return
	}
	if n.ID != w.last.ID || n.ReadOnly != w.last.ReadOnly {
		// The role has moved, or is about to: old connections lead to the old server.
		w.holder.moved()
	}
	w.last = n
	if !w.silent.IsZero() {
		w.silent = time.Time{}
		w.cfg.Logger.Info("the primary answers again")
	}
	if last := len(w.samples) - 1; last >= 0 && w.samples[last].position == n.position {
		w.samples[last].last = asked
		return
	}
	if len(w.samples) == maxSamples {
		w.samples = append(w.samples[:0], w.samples[1:]...)
	}
	w.samples = append(w.samples, sample{n.position, asked, asked})
}

// lookAt asks a replica how far it is. The error says why it cannot be used.
func (w *watcher) lookAt(r *replica) error {
	n, err := w.ask(w.known[1+r.index])
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(w.ctx, watchTimeout)
	defer cancel()
	if len(w.samples) == 0 {
		return fmt.Errorf("nothing to compare with: the primary does not answer")
	}
	k, problem := n.follows(w.last, w.dialect)
	if problem != "" {
		return fmt.Errorf("%s", problem)
	}
	reached, err := w.reached(ctx, r, n, k)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.follows = k
	if reached >= 0 && w.samples[reached].last.After(r.seen) {
		r.seen = w.samples[reached].last
	}
	return err
}

// reached is the index of the last sample that the replica has reached, -1 for
// none.
func (w *watcher) reached(ctx context.Context, r *replica, n Node, k kind) (int, error) {
	last := len(w.samples) - 1
	// A moment's patience: what the primary has just told may be on its way.
	var caughtUp sql.NullInt64
	err := ask(ctx, r.probe, "replica.wait", k.await(w.samples[last].gtid, latestWait), func(rows *sql.Rows) error { return rows.Scan(&caughtUp) })
	if err == nil && caughtUp.Int64 == 1 {
		return last, nil
	}
	if k == galera {
		for ; last >= 0 && (w.samples[last].cluster != n.cluster || w.samples[last].seqno > n.seqno); last-- {
		}
		return last, nil
	}
	positions := make([]string, len(w.samples))
	for i, s := range w.samples {
		positions[i] = s.gtid
	}
	has := make([]sql.NullInt64, len(positions))
	into := make([]any, len(positions))
	for i := range has {
		into[i] = &has[i]
	}
	err = ask(ctx, r.probe, "replica.applied", k.applied(positions), func(rows *sql.Rows) error { return rows.Scan(into...) })
	for ; last >= 0 && (has[last].Int64 != 1 || positions[last] == ""); last-- {
	}
	return last, err
}

// judge takes a replica into use or out of it.
func (w *watcher) judge(r *replica, problem error) {
	state := ReplicaState{Lag: -1}
	r.mu.Lock()
	if n := len(w.samples); n > 0 && !r.seen.IsZero() {
		state.Lag = max(0, w.samples[n-1].last.Sub(r.seen))
	}
	banned := time.Now().Before(r.banned)
	k := r.follows
	if r.ban > 0 && time.Since(r.banned) > longestBan {
		r.ban = 0
	}
	r.mu.Unlock()
	most := w.cfg.ReplicaMaxLag
	if most == 0 {
		most = latestWait
	}
	switch {
	case problem != nil:
	case state.Lag < 0:
		problem = fmt.Errorf("it has not reached any position of the primary's yet")
	case state.Lag > most:
		problem = fmt.Errorf("it is %s behind", state.Lag.Round(time.Millisecond))
	case !w.silent.IsZero() && time.Since(w.silent) > orphanTime:
		problem = fmt.Errorf("the primary has been away for %s", orphanTime)
	}
	was := r.service.Load()
	state.InUse = problem == nil && !banned
	switch {
	case state.InUse && was != nil && was.lag == state.Lag && was.kind == k:
	case state.InUse && was != nil:
		// The same service, seen anew.
		r.service.CompareAndSwap(was, &service{was.ctx, was.end, state.Lag, k})
	case state.InUse:
		ctx, end := context.WithCancelCause(context.Background())
		r.service.Store(&service{ctx, end, state.Lag, k})
		w.cfg.Logger.Info("replica in use", "replica", r.name, "addr", r.addr, "lag", state.Lag, "by", string(k))
	case was != nil:
		r.service.CompareAndSwap(was, nil)
		was.end(errRetired)
		r.dropIdle()
		w.cfg.Logger.Warn("replica taken out", "replica", r.name, "addr", r.addr, "err", problem)
	}
	if w.cfg.ReplicaState != nil && w.ctx.Err() == nil {
		w.cfg.ReplicaState(r.name, state)
	}
}
