// Package metrics counts what the server does, for Prometheus. It has a registry of its
// own, and no label holds a value that a client can invent.
//
//   - metrics.go: Metrics: requests, logins, errors, database queries
//   - cache.go: caches and the binary log; database.go: servers and connection pools
//   - rollout.go: WordPress behind --upstream, and comparisons
//   - process.go: limits, reloads, certificate, readiness
//
// In come observations of rest, rollout and wpstore; out goes a handler for /metrics. The
// package must not import rest's root or anything of cmd.
package metrics
