package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/pprof"
	"runtime"
	"time"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/companion"
	"calbridge/cmd/calbridge/console"
	"calbridge/cmd/calbridge/httpserver"
)

// ReadyTimeout limits the query behind /readyz.
const ReadyTimeout = 2 * time.Second

// sampledBytes is the default of Go's runtime.MemProfileRate.
const sampledBytes = 512 << 10

// opsHandler returns the handler for operators. /healthz reports that the process is alive,
// /readyz that it can serve requests. The handler accepts only IP addresses, localhost and the
// names in --ops-hosts as Host.
func (d *Daemon) opsHandler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", d.Metrics.Handler())
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", d.answerReady)
	mux.HandleFunc("GET /version", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, buildinfo.This().String()) })
	mux.HandleFunc("GET /proof", d.answerProof)
	mux.HandleFunc("GET /webhooks", d.answerWebhooks)
	mux.HandleFunc("POST /webhooks/replay", d.answerReplay)
	mux.Handle(console.Path, d.console.Handler())
	mux.Handle("GET /{$}", http.RedirectHandler(console.Path, http.StatusFound))
	mux.Handle(companion.NoticesPath, companion.NewHandler(func() string { return d.inForce.Load().Companion.Secret }, d.live.Notice, d.Logger))
	if d.Settings.Listen.Pprof {
		runtime.MemProfileRate = sampledBytes
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hosts := httpserver.NewHosts(d.Settings.Listen.Ops, d.inForce.Load().Listen.OpsHosts, "--ops-hosts")
		hosts.Handler(mux).ServeHTTP(w, r)
	})
}

// about describes the instance for the console.
func (d *Daemon) about() console.About {
	parts := d.live.Parts()
	engine, version := d.live.Database()
	about := console.About{
		Build: buildinfo.This().String(), Site: parts.Home, Namespace: d.inForce.Load().API.Namespace, Database: engine + " " + version,
		Findings: parts.Findings, Facts: parts.Facts,
	}
	for _, v := range d.inForce.Load().List() {
		about.Settings = append(about.Settings, console.Setting{Group: string(v.Group), Name: v.Name, Value: v.Text, Source: v.Source, Default: v.Default})
	}
	return about
}

var errStopping = errors.New("stopping")

// ready returns the reason why requests can't be served, or nil if they can.
func (d *Daemon) ready(ctx context.Context) error {
	if d.draining.Load() {
		return errStopping
	}
	ctx, cancel := context.WithTimeout(ctx, ReadyTimeout)
	defer cancel()
	return d.live.Ask(ctx)
}

func (d *Daemon) answerReady(w http.ResponseWriter, req *http.Request) {
	switch err := d.ready(req.Context()); err {
	case nil:
		answer(w, http.StatusOK, "ready")
	case errStopping:
		answer(w, http.StatusServiceUnavailable, "stopping")
	default:
		d.Logger.Warn("not ready", "err", err)
		answer(w, http.StatusServiceUnavailable, "the database does not answer as it should; see the log")
	}
}

// answerProof responds with what mode auto has proved, or with what mode native keeps of WordPress's
// rendering. The parameter site names one of several sites; a name that can't be resolved is answered with 400.
func (d *Daemon) answerProof(w http.ResponseWriter, r *http.Request) {
	report, ok, err := d.live.ProofOf(r.Context(), r.URL.Query().Get("site"))
	usage := cmdline.UsageError{}
	switch {
	case errors.As(err, &usage):
		answer(w, http.StatusBadRequest, err.Error())
		return
	case err != nil:
		answer(w, http.StatusServiceUnavailable, err.Error())
		return
	case !ok:
		answer(w, http.StatusNotFound, "nothing is compared with WordPress: serve with --mode auto, or with --mode native, --upstream and a companion plugin")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(report)
}

func answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	fmt.Fprintln(w, text)
}
