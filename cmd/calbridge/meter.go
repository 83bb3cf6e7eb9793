package main

import (
	"database/sql"
	"net/http"
	"time"

	"calbridge/rest"
)

// meter takes note of what the server does.
type meter interface {
	Request(*rest.Observation)
	Query(name string, took time.Duration, err error)
	WatchPool(db *sql.DB, name string)
	InFlight(next http.Handler) http.Handler
	Handler() http.Handler
}
