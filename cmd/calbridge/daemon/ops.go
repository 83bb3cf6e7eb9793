package daemon

import (
	"context"
	"fmt"
	"net/http"
	"net/http/pprof"
	"runtime"
	"time"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/companion"
)

// ReadyTimeout bounds the question to the database behind /readyz.
const ReadyTimeout = 2 * time.Second

// sampledBytes is Go's default: about one allocation in so many bytes is noted for
// the profile of allocations.
const sampledBytes = 512 << 10

// opsHandler answers those who run the server: /healthz says that the process
// lives, /readyz whether requests can be answered now.
func (d *Daemon) opsHandler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", d.Metrics.Handler())
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", d.answerReady)
	mux.HandleFunc("GET /version", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, buildinfo.This().String()) })
	if notices := companion.NewHandler(d.Settings.Companion.Secret, d.live.Notice, d.Logger); notices != nil {
		mux.Handle(companion.NoticesPath, notices)
	}
	if d.Settings.Listen.Pprof {
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
func (d *Daemon) isReady() bool {
	ctx, cancel := context.WithTimeout(context.Background(), ReadyTimeout)
	defer cancel()
	return !d.draining.Load() && d.live.Ask(ctx) == nil
}

func (d *Daemon) answerReady(w http.ResponseWriter, req *http.Request) {
	if d.draining.Load() {
		answer(w, http.StatusServiceUnavailable, "stopping")
		return
	}
	ctx, cancel := context.WithTimeout(req.Context(), ReadyTimeout)
	defer cancel()
	if err := d.live.Ask(ctx); err != nil {
		d.Logger.Warn("not ready", "err", err)
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
