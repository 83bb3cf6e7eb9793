package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"time"
)

// rival is a server that rivals measures.
type rival struct {
	name   string
	target target
	base   string // path of the namespace
}

// rivalsCommand measures a reference, the reference behind nginx's cache, and calbridge.
func rivalsCommand(ctx context.Context, args []string, out, log io.Writer) error {
	flags := newFlags("rivals", log)
	dsn := flags.String("dsn", "", "generated calendar, which is changed (default: one is generated on a private server)")
	against := flags.String("against", "", "URL of the namespace at the reference, over the database of --dsn: http://host:port/wp-json/calendar/events/v1 (default: a stand-in, calbridge without caches and with --delay)")
	delay := flags.Duration("delay", 100*time.Millisecond, "how long the stand-in waits before each response, as PHP would compute")
	program := flags.String("calbridge", "", "the server's program (default: built from source)")
	nginx := flags.String("nginx", "nginx", "nginx's program; empty leaves out the servers behind its cache")
	asJSON := flags.Bool("json", false, "one JSON object a line instead of a table")
	var v rivalry
	flags.IntVar(&v.events, "events", 10_000, "how many events the calendar has")
	flags.IntVar(&v.addresses, "addresses", 2000, "addresses of the long tail")
	flags.IntVar(&v.pages, "pages", 50, "most pages of the crawl")
	flags.DurationVar(&v.long, "for", 5*time.Second, "time of each load of repeated reads, and of writes")
	flags.DurationVar(&v.tail, "tail", 20*time.Second, "time of the long tail")
	flags.DurationVar(&v.stale, "stale", 10*time.Second, "time of the edits")
	flags.DurationVar(&v.every, "every", time.Second, "time between two edits")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if v.events < 1 || v.addresses < 1 || v.pages < 1 || v.every <= 0 {
		return errors.New("rivals: --events, --addresses and --pages are at least 1, and --every is longer than 0s")
	}
	given, base, err := parseReference(*against)
	if err != nil {
		return err
	}
	dir, db, done, err := prepareEdits(ctx, program, dsn, v.events, log)
	if err != nil {
		return err
	}
	defer done()
	v.log = log
	v.edit = func(ctx context.Context, id int, title string) error {
		return execAll(ctx, db, []sqlStatement{{"UPDATE " + tablePrefix + "posts SET post_title = ?, post_modified_gmt = UTC_TIMESTAMP() WHERE ID = ?", []any{title, id}}})
	}
	serve := append(serveCalendar(*dsn), "--application-passwords", "on")
	reference := rival{"reference", given, base}
	stop := func() {}
	if *against == "" {
		reference, stop, err = standIn(ctx, *program, slices.Concat(serve, []string{"--cache", "off"}), *delay)
		if err != nil {
			return err
		}
		fmt.Fprintf(log, "there is no --against: the reference is calbridge with --cache off that waits %s before each response, not WordPress\n", *delay)
	}
	defer func() { stop() }()
	fmt.Fprintln(log, "load average", loadAverage())
	results, err := v.run(ctx, reference)
	if err != nil {
		return err
	}
	if *nginx != "" {
		for _, valid := range []time.Duration{time.Minute, time.Second} {
			cached, end, err := startMicroCache(ctx, *nginx, dir, reference, valid)
			if err != nil {
				return err
			}
			some, err := v.run(ctx, cached)
			end()
			if err != nil {
				return err
			}
			results = append(results, some...)
		}
	}
	stop()
	stop = func() {}
	server, err := startChild(ctx, *program, slices.Concat(serve, flags.Args())...)
	if err != nil {
		return err
	}
	defer server.stop()
	if err := awaitIndex(ctx, server.ops, log); err != nil {
		return err
	}
	some, err := v.run(ctx, rival{"calbridge", target{addr: server.addr}, namespacePath})
	if err != nil {
		return err
	}
	fmt.Fprintln(log, "load average", loadAverage())
	return writeRivals(out, *asJSON, append(results, some...))
}

// standIn starts calbridge behind a proxy that waits before each request. stop ends both.
func standIn(ctx context.Context, program string, args []string, delay time.Duration) (r rival, stop func(), err error) {
	server, err := startChild(ctx, program, args...)
	if err != nil {
		return r, nil, err
	}
	proxy, err := delayed(server.addr, delay)
	if err != nil {
		server.stop()
		return r, nil, err
	}
	name := fmt.Sprintf("stand-in, %s", delay)
	return rival{name, target{addr: proxy.Addr}, namespacePath}, func() { proxy.Close(); server.stop() }, nil
}

// delayed starts a proxy before the server at addr. It waits before it passes a request on.
func delayed(addr string, delay time.Duration) (*http.Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	to := &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: "http", Host: addr}); r.Out.Host = r.In.Host },
		Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
	}
	server := &http.Server{Addr: listener.Addr().String(), ReadHeaderTimeout: answerTimeout, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(delay)
		to.ServeHTTP(w, r)
	})}
	go func() { _ = server.Serve(listener) }()
	return server, nil
}
