//go:build !prometheus

package main

import (
	"database/sql"
	"net/http"
	"time"

	"calbridge/rest"
)

// noMeter stands in where the program is built without Prometheus.
type noMeter struct{}

func newMeter() meter { return noMeter{} }

func (noMeter) Request(*rest.Observation)               {}
func (noMeter) Query(string, time.Duration, error)      {}
func (noMeter) WatchPool(*sql.DB, string)               {}
func (noMeter) InFlight(next http.Handler) http.Handler { return next }
func (noMeter) Handler() http.Handler                   { return http.NotFoundHandler() }
