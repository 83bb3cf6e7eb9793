package main

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
	"syscall"
	"time"

	"calbridge/rest/metrics"
	"calbridge/wpstore/sitedb"
)

// Limits of the HTTP servers. Answers may take as long as requests, plus the time
// that a slow client needs to read them.
const (
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
	slowClientTime    = 30 * time.Second
	maxHeaderBytes    = 64 << 10
	drainTime         = 10 * time.Second
)

// heapReserve, in bytes, is memory that is asked for and never used: it takes up
// addresses alone. The garbage collector, which runs whenever the heap has doubled,
// thus runs after that many bytes and not after the few that a server without a
// full cache has in use, which would be at every second answer.
const heapReserve = 32 << 20

// serveCommand answers the API of a site until it is told to stop.
func serveCommand(ctx context.Context, p *program, args []string) error {
	reread := func() (*configuration, error) { return configure(p, "serve", args, settingTable(), nil) }
	c, err := reread()
	if err != nil {
		return err
	}
	logger, flush := c.newLogger(p.stderr)
	defer flush()
	if !c.clock.IsZero() {
		logger.Warn("THE CLOCK STANDS STILL: every answer is as of this moment; use --clock only to replay recordings", "clock", c.clock.Format(time.RFC3339))
	}
	m := newMetrics()
	site, err := c.openSite(ctx, logger, m)
	if err != nil {
		return err
	}
	r := newRunning(p, c, site, m, logger)
	defer r.close()
	l, err := c.openListeners()
	if err != nil {
		return err
	}
	r.reread = reread
	return r.run(ctx, l)
}

// judge logs what is less than well, and refuses to serve what cannot be served.
func judge(logger *slog.Logger, findings sitedb.Report) error {
	var failed []error
	for _, f := range findings {
		switch f.Status {
		case sitedb.StatusFail:
			failed = append(failed, fmt.Errorf("%s: %s\n  %s", f.Name, f.Found, indented(f.Advice)))
		case sitedb.StatusWarn:
			logger.Warn(f.Found, "check", f.Name, "advice", f.Advice)
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("this site cannot be served:\n%w", errors.Join(failed...))
	}
	return nil
}

// running is a server at work.
type running struct {
	*settings
	site        liveSite
	metrics     *metrics.Metrics
	logger      *slog.Logger
	notifier    notifier
	certificate certificate
	limiter     *rateLimiter // nil without --rate-limit
	draining    state
	// reread reads the settings again for a reload; nil where there is none.
	reread func() (*configuration, error)
	// background is what closes earlier generations.
	background sync.WaitGroup
}

func newRunning(p *program, c *configuration, site *generation, m *metrics.Metrics, logger *slog.Logger) *running {
	r := &running{settings: &c.settings, metrics: m, logger: logger, notifier: newNotifier(p.getenv)}
	r.site.current = site
	r.certificate.expires = m.CertificateExpires
	if c.rateLimit > 0 {
		r.limiter = &rateLimiter{now: time.Now, rejected: func() { m.Rejected(metrics.OverRate) }, client: c.clientKey}
		r.limiter.set(c.rateLimit, c.rateBurst)
	}
	m.WatchReady(r.isReady)
	m.Reloaded(true)
	return r
}

// close lets go of the site. No request may be under way any more.
func (r *running) close() {
	r.background.Wait()
	if err := r.site.current.close(); err != nil {
		r.logger.Warn("closing the database", "err", err)
	}
}

// listeners are the open addresses; ops is nil without an ops listener.
type listeners struct{ api, ops net.Listener }

func (l listeners) close() {
	for _, one := range []net.Listener{l.api, l.ops} {
		if one != nil {
			one.Close()
		}
	}
}

func (s *settings) openListeners() (listeners, error) {
	var l listeners
	var err error
	if l.api, err = listen(s.listen, "listen"); err != nil {
		return l, err
	}
	if s.opsListen == "" {
		return l, nil
	}
	if l.ops, err = listen(s.opsListen, "ops-listen"); err != nil {
		l.close()
	}
	return l, err
}

// run answers until ctx ends, then lets requests finish. SIGHUP reloads.
func (r *running) run(ctx context.Context, l listeners) error {
	defer l.close()
	reserve := make([]byte, heapReserve)
	defer runtime.KeepAlive(reserve)
	go boundMemory(ctx, r.site.kept)
	api, err := r.newAPIServer()
	if err != nil {
		return err
	}
	overTLS := api.TLSConfig != nil // net/http gives it one of its own later
	servers := []*http.Server{api}
	failed := make(chan error, 2)
	ops := "off"
	if l.ops != nil {
		server := r.newServer(r.opsHandler())
		servers = append(servers, server)
		ops = l.ops.Addr().String()
		go func() { failed <- server.Serve(l.ops) }()
	}
	go func() {
		if overTLS {
			failed <- api.ServeTLS(l.api, "", "")
		} else {
			failed <- api.Serve(wholeAnswers{l.api})
		}
	}()
	hangups := make(chan os.Signal, 1)
	if r.reread != nil {
		signal.Notify(hangups, syscall.SIGHUP)
		defer signal.Stop(hangups)
	}
	store := r.site.current.store
	r.logger.Info("serving", "listen", l.api.Addr().String(), "ops", ops, "namespace", r.namespace,
		"engine", store.Engine(), "server", store.ServerVersion(), "compat", string(r.compat), "tls", overTLS)
	r.tell("READY=1", "STATUS=serving")
	for {
		select {
		case err := <-failed:
			return fmt.Errorf("serving stopped: %w", err)
		case <-hangups:
			r.reload(ctx)
		case <-ctx.Done():
			return r.drain(servers)
		}
	}
}

// tell tells the service manager.
func (r *running) tell(lines ...string) {
	if err := r.notifier.tell(lines...); err != nil {
		r.logger.Warn(err.Error())
	}
}

// drain turns unready, lets the requests under way finish, and closes.
func (r *running) drain(servers []*http.Server) error {
	r.logger.Info("stopping: requests under way may finish")
	r.draining.set()
	r.tell("STOPPING=1", "STATUS=letting requests finish")
	servers[0].SetKeepAlivesEnabled(false)
	time.Sleep(r.drainDelay)
	ctx, cancel := context.WithTimeout(context.Background(), r.longestAnswer()+drainTime)
	defer cancel()
	var errs []error
	for _, server := range servers { // the API first: the ops listener tells until the end
		if err := server.Shutdown(ctx); err != nil {
			errs = append(errs, fmt.Errorf("requests were cut off: %w", errors.Join(err, server.Close())))
		}
	}
	r.logger.Info("stopped")
	return errors.Join(errs...)
}

// newAPIServer returns the server of the API with its limits.
func (r *running) newAPIServer() (*http.Server, error) {
	h := http.Handler(&r.site)
	if r.limiter != nil {
		h = r.limiter.limit(h)
	}
	server := r.newServer(sendWhole(closeAfterChunks(r.metrics.InFlight(markRequests(h)))))
	server.ConnContext = inContext
	use, err := r.certificate.load(r.tlsCert, r.tlsKey)
	if err != nil {
		return nil, err
	}
	use()
	server.TLSConfig = r.certificate.config()
	server.ConnState = newConnLimit(r.maxConnections, func() { r.metrics.Rejected(metrics.OverConnections) }).observe
	return server, nil
}

// closeAfterChunks closes the connection after a request with a chunked body. Where
// such a request also had a Content-Length, a proxy that goes by the latter would
// take the rest of the body for the next request (request smuggling); net/http
// drops that header without a trace.
func closeAfterChunks(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 && r.ProtoMajor == 1 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

func (r *running) newServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       r.longestAnswer() + slowClientTime,
		WriteTimeout:      r.longestAnswer() + slowClientTime,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(r.logger.Handler(), slog.LevelDebug),
	}
}

// listen opens an address; the setting's name leads the error.
func listen(addr, setting string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--%s %s: %w. %s", setting, addr, err, adviseListen(err))
	}
	return l, nil
}

// adviseListen says what to do about an address that cannot be opened.
func adviseListen(err error) string {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return "Another program listens there: stop it or choose another port."
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "This machine has no such address."
	case errors.Is(err, syscall.EACCES):
		return "Ports below 1024 need privileges: choose another and let the web server pass requests on."
	}
	return "Choose another address."
}
