package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"calbridge/wpstore/guard"
	"calbridge/wpstore/sqlconn/dialect"
)

const (
	// watchPause is the time between two looks at all servers, and thus the precision
	// of lags.
	watchPause = 500 * time.Millisecond
	// watchTimeout bounds each question of a look at a server.
	watchTimeout = time.Second
	// maxSamples bounds the positions that are remembered; the lag of a replica that
	// is behind all of them still grows, by the clock.
	maxSamples = 32
	// orphanTime is how long replicas are read from while the primary is away.
	orphanTime = 5 * time.Minute
	// watchTask is what the guard calls the work of a Watcher.
	watchTask = "looking at the database servers"
)

// WatcherConfig lists the servers that are watched.
type WatcherConfig struct {
	Primary  *Server
	Replicas []*Replica
	Dialect  dialect.Dialect
	// MaxLag is how far behind the primary a replica may be; 0 is not at all.
	MaxLag time.Duration
	// State gets the state of a replica after each look at it; it may be nil.
	State  func(name string, state ReplicaState)
	Logger *slog.Logger
	Guard  *guard.Guard
}

// ReplicaState is the state of a replica after a look at it.
type ReplicaState struct {
	// InUse: reads may go to it.
	InUse bool
	// Lag is how old the oldest transaction may be that the replica lacks, negative
	// while that is unknown.
	Lag time.Duration
}

// sample is a position of the primary and the time during which it was the latest.
type sample struct {
	Position
	first, last time.Time
}

// Watcher looks at the primary and all replicas again and again, and decides which
// replicas may be read from.
//
// It measures lag without a table of its own in the site's schema: it remembers the
// primary's positions with their times, and asks each replica which of them it has
// reached. What the replica lacks was committed after the last one's time. Only this
// machine's clock counts, and the lag of a replica whose replication has stopped
// grows.
type Watcher struct {
	cfg     WatcherConfig
	probe   *sql.DB // one connection to the primary
	samples []sample
	last    Node // the latest state of the primary
	// silent is since when the primary has not answered, zero when it has.
	silent time.Time
	ctx    context.Context
	stop   context.CancelFunc
	work   sync.WaitGroup
}

// WatchReplicas starts to look at servers, until Close.
func WatchReplicas(cfg WatcherConfig) *Watcher {
	w := &Watcher{cfg: cfg, probe: cfg.Primary.OpenProbe()}
	w.ctx, w.stop = context.WithCancel(context.Background())
	cfg.Guard.Loop(w.ctx, &w.work, watchTask, w.run)
	return w
}

func (w *Watcher) run(ctx context.Context) {
	tick := time.NewTicker(watchPause)
	defer tick.Stop()
	for {
		w.look()
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// Close ends it.
func (w *Watcher) Close() error {
	w.stop()
	w.work.Wait()
	return w.probe.Close()
}

// look asks the primary, then all replicas at once.
func (w *Watcher) look() {
	w.lookAtPrimary()
	var all sync.WaitGroup
	for _, r := range w.cfg.Replicas {
		w.cfg.Guard.Go(&all, watchTask, func() { w.judge(r, w.lookAt(r)) })
	}
	all.Wait()
}

func (w *Watcher) ask(probe *sql.DB) (Node, error) {
	ctx, cancel := context.WithTimeout(w.ctx, watchTimeout)
	defer cancel()
	return ReadNode(ctx, probe, w.cfg.Dialect)
}

func (w *Watcher) lookAtPrimary() {
	asked := time.Now()
	n, err := w.ask(w.probe)
	if err != nil {
		if w.silent.IsZero() {
			w.silent = asked
			w.cfg.Logger.Warn("the primary does not answer; replicas serve what they have", "for", orphanTime, "err", err)
		}
		return
	}
	if n.ReadOnly { // a new connection may reach the server that took over the address
		w.probe.SetMaxIdleConns(-1)
		w.probe.SetMaxIdleConns(1)
	}
	if n.ID != w.last.ID || n.ReadOnly != w.last.ReadOnly {
		w.cfg.Primary.Reconnect()
	}
	w.last = n
	if !w.silent.IsZero() {
		w.silent = time.Time{}
		w.cfg.Logger.Info("the primary answers again")
	}
	if last := len(w.samples) - 1; last >= 0 && w.samples[last].Position == n.Position {
		w.samples[last].last = asked
		return
	}
	if len(w.samples) == maxSamples {
		w.samples = append(w.samples[:0], w.samples[1:]...)
	}
	w.samples = append(w.samples, sample{n.Position, asked, asked})
}

// lookAt asks a replica how far it is. The error explains why it cannot be used.
func (w *Watcher) lookAt(r *Replica) error {
	n, err := w.ask(r.probe)
	if err != nil {
		return err
	}
	if len(w.samples) == 0 {
		return errors.New("nothing to compare with: the primary does not answer")
	}
	k, problem := n.Follows(w.last, w.cfg.Dialect)
	if problem != "" {
		return errors.New(problem)
	}
	reached, err := w.reached(r, n, k)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.follows = k
	if reached >= 0 && w.samples[reached].last.After(r.current) {
		r.current = w.samples[reached].last
	}
	return err
}

// reached returns the index of the last sample that the replica has reached, -1 for none.
func (w *Watcher) reached(r *Replica, n Node, k dialect.Kind) (int, error) {
	ctx, cancel := context.WithTimeout(w.ctx, watchTimeout)
	defer cancel()
	last := len(w.samples) - 1
	// Wait a moment: the primary's latest transaction may be on its way.
	if now, err := CaughtUp(ctx, r.probe, k, "replica.wait", w.samples[last].GTID, LatestWait); err == nil && now {
		return last, nil
	}
	if k == dialect.Galera {
		for ; last >= 0 && (w.samples[last].Cluster != n.Cluster || w.samples[last].Seqno > n.Seqno); last-- {
		}
		return last, nil
	}
	positions := make([]string, len(w.samples))
	has, into := make([]sql.NullInt64, len(positions)), make([]any, len(positions))
	for i, s := range w.samples {
		positions[i], into[i] = s.GTID, &has[i]
	}
	err := Ask(ctx, r.probe, "replica.applied", k.Applied(positions), func(rows *sql.Rows) error { return rows.Scan(into...) })
	for ; last >= 0 && (has[last].Int64 != 1 || positions[last] == ""); last-- {
	}
	return last, err
}

// judge takes a replica into use or out of it.
func (w *Watcher) judge(r *Replica, problem error) {
	state := ReplicaState{Lag: -1}
	r.mu.Lock()
	if n := len(w.samples); n > 0 && !r.current.IsZero() {
		state.Lag = max(0, w.samples[n-1].last.Sub(r.current))
	}
	banned := time.Now().Before(r.banned)
	k := r.follows
	if r.ban > 0 && time.Since(r.banned) > longestBan {
		r.ban = 0
	}
	r.mu.Unlock()
	most := w.cfg.MaxLag
	if most == 0 {
		most = LatestWait
	}
	switch {
	case problem != nil:
	case state.Lag < 0:
		problem = errors.New("it has not reached any position of the primary's yet")
	case state.Lag > most:
		problem = fmt.Errorf("it is %s behind", state.Lag.Round(time.Millisecond))
	case !w.silent.IsZero() && time.Since(w.silent) > orphanTime:
		problem = fmt.Errorf("the primary has been away for %s", orphanTime)
	}
	was := r.service.Load()
	state.InUse = problem == nil && !banned
	switch {
	case state.InUse && was != nil && was.Lag == state.Lag && was.By == k:
	case state.InUse && was != nil: // goes on, with what is new
		r.service.CompareAndSwap(was, &Service{was.Context, state.Lag, k, was.end})
	case state.InUse:
		ctx, end := context.WithCancelCause(context.Background())
		r.service.Store(&Service{ctx, state.Lag, k, end})
		w.cfg.Logger.Info("replica in use", "replica", r.Name, "addr", r.Driver.Addr, "lag", state.Lag, "by", string(k))
	case was != nil:
		r.service.CompareAndSwap(was, nil)
		was.end(ErrRetired)
		r.DropIdle()
		w.cfg.Logger.Warn("replica taken out", "replica", r.Name, "addr", r.Driver.Addr, "err", problem)
	}
	if w.cfg.State != nil && w.ctx.Err() == nil {
		w.cfg.State(r.Name, state)
	}
}
