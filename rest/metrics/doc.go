// Package metrics counts what the server does, for Prometheus. It has its own registry, and no
// label holds a value that a client can invent.
//
//   - metrics.go: [Metrics], all of them, and what serves them
//   - requests.go: requests, errors and logins
//   - queries.go: database queries, whose times are collected
//   - servers.go: database servers and their connection pools
//   - caches.go: caches, and what invalidates them
//   - streams.go: streams of changes, tokens, the journal
//   - webhooks.go: deliveries of webhooks
//   - purges.go: purges of caches in front
//   - process.go: limits, reloads, certificate, readiness
//   - rollout.go: WordPress behind --upstream, and comparisons
//   - proof.go: what mode auto has proved, and who answers
//   - factory.go: how a metric is made; figures.go: metrics that are read at a scrape
//
// A caller receives only the part that it counts with, not all metrics.
//
// It turns observations of rest, rollout and wpstore into a handler for /metrics. The package must
// not import rest's root or anything of cmd.
package metrics
