package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"calbridge/wpstore/synthetic"
)

// These are the names of calbridge with each setting of --cache.
const (
	uncached = "calbridge"
	cached   = "from memory"
	strict   = "strictly"
)

// ratiosCommand compares calbridge with the floors in one run.
func ratiosCommand(ctx context.Context, args []string, out, log io.Writer) error {
	flags := newFlags("ratios", log)
	dsn := flags.String("dsn", "", "generated calendar (default: one is generated on a private server)")
	events := flags.Int("events", 10_000, "how many events")
	program := flags.String("calbridge", "", "the server's program (default: built from source)")
	least := flags.Int("requests", 200, "requests of each load")
	concurrency := flags.Int("concurrency", 1, "connections at a time")
	rounds := flags.Int("rounds", 5, "how often to measure all in turn; the round with the least CPU counts")
	asJSON := flags.Bool("json", false, "one JSON object a line instead of tables")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dir, remove, err := prepare(ctx, program, dsn, *events, log)
	if err != nil {
		return err
	}
	defer remove()
	serve := append(serveCalendar(*dsn), flags.Args()...)
	answers := filepath.Join(dir, "answers.json")
	recordings, err := recordAnswers(ctx, *program, append(slices.Clone(serve), "--cache", "off"), *dsn, answers)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	floorArgs := func(mode string) []string {
		return []string{"floor", "--dsn", *dsn, "--answers", answers, "--mode", mode}
	}
	with := func(mode string) []string { return append(slices.Clone(serve), "--cache", mode) }
	c := &comparison{recordings: recordings, least: *least, concurrency: *concurrency, best: map[[2]string]result{}, servers: []candidate{
		{bare, self, floorArgs(bare)}, {hydrate, self, floorArgs(hydrate)}, {same, self, floorArgs(same)},
		{uncached, *program, with("off")}, {cached, *program, with("auto")}, {strict, *program, with("strict")},
	}}
	if err := c.run(ctx, *rounds, log); err != nil {
		return err
	}
	if err := writeResults(out, *asJSON, c.results()); err != nil || *asJSON {
		return err
	}
	return c.writeRatios(out)
}

// serveCalendar returns calbridge's arguments for a generated calendar.
func serveCalendar(dsn string) []string {
	return []string{"serve", "--dsn", dsn, "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0", "--clock", synthetic.Now.Format(time.RFC3339)}
}

// routesCommand measures each kind of read with the cache, with the strict cache and without a
// cache.
func routesCommand(ctx context.Context, args []string, out, log io.Writer) error {
	flags := newFlags("routes", log)
	dsn := flags.String("dsn", "", "generated calendar (default: one is generated on a private server)")
	events := flags.Int("events", 10_000, "how many events")
	program := flags.String("calbridge", "", "the server's program (default: built from source)")
	least := flags.Int("requests", 500, "requests of each load")
	concurrency := flags.Int("concurrency", 4, "connections at a time")
	rounds := flags.Int("rounds", 5, "how often to measure all in turn; the round with the least CPU counts")
	asJSON := flags.Bool("json", false, "one JSON object a line instead of a table in Markdown")
	if err := flags.Parse(args); err != nil {
		return err
	}
	_, remove, err := prepare(ctx, program, dsn, *events, log)
	if err != nil {
		return err
	}
	defer remove()
	c := &comparison{least: *least, concurrency: *concurrency, best: map[[2]string]result{}}
	for _, s := range [][2]string{{cached, "auto"}, {strict, "strict"}, {uncached, "off"}} {
		c.servers = append(c.servers, candidate{s[0], *program, append(append(serveCalendar(*dsn), "--cache", s[1]), flags.Args()...)})
	}
	if c.recordings, err = routeAnswers(ctx, c.servers[2], *events); err != nil {
		return err
	}
	if err := c.run(ctx, *rounds, log); err != nil {
		return err
	}
	if *asJSON {
		return writeResults(out, true, c.results())
	}
	return c.writeRoutes(out)
}

// routeAnswers returns a server's responses to one read of each kind.
func routeAnswers(ctx context.Context, s candidate, events int) (out []*recording, err error) {
	server, err := startChild(ctx, s.program, s.args...)
	if err != nil {
		return nil, err
	}
	defer server.stop()
	for _, page := range []struct{ name, path string }{
		{"list of 1", "/events?per_page=1"}, {"list of 10", "/events?per_page=10"}, {"list of 50", "/events?per_page=50"},
		{"one event", fmt.Sprintf("/events/%d", synthetic.FirstEvent+7)}, {"one event by slug", "/events/by-slug/akce-8"},
		{"venues", "/venues?per_page=10"}, {"one venue", fmt.Sprintf("/venues/%d", synthetic.Venue(events, 0))},
		{"organizers", "/organizers?per_page=10"}, {"categories", "/categories?per_page=10"}, {"tags", "/tags?per_page=10"},
		{"index", ""}, {"doc", "/doc"},
	} {
		answer := &recording{Name: page.name, Path: "/wp-json/calendar/events/v1" + page.path}
		body, err := get(ctx, server.addr, answer.Path)
		if err != nil {
			return nil, err
		}
		answer.Pieces = [][]byte{bytes.Clone(body)}
		out = append(out, answer)
	}
	return out, nil
}

// writeRoutes prints a line for each page, with the requests per second and the CPU time of
// each server.
func (c *comparison) writeRoutes(out io.Writer) error {
	var b strings.Builder
	b.WriteString("| request | KB |")
	rule := "|---|---|"
	for _, s := range c.servers {
		fmt.Fprintf(&b, " %s: requests/s | CPU |", strings.Replace(s.name, uncached, "`--cache off`", 1))
		rule += "---|---|"
	}
	b.WriteString(" queries |\n" + rule + "---|\n")
	for _, page := range c.recordings {
		fmt.Fprintf(&b, "| %s | %.1f |", page.Name, float64(len(page.body()))/1000)
		for _, s := range c.servers {
			r := c.best[[2]string{page.Name, s.name}]
			fmt.Fprintf(&b, " %.0f | %.3f ms |", r.PerSecond, r.CPU)
		}
		last := c.best[[2]string{page.Name, c.servers[len(c.servers)-1].name}]
		fmt.Fprintf(&b, " %.1f |\n", last.Queries)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// recordAnswers records calbridge's responses to the pages and writes them to a file.
func recordAnswers(ctx context.Context, program string, args []string, dsn, file string) ([]*recording, error) {
	tap, err := newTap(dsn, filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	defer tap.close()
	server, err := startChild(ctx, program, append(args, "--dsn", tap.dsn)...)
	if err != nil {
		return nil, err
	}
	defer server.stop()
	var out []*recording
	for _, page := range []struct{ name, path string }{
		{"list of 1", "/events?per_page=1"}, {"list of 10", "/events?per_page=10"}, {"list of 50", "/events?per_page=50"},
		{"event", fmt.Sprintf("/events/%d", synthetic.FirstEvent+7)}, {"event by slug", "/events/by-slug/akce-8"},
	} {
		recorded, err := record(ctx, tap, server.addr, page.name, "/wp-json/calendar/events/v1"+page.path)
		if err != nil {
			return nil, err
		}
		out = append(out, recorded)
	}
	data, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	return out, os.WriteFile(file, data, 0o600)
}

// candidate is one of the servers that are compared.
type candidate struct {
	name, program string
	args          []string
}

type comparison struct {
	recordings  []*recording
	servers     []candidate
	least       int // number of requests
	concurrency int
	best        map[[2]string]result // by page and server
}

// run starts all servers, which use no CPU time while idle. It measures each page on one
// server after the other, so that other work on the machine affects all servers alike.
func (c *comparison) run(ctx context.Context, rounds int, log io.Writer) error {
	var targets []target
	for _, s := range c.servers {
		server, err := startChild(ctx, s.program, s.args...)
		if err != nil {
			return err
		}
		defer server.stop()
		targets = append(targets, target{addr: server.addr, ops: server.ops, pid: server.cmd.Process.Pid})
	}
	for _, page := range c.recordings {
		fmt.Fprintln(log, page.Name)
		for range rounds {
			for i, s := range c.servers {
				if err := c.measure(ctx, s.name, targets[i], page); err != nil {
					return fmt.Errorf("%s: %w", s.name, err)
				}
			}
		}
	}
	return nil
}

func (c *comparison) measure(ctx context.Context, server string, t target, page *recording) error {
	body, err := get(ctx, t.addr, page.Path)
	if err != nil {
		return err
	}
	if string(body) != string(page.body()) {
		return fmt.Errorf("%s: the answer is not the recorded one", page.Path)
	}
	next := func(int) request { return request{method: "GET", path: page.Path} }
	if _, err := measure(ctx, t, c.concurrency, 0, c.least/10, next); err != nil { // to warm up
		return err
	}
	r, err := measure(ctx, t, c.concurrency, 0, c.least, next)
	if err != nil {
		return err
	}
	r.Name, r.Server = page.Name, server
	if server == same {
		r.Queries = float64(len(page.Statements))
	}
	key := [2]string{page.Name, server}
	if old, ok := c.best[key]; !ok || r.CPU < old.CPU {
		c.best[key] = r
	}
	return nil
}

// results returns the best results in the order of pages and servers.
func (c *comparison) results() []result {
	var out []result
	for _, page := range c.recordings {
		for _, s := range c.servers {
			out = append(out, c.best[[2]string{page.Name, s.name}])
		}
	}
	return out
}

// writeRatios prints calbridge's cost as multiples of the other servers' cost, and its
// throughput as a share of the bare handler's.
func (c *comparison) writeRatios(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\ncalbridge\tCPU of same\tCPU of hydrate\treq/s of same\treq/s of bare\tfrom memory\tstrictly\t\n")
	for _, page := range c.recordings {
		of := func(server string) result { return c.best[[2]string{page.Name, server}] }
		ours, most := of(uncached), of(bare).PerSecond
		fmt.Fprintf(w, "%s\t%.2f\t%.2f\t%.2f\t%.3f\t%.2f\t%.2f\t\n", page.Name, ours.CPU/of(same).CPU, ours.CPU/of(hydrate).CPU,
			ours.PerSecond/of(same).PerSecond, ours.PerSecond/most, of(cached).PerSecond/most, of(strict).PerSecond/most)
	}
	return w.Flush()
}
