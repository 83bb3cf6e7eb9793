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

// databases holds the figures about servers and their connections.
type databases struct {
	statements *prometheus.CounterVec // server
	waited     *prometheus.CounterVec // server
	lag        *prometheus.GaugeVec   // server
	inUse      *prometheus.GaugeVec   // server

	mu       sync.Mutex
	registry *prometheus.Registry
	pools    []prometheus.Collector
	servers  map[string]bool
}

func newDatabases(registry *prometheus.Registry) *databases {
	d := &databases{
		registry: registry, servers: map[string]bool{},
		statements: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "db_statements_total", Help: "Statements outside of transactions, and transactions, by the server that was asked.",
		}, []string{"server"}),
		waited: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "db_wait_seconds_total", Help: "Time that they waited because all connections to the server were in use.",
		}, []string{"server"}),
		lag: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: namespace, Name: "db_server_lag_seconds", Help: "How old the oldest transaction may be that a replica lacks; +Inf while that is not known, 0 for the primary.",
		}, []string{"server"}),
		inUse: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: namespace, Name: "db_server_in_use", Help: "Whether a replica is read from; always 1 for the primary.",
		}, []string{"server"}),
	}
	registry.MustRegister(d.statements, d.waited, d.lag, d.inUse)
	return d
}

// Statement takes note of a statement or transaction; it fits
// sitedb.Config.ObserveServer.
func (m *Metrics) Statement(server string, waited time.Duration) {
	m.db.statements.WithLabelValues(server).Inc()
	m.db.waited.WithLabelValues(server).Add(waited.Seconds())
}

// Replica takes note of a look at a replica; it fits sitedb.Config.ReplicaState.
func (m *Metrics) Replica(name string, state sqlconn.ReplicaState) {
	m.db.mu.Lock()
	defer m.db.mu.Unlock()
	if !m.db.servers[name] {
		return // of a generation that is being closed
	}
	m.db.show(name, state)
}

func (d *databases) show(name string, state sqlconn.ReplicaState) {
	lag, used := state.Lag.Seconds(), 0.0
	if state.Lag < 0 {
		lag = math.Inf(1)
	}
	if state.InUse {
		used = 1
	}
	d.lag.WithLabelValues(name).Set(lag)
	d.inUse.WithLabelValues(name).Set(used)
}

// WatchPools adds the statistics of the pools of a site, by the names of their
// servers. They take the place of those before.
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
