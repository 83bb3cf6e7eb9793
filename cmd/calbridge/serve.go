package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"

	"calbridge/rest"
	"calbridge/rest/metrics"
	"calbridge/wpstore"
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

// serveCommand answers the API of a site until it is told to stop.
func serveCommand(ctx context.Context, p *program, args []string) error {
	c, err := configure(p, "serve", args, settingTable(), nil)
	if err != nil {
		return err
	}
	return serve(ctx, p, c)
}

// serve checks everything, listens and answers.
func serve(ctx context.Context, p *program, c *configuration) error {
	logger := c.newLogger(p.stderr)
	if !c.clock.IsZero() {
		logger.Warn("THE CLOCK STANDS STILL: every answer is as of this moment; use --clock only to replay recordings", "clock", c.clock.Format(time.RFC3339))
	}
	m := newMetrics()
	findings := c.settingsFindings()
	profile, err := c.loadProfile()
	if err != nil {
		return err
	}
	store, databaseFindings, err := c.openDatabase(ctx, logger, m.Query)
	if err != nil {
		return err
	}
	defer store.Close()
	findings = append(findings, databaseFindings...)
	if err := judge(logger, findings); err != nil {
		return err
	}
	m.WatchPool(store.SQL(), "wordpress")
	facts, err := store.SiteFacts(ctx)
	if err != nil {
		return fmt.Errorf("read the site's options: %w", err)
	}
	kind, _ := c.themeKind(facts.Template)
	api := rest.New(store, c.restConfig(logger, c.themeFacts(kind), profile, func(o *rest.Observation) {
		m.Request(o)
		logRequest(logger, o)
	}))
	defer api.Close()
	listeners, err := c.openListeners()
	if err != nil {
		return err
	}
	r := &running{settings: &c.settings, store: store, metrics: m, logger: logger, api: api}
	return r.run(ctx, listeners)
}

// judge logs what is less than well, and refuses to serve what cannot be served.
func judge(logger *slog.Logger, findings wpstore.Report) error {
	var failed []error
	for _, f := range findings {
		switch f.Status {
		case wpstore.StatusFail:
			failed = append(failed, fmt.Errorf("%s: %s\n  %s", f.Name, f.Found, indented(f.Advice)))
		case wpstore.StatusWarn:
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
	store    *wpstore.DB
	metrics  *metrics.Metrics
	logger   *slog.Logger
	api      http.Handler
	draining state
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

// run answers until ctx ends, then lets requests finish.
func (r *running) run(ctx context.Context, l listeners) error {
	defer l.close()
	servers := []*http.Server{r.newServer(r.metrics.InFlight(markRequests(r.api)))}
	open := []net.Listener{l.api}
	ops := "off"
	if l.ops != nil {
		servers = append(servers, r.newServer(r.opsHandler()))
		open = append(open, l.ops)
		ops = l.ops.Addr().String()
	}
	failed := make(chan error, len(servers))
	for i, server := range servers {
		go func() { failed <- server.Serve(open[i]) }()
	}
	r.logger.Info("serving", "listen", l.api.Addr().String(), "ops", ops, "namespace", r.namespace,
		"engine", r.store.Engine(), "server", r.store.ServerVersion(), "compat", string(r.compat))
	select {
	case err := <-failed:
		return fmt.Errorf("serving stopped: %w", err)
	case <-ctx.Done():
	}
	return r.drain(servers)
}

// drain turns unready, lets the requests under way finish, and closes.
func (r *running) drain(servers []*http.Server) error {
	r.logger.Info("stopping: requests under way may finish")
	r.draining.set()
	ctx, cancel := context.WithTimeout(context.Background(), r.requestTimeout+drainTime)
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

func (r *running) newServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       r.requestTimeout + slowClientTime,
		WriteTimeout:      r.requestTimeout + slowClientTime,
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
