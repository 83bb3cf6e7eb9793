package metrics

import (
	"database/sql"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/sqlconn/server"
)

// Servers are the metrics of database servers and their connection pools, by server. They are
// safe for concurrent use.
type Servers struct {
	statements, waited *prometheus.CounterVec
	lag, inUse         *prometheus.GaugeVec

	bound sync.Map // serverCounters by server, which cost a look-up by hashes

	registry prometheus.Registerer

	mu      sync.Mutex
	pools   map[*sql.DB]*pool
	servers map[string]int // the number of pools that are watched, by server
}

// pool is a connection pool whose statistics are collected.
type pool struct {
	collector prometheus.Collector
	users     int // sites
}

func newServers(f factory) *Servers {
	return &Servers{
		registry: f.registry, pools: map[*sql.DB]*pool{}, servers: map[string]int{},
		statements: f.counter("db_statements_total", "Statements outside of transactions, and transactions, by the server that was asked.", "server"),
		waited:     f.counter("db_wait_seconds_total", "Time that they waited because all connections to the server were in use.", "server"),
		lag:        f.gauge("db_server_lag_seconds", "How old the oldest transaction may be that a replica lacks; +Inf while that is not known, 0 for the primary.", "server"),
		inUse:      f.gauge("db_server_in_use", "Whether a replica is read from; always 1 for the primary.", "server"),
	}
}

// Statement counts a statement or transaction; it fits sitedb.Config.ObserveServer.
func (s *Servers) Statement(server string, waited time.Duration) {
	bound, ok := s.bound.Load(server)
	if !ok {
		bound = serverCounters{s.statements.WithLabelValues(server), s.waited.WithLabelValues(server)}
		s.bound.Store(server, bound)
	}
	counters := bound.(serverCounters)
	counters.statements.Inc()
	if waited != 0 {
		counters.waited.Add(waited.Seconds())
	}
}

type serverCounters struct{ statements, waited prometheus.Counter }

// Replica records the state of a replica; it fits sitedb.Config.ReplicaState.
func (s *Servers) Replica(name string, state server.ReplicaState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.servers[name] > 0 { // else the site is being closed after a reload
		s.show(name, state)
	}
}

func (s *Servers) show(name string, state server.ReplicaState) {
	lag := state.Lag.Seconds()
	if state.Lag < 0 {
		lag = math.Inf(1)
	}
	s.lag.WithLabelValues(name).Set(lag)
	s.inUse.WithLabelValues(name).Set(number(state.InUse))
}

// WatchPools adds the statistics of a site's connection pools, by server, until stop is called. Sites may
// share pools. Pools of further databases have numbers behind the name of the server.
func (s *Servers) WatchPools(pools map[string]*sql.DB) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(pools)) {
		s.watch(name, pools[name])
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for name, of := range pools {
			s.unwatch(name, of)
		}
	}
}

func (s *Servers) watch(name string, of *sql.DB) {
	if s.servers[name]++; s.servers[name] == 1 {
		s.statements.WithLabelValues(name)
		s.waited.WithLabelValues(name)
		state := server.ReplicaState{Lag: -1}
		if name == sqlconn.PrimaryName {
			state = server.ReplicaState{InUse: true}
		}
		s.show(name, state)
	}
	p := s.pools[of]
	if p == nil {
		p = &pool{}
		s.pools[of] = p
		for n := 1; p.collector == nil; n++ {
			label := name
			if n > 1 {
				label = fmt.Sprint(name, " ", n)
			}
			if c := collectors.NewDBStatsCollector(of, label); s.registry.Register(c) == nil {
				p.collector = c
			}
		}
	}
	p.users++
}

func (s *Servers) unwatch(name string, of *sql.DB) {
	if s.servers[name]--; s.servers[name] == 0 {
		s.lag.DeleteLabelValues(name)
		s.inUse.DeleteLabelValues(name)
	}
	p := s.pools[of]
	if p.users--; p.users == 0 {
		s.registry.Unregister(p.collector)
		delete(s.pools, of)
	}
}
