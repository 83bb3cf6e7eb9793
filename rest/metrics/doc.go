// Package metrics counts what the server does, for Prometheus. It has a registry
// of its own; no label ever holds what a client can invent.
package metrics
