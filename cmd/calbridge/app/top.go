package app

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/console"
	"calbridge/cmd/calbridge/httpserver"
	"calbridge/cmd/calbridge/settings"
)

// topCommand shows what a running server is doing until a signal arrives. The figures are
// those of the console's page.
func topCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	var once bool
	s, err := settings.Read(p, settings.Command{Name: "top", Args: args, Has: settings.Named("ops-listen", "config"), Flags: func(fs *flag.FlagSet) {
		fs.BoolVar(&once, "once", false, "print the figures once and exit")
	}})
	if err != nil {
		return err
	}
	if s.Listen.Ops == "" {
		return cmdline.Usagef("top: --ops-listen is off: set it to the server's ops address")
	}
	url := "http://" + httpserver.DialAddress(s.Listen.Ops) + console.Path + "stream"
	live := cmdline.IsTerminal(p.Stdout) && !once
	paint := p.PaintOn(p.Stdout)
	for {
		err = readNow(ctx, url, func(n *console.Now) (again bool) {
			var b bytes.Buffer
			writeTop(&b, n, paint)
			if live {
				// The screen is redrawn in place: the cursor moves to the top left corner,
				// each line clears its rest, and the end clears what is below.
				screen := strings.ReplaceAll(b.String(), "\n", cmdline.Control(p.Stdout, "K")+"\n")
				fmt.Fprint(p.Stdout, cmdline.Control(p.Stdout, "H"), screen, cmdline.Control(p.Stdout, "J"))
				return true
			}
			fmt.Fprint(p.Stdout, b.String(), "\n")
			return !once
		})
		switch {
		case ctx.Err() != nil || err == nil:
			return nil
		case !live:
			return fmt.Errorf("top: %w; is calbridge running, with --ops-listen %s?", err, s.Listen.Ops)
		}
		fmt.Fprintln(p.Stdout, cmdline.Control(p.Stdout, "H")+paint(cmdline.Red, "no connection to "+s.Listen.Ops+"; trying again")+cmdline.Control(p.Stdout, "K"))
		select {
		case <-time.After(2 * time.Second):
		case <-ctx.Done():
			return nil
		}
	}
}

// maxMessage limits the size of one message of the stream, in bytes.
const maxMessage = 4 << 20

// readNow calls each with the figures of every message in the stream until each returns false.
func readNow(ctx context.Context, url string, each func(*console.Now) bool) error {
	body, err := askOps(ctx, url)
	if err != nil {
		return err
	}
	defer body.Close()
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxMessage)
	event := ""
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			event = name
			continue
		}
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok || event != "now" {
			continue
		}
		n := new(console.Now)
		if err := json.Unmarshal([]byte(data), n); err != nil {
			return err
		}
		if !each(n) {
			return nil
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return errors.New("the server has closed the stream")
}

// writeTop prints figures for a terminal of 80 columns.
func writeTop(w io.Writer, n *console.Now, paint cmdline.Paint) {
	good := func(ok bool, text string) string {
		if ok {
			return paint(cmdline.Green, text)
		}
		return paint(cmdline.Red, text)
	}
	hits, answers := 0.0, 0.0
	for _, s := range n.Sources {
		answers += s.PerSecond
		if s.Name == "hit" {
			hits = s.PerSecond
		}
	}
	feed := "no cache"
	if n.Cache.Enabled {
		feed = good(n.Cache.Followed, map[bool]string{true: "followed", false: "not followed"}[n.Cache.Followed])
	}
	fmt.Fprintf(w, "calbridge  %s  mode %s  cpu %.2f  memory %.0f MiB  goroutines %.0f\n", n.At.Format(time.TimeOnly), n.Mode, n.Process.CPU, n.Process.Memory/(1<<20), n.Process.Goroutines)
	fmt.Fprintf(w, "requests   %.1f/s  in flight %.0f  p50 %.2f ms  p99 %.2f ms  5xx %s  turned away %.1f/s\n", n.Requests.PerSecond, n.Requests.InFlight, n.Requests.P50, n.Requests.P99,
		good(n.Requests.Failed == 0, fmt.Sprintf("%.1f/s", n.Requests.Failed)), n.Requests.Rejected)
	fmt.Fprintf(w, "cache      %.0f %% from memory  %.0f answers  %.1f MiB  change feed %s, %.1f/s, p99 %.1f ms\n", 100*hits/max(answers, 1e-9), n.Cache.Answers, n.Cache.Bytes/(1<<20), feed, n.Cache.Transactions, n.Cache.DelayP99)
	for _, s := range n.Database {
		lag := fmt.Sprintf("%.1f s", s.Lag)
		if s.Lag < 0 {
			lag = "unknown"
		}
		fmt.Fprintf(w, "database   %s  %.1f/s  busy %.0f of %.0f  waiting %.1f ms/s  lag %s\n", s.Name, s.Statements, s.Busy, s.Open, s.Waited, lag)
	}
	if p := n.Proof; p != nil {
		fmt.Fprintf(w, "proof      %.1f %% native", 100*p.Native)
		for _, s := range p.States {
			fmt.Fprintf(w, "  %s %d", s.Name, s.Count)
		}
		fmt.Fprintln(w)
	}
	for _, u := range n.Upstream {
		if u.Total > 0 {
			fmt.Fprintf(w, "WordPress  %s %.1f/s\n", u.Name, u.PerSecond)
		}
	}
	fmt.Fprintf(w, "\n%-34s %10s %10s %10s %10s\n", "route", "a second", "p50 ms", "p99 ms", "5xx/s")
	slices.SortStableFunc(n.Routes, func(a, b console.Route) int { return int(1000 * (b.PerSecond - a.PerSecond)) })
	for _, r := range n.Routes {
		fmt.Fprintf(w, "%-34s %10.1f %10.2f %10.2f %10s\n", r.Route, r.PerSecond, r.P50, r.P99, good(r.Failed == 0, fmt.Sprintf("%.1f", r.Failed)))
	}
}
