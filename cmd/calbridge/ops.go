package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/pprof"
	"runtime"
	"sync/atomic"
	"time"

	"calbridge/rest/metrics"
)

// state is a flag that turns true once.
type state struct{ on atomic.Bool }

func (s *state) set()      { s.on.Store(true) }
func (s *state) get() bool { return s.on.Load() }

// newMetrics returns the metrics of this build.
func newMetrics() *metrics.Metrics {
	b := thisBuild()
	return metrics.New(metrics.Build{Version: b.version, Revision: b.revision, GoVersion: b.goVersion})
}

// readyTimeout bounds the question to the database behind /readyz.
const readyTimeout = 2 * time.Second

// sampledBytes is Go's default: about one allocation in so many bytes is noted for
// the profile of allocations.
const sampledBytes = 512 << 10

// opsHandler answers those who run the server: /healthz says that the process
// lives, /readyz whether requests can be answered now.
func (r *running) opsHandler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", r.metrics.Handler())
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", r.answerReady)
	mux.HandleFunc("GET /version", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, thisBuild().String()) })
	if notices := r.noticeHandler(); notices != nil {
		mux.Handle(noticesPath, notices)
	}
	if r.pprof {
		runtime.MemProfileRate = sampledBytes
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	return mux
}

// isReady says whether requests can be answered now, for the metrics.
func (r *running) isReady() bool {
	ctx, cancel := context.WithTimeout(context.Background(), readyTimeout)
	defer cancel()
	return !r.draining.get() && r.site.ask(ctx) == nil
}

func (r *running) answerReady(w http.ResponseWriter, req *http.Request) {
	if r.draining.get() {
		answer(w, http.StatusServiceUnavailable, "stopping")
		return
	}
	ctx, cancel := context.WithTimeout(req.Context(), readyTimeout)
	defer cancel()
	if err := r.site.ask(ctx); err != nil {
		r.logger.Warn("not ready", "err", err)
		answer(w, http.StatusServiceUnavailable, "the database does not answer as it should; the log tells more")
		return
	}
	answer(w, http.StatusOK, "ready")
}

func answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	fmt.Fprintln(w, text)
}
