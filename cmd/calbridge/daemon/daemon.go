package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"calbridge/cmd/calbridge/console"
	"calbridge/cmd/calbridge/diffmode"
	"calbridge/cmd/calbridge/figures"
	"calbridge/cmd/calbridge/httpserver"
	"calbridge/cmd/calbridge/logging"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/cmd/calbridge/webhook"
	"calbridge/rest/metrics"
	"calbridge/rest/notice"
	"calbridge/rest/proof"
	"calbridge/wpstore/guard"
)

// drainTime bounds the wait of a stopping server for requests that exceed their longest permitted
// duration.
const drainTime = 10 * time.Second

// Config configures a Daemon.
type Config struct {
	Settings     *settings.Settings
	Metrics      *metrics.Metrics
	Logger       *slog.Logger
	NotifySocket string // of the service manager, "" without one
	// Front wraps the handler of the API, unless it is nil.
	Front func(http.Handler) http.Handler
	// Serving is called once the listeners are served, unless it is nil.
	Serving func()
	// Reread reads the settings again for a reload. It is nil if the settings cannot be
	// reread.
	Reread func() (*settings.Settings, error)
}

// Served is one site, or several of package sites, for a Daemon to serve. Its methods are safe for
// concurrent use.
type Served interface {
	http.Handler
	// Renew applies settings that were reread. If it fails, nothing changes.
	Renew(ctx context.Context, s *settings.Settings) error
	// Changed returns a channel that receives a value when Renew is necessary without new settings.
	Changed() <-chan struct{}
	// Ask returns the reason why requests can't be answered, or nil if they can.
	Ask(ctx context.Context) error
	// Parts and Database describe what is served; of several sites, the main one.
	Parts() site.Parts
	Database() (engine, version string)
	// Cached returns the size and the maximum size of the caches in bytes.
	Cached() (bytes, mayCache uint64)
	// Indexing returns how many events the indexes have read, and their total; 0 unless they are being
	// loaded.
	Indexing() (read, total int64)
	// Differences returns the fields in which responses of WordPress and calbridge have differed.
	Differences() []diffmode.Field
	// Proof returns what mode auto has proved, of several sites for the main one; ok is false in other modes.
	Proof() (report proof.Report, ok bool)
	// ProofOf returns what Proof returns of one of several sites. The name is "" if there is one. The error
	// explains why there is no such site, or why it can't be served.
	ProofOf(ctx context.Context, site string) (report proof.Report, ok bool, err error)
	// Sites returns those of several sites that were asked for since the start, and nil for one site.
	Sites() []figures.Site
	// Notice applies a notice of the companion plugin.
	Notice(n notice.Notice)
	// WebhookSites returns the sites of which webhooks tell, with the settings that are in force, and a
	// channel that is closed when they are others. The channel is nil if they never are.
	WebhookSites(s *settings.Settings) (sites []webhook.Site, changed <-chan struct{})
	// EndStreams ends the streams of changes.
	EndStreams()
	// Close closes all. No request may be in flight.
	Close() error
}

// Daemon serves a site, or several.
type Daemon struct {
	Config
	live        Served
	certificate *httpserver.Certificate
	limiter     *httpserver.Limiter // nil without --rate-limit
	console     *console.Console
	inForce     atomic.Pointer[settings.Settings] // the settings that were read last
	draining    atomic.Bool
	closing     sync.WaitGroup // counts the users of a site: the console
	guard       *guard.Guard
	webhooks    webhooks
}

// New returns a Daemon. Close closes what it serves.
func New(s Served, c Config) *Daemon {
	d := &Daemon{
		Config: c, live: s, certificate: httpserver.NewCertificate(c.Metrics.Process.CertificateExpires),
		guard: guard.New(c.Logger, func(string) { c.Metrics.Process.Panicked() }),
	}
	d.inForce.Store(c.Settings)
	d.console = console.New(console.Config{Gatherer: c.Metrics.Gatherer(), About: d.about, Differences: d.live.Differences, Proof: d.live.Proof, Sites: d.live.Sites, Now: time.Now, Logger: c.Logger})
	c.Metrics.Requests.Watch(d.console.Request)
	if limits := &c.Settings.Limits; limits.RequestsPerSecond > 0 {
		client := func(r *http.Request) string { return httpserver.ByAddress(d.inForce.Load().Listen.TrustedProxies)(r) }
		d.limiter = httpserver.NewLimiter(time.Now, client, func() { c.Metrics.Process.Rejected(metrics.OverRate) })
		d.limiter.Set(limits.RequestsPerSecond, limits.Burst)
	}
	c.Metrics.Process.WatchReady(func() bool { return d.ready(context.Background()) == nil })
	c.Metrics.Process.WatchMemoryLimit(func() (int64, bool) { return Allowed(os.DirFS("/")) })
	c.Metrics.Process.Reloaded(true)
	return d
}

// Close closes the site. No request may be in flight when it is called.
func (d *Daemon) Close() {
	d.closing.Wait()
	if err := d.live.Close(); err != nil {
		d.Logger.Warn("closing the database", "err", err)
	}
}

// Indexing returns the number of events that the event index has read, and their total. It
// returns 0 if the index isn't being loaded.
func (d *Daemon) Indexing() (read, total int64) { return d.live.Indexing() }

// Run serves until ctx ends. Then it waits for requests in flight and closes the listeners.
// SIGHUP triggers a reload.
func (d *Daemon) Run(ctx context.Context, l Listeners) error {
	defer l.Close()
	reserve := Reserve()
	defer runtime.KeepAlive(reserve)
	var bounding sync.WaitGroup
	defer bounding.Wait()
	bounded, unbound := context.WithCancel(ctx)
	defer unbound()
	d.guard.Loop(bounded, &bounding, "bounding the heap", func(ctx context.Context) { Bound(ctx, d.live.Cached) })
	api, err := d.newAPIServer()
	if err != nil {
		return err
	}
	overTLS := api.TLSConfig != nil // read before net/http sets its own
	servers := []*http.Server{api}
	failed := make(chan error, 2)
	ops := "off"
	if l.Ops != nil {
		server := httpserver.New(d.opsHandler(), d.Settings.LongestAnswer(), d.Logger)
		watching, stop := context.WithCancel(ctx)
		defer stop()
		server.RegisterOnShutdown(stop) // ends the streams, which don't end by themselves
		d.guard.Loop(watching, &d.closing, "collecting figures for the console", d.console.Run)
		servers = append(servers, server)
		ops = l.Ops.Addr().String()
		go func() { failed <- server.Serve(l.Ops) }()
	}
	go func() { failed <- httpserver.Serve(api, l.API) }()
	hangups := make(chan os.Signal, 1)
	if d.Reread != nil {
		signal.Notify(hangups, syscall.SIGHUP)
		defer signal.Stop(hangups)
	}
	if err := d.startWebhooks(ctx, d.Settings); err != nil {
		return err
	}
	defer d.stopWebhooks()
	engine, version := d.live.Database()
	about := []any{"listen", l.API.Addr().String(), "ops", ops, "namespace", d.Settings.API.Namespace,
		"engine", engine, "server", version, "compat", string(d.Settings.API.Compat), "tls", overTLS}
	if d.Settings.Extends() {
		about = append(about, "docs", "/"+d.Settings.API.RESTPrefix+"/"+d.Settings.API.Namespace+"/docs")
	}
	d.Logger.Info("serving", about...)
	if d.Serving != nil {
		d.Serving()
	}
	d.notify("READY=1", "STATUS=serving")
	for {
		select {
		case err := <-failed:
			return fmt.Errorf("serving stopped: %w", err)
		case <-hangups:
			d.reload(ctx)
		case <-d.live.Changed():
			if d.Reread != nil {
				d.reload(ctx)
			}
		case <-ctx.Done():
			return d.drain(servers)
		}
	}
}

// notify sends lines to the service manager.
func (d *Daemon) notify(lines ...string) {
	if err := notify(d.NotifySocket, lines...); err != nil {
		d.Logger.Warn(err.Error())
	}
}

// drain reports "not ready", waits for requests in flight and closes the servers.
func (d *Daemon) drain(servers []*http.Server) error {
	d.Logger.Info("stopping: waiting for requests in flight")
	d.draining.Store(true)
	d.notify("STOPPING=1", "STATUS=letting requests finish")
	d.live.EndStreams() // the clients reconnect, perhaps to another process
	inForce := d.inForce.Load()
	time.Sleep(inForce.Listen.DrainDelay)
	ctx, cancel := context.WithTimeout(context.Background(), max(inForce.LongestAnswer(), d.Settings.LongestAnswer())+drainTime)
	defer cancel()
	var errs []error
	for _, server := range servers { // the API first, so that /readyz works until the end
		if err := server.Shutdown(ctx); err != nil {
			errs = append(errs, fmt.Errorf("requests were interrupted: %w", errors.Join(err, server.Close())))
		}
	}
	d.Logger.Info("stopped")
	return errors.Join(errs...)
}

// newAPIServer returns the HTTP server of the API with its limits.
func (d *Daemon) newAPIServer() (*http.Server, error) {
	h := http.Handler(d.live)
	if d.Front != nil {
		h = d.Front(h)
	}
	if d.limiter != nil {
		h = d.limiter.Handler(h)
	}
	use, err := d.certificate.Load(d.Settings.Listen.TLSCert, d.Settings.Listen.TLSKey)
	if err != nil {
		return nil, err
	}
	use()
	server := httpserver.New(d.Metrics.Requests.InFlight(logging.Mark(d.closeDraining(d.extend(h)))), d.Settings.LongestAnswer(), d.Logger)
	httpserver.Harden(server, d.certificate, d.Settings.Limits.MaxConnections, func() { d.Metrics.Process.Rejected(metrics.OverConnections) })
	return server, nil
}

// extend gives each request the time that the current settings allow. The server itself has
// the limits of the start.
func (d *Daemon) extend(next http.Handler) http.Handler {
	atStart := d.Settings.LongestAnswer()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if longest := d.inForce.Load().LongestAnswer(); longest != atStart {
			httpserver.Extend(w, longest)
		}
		next.ServeHTTP(w, r)
	})
}

// closeDraining closes each connection after its next response once the process is stopping.
// Idle connections stay open until then, because a load balancer may be about to send a
// request.
func (d *Daemon) closeDraining(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.draining.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// Listeners holds the open listeners. Ops may be nil.
type Listeners struct{ API, Ops net.Listener }

// Listen opens the listeners.
func Listen(s settings.Listen) (Listeners, error) {
	var l Listeners
	var err error
	if l.API, err = httpserver.Listen(s.API, "listen"); err != nil {
		return l, err
	}
	if s.Ops == "" {
		return l, nil
	}
	if l.Ops, err = httpserver.Listen(s.Ops, "ops-listen"); err != nil {
		l.Close()
	}
	return l, err
}

// Close closes the listeners.
func (l Listeners) Close() {
	for _, one := range []net.Listener{l.API, l.Ops} {
		if one != nil {
			one.Close()
		}
	}
}
