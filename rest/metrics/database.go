package metrics

import (
	"database/sql"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"calbridge/wpstore/sqlconn"
)

// databases holds the metrics of servers and their connection pools, by server.
type databases struct {
	statements, waited *prometheus.CounterVec
	lag, inUse         *prometheus.GaugeVec

	bound sync.Map // serverCounters by server, which cost a look-up by hashes

	mu       sync.Mutex
	registry *prometheus.Registry
	pools    []prometheus.Collector
	servers  map[string]bool
}

func newDatabases(f factory, registry *prometheus.Registry) *databases {
	return &databases{
		registry: registry, servers: map[string]bool{},
		statements: f.counter("db_statements_total", "Statements outside of transactions, and transactions, by the server that was asked.", "server"),
		waited:     f.counter("db_wait_seconds_total", "Time that they waited because all connections to the server were in use.", "server"),
		lag:        f.gauge("db_server_lag_seconds", "How old the oldest transaction may be that a replica lacks; +Inf while that is not known, 0 for the primary.", "server"),
		inUse:      f.gauge("db_server_in_use", "Whether a replica is read from; always 1 for the primary.", "server"),
	}
}

// Statement counts a statement or transaction; it fits sitedb.Config.ObserveServer.
func (m *Metrics) Statement(server string, waited time.Duration) {
	bound, ok := m.db.bound.Load(server)
	if !ok {
		bound = serverCounters{m.db.statements.WithLabelValues(server), m.db.waited.WithLabelValues(server)}
		m.db.bound.Store(server, bound)
	}
	counters := bound.(serverCounters)
	counters.statements.Inc()
	if waited != 0 {
		counters.waited.Add(waited.Seconds())
	}
}

type serverCounters struct{ statements, waited prometheus.Counter }

// Replica records the state of a replica; it fits sitedb.Config.ReplicaState.
func (m *Metrics) Replica(name string, state sqlconn.ReplicaState) {
	m.db.mu.Lock()
	defer m.db.mu.Unlock()
	if m.db.servers[name] { // else the site is being closed after a reload
		m.db.show(name, state)
	}
}

func (d *databases) show(name string, state sqlconn.ReplicaState) {
	lag := state.Lag.Seconds()
	if state.Lag < 0 {
		lag = math.Inf(1)
	}
	d.lag.WithLabelValues(name).Set(lag)
	d.inUse.WithLabelValues(name).Set(number(state.InUse))
}

// WatchPools adds the statistics of a site's connection pools, by server. They replace
// those of an earlier call.
func (m *Metrics) WatchPools(pools map[string]*sql.DB) {
	d := m.db
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, last := range d.pools {
		d.registry.Unregister(last)
	}
	d.pools, d.servers = nil, map[string]bool{}
	d.lag.Reset()
	d.inUse.Reset()
	for _, name := range slices.Sorted(maps.Keys(pools)) {
		c := collectors.NewDBStatsCollector(pools[name], name)
		d.registry.MustRegister(c)
		d.pools = append(d.pools, c)
		d.servers[name] = true
		d.statements.WithLabelValues(name)
		d.waited.WithLabelValues(name)
		state := sqlconn.ReplicaState{Lag: -1}
		if name == sqlconn.PrimaryName {
			state = sqlconn.ReplicaState{InUse: true}
		}
		d.show(name, state)
	}
}
