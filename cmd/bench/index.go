package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// indexed describes one start of a server, until its index of events was complete. Times are
// in seconds.
type indexed struct {
	Server   string  `json:"server"`
	Events   int     `json:"events"`
	First    float64 `json:"first_answer_s"` // a response from the database, while the index loads
	Index    float64 `json:"index_s"`
	CPU      float64 `json:"cpu_s"`
	Database float64 `json:"database_cpu_s"`
	PeakMiB  float64 `json:"peak_mib"`
	Load     string  `json:"load_average"`
}

// indexCommand measures how long calbridge takes to index calendars.
func indexCommand(ctx context.Context, args []string, out, log io.Writer) error {
	flags := newFlags("index", log)
	program := flags.String("calbridge", "", "the server's program (default: built from source)")
	old := flags.String("old", "", "another build of the server, measured in turn with the first")
	events := flags.String("events", "10000,100000,1000000", "sizes of calendars, separated by commas")
	rounds := flags.Int("rounds", 3, "how often to measure all in turn")
	asJSON := flags.Bool("json", false, "one JSON object for each start instead of a table of medians")
	if err := flags.Parse(args); err != nil {
		return err
	}
	sizes, err := numbers(*events)
	if err != nil {
		return err
	}
	_, remove, err := workFolder(ctx, program)
	if err != nil {
		return err
	}
	defer remove()
	programs := [][2]string{{newProgram, *program}}
	if *old != "" {
		programs = append([][2]string{{oldProgram, *old}}, programs...)
	}
	var all []indexed
	for _, n := range sizes {
		some, err := indexCalendar(ctx, programs, flags.Args(), n, *rounds, log)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	if !*asJSON {
		return writeIndexed(out, all)
	}
	return writeJSON(out, all)
}

// indexCalendar measures the programs on a calendar of n events, on its own database server.
func indexCalendar(ctx context.Context, programs [][2]string, more []string, n, rounds int, log io.Writer) (all []indexed, err error) {
	dsn, database, err := privateCalendar(ctx, n, log, "--innodb-buffer-pool-size=4G")
	if err != nil {
		return nil, err
	}
	defer database.Stop()
	args := append(serveCalendar(dsn), more...)
	for round := range rounds {
		for _, p := range programs {
			fmt.Fprintf(log, "%s, %d events, round %d of %d\n", p[0], n, round+1, rounds)
			i, err := index(ctx, p[1], args, database.PID())
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p[0], err)
			}
			i.Server, i.Events = p[0], n
			all = append(all, i)
		}
	}
	return all, nil
}

// index starts a server, requests a list and waits for the index.
func index(ctx context.Context, program string, args []string, database int) (i indexed, err error) {
	before, err := cpuTime(database)
	if err != nil {
		return i, err
	}
	began := time.Now()
	server, err := startChild(ctx, program, args...)
	if err != nil {
		return i, err
	}
	defer server.stop()
	if _, err := get(ctx, server.addr, namespacePath+"/events?per_page=10"); err != nil {
		return i, err
	}
	i.First = time.Since(began).Seconds()
	if err := awaitIndex(ctx, server.ops, io.Discard); err != nil {
		return i, err
	}
	i.Index = time.Since(began).Seconds()
	pid := server.cmd.Process.Pid
	cpu, err := cpuTime(pid)
	if err != nil {
		return i, err
	}
	after, err := cpuTime(database)
	if err != nil {
		return i, err
	}
	peak, err := peakBytes(pid)
	i.CPU, i.Database, i.PeakMiB, i.Load = cpu.Seconds(), (after - before).Seconds(), float64(peak)/(1<<20), loadAverage()
	return i, err
}

// writeIndexed prints the medians of all rounds and the ranges of the times.
func writeIndexed(out io.Writer, all []indexed) error {
	type line struct {
		server string
		events int
	}
	var lines []line
	for _, i := range all {
		if l := (line{i.Server, i.Events}); !slices.Contains(lines, l) {
			lines = append(lines, l)
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "server\tevents\tfirst answer s\tindex s\trange\tCPU s\tdatabase CPU s\tpeak MiB\tload averages\t")
	for _, l := range lines {
		values := func(value func(indexed) float64) (out []float64) {
			for _, i := range all {
				if i.Server == l.server && i.Events == l.events {
					out = append(out, value(i))
				}
			}
			slices.Sort(out)
			return out
		}
		times := values(func(i indexed) float64 { return i.Index })
		var loads []string
		for _, i := range all {
			if i.Server == l.server && i.Events == l.events {
				one, _, _ := strings.Cut(i.Load, " ")
				loads = append(loads, one)
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%.2f\t%.1f\t%.1f-%.1f\t%.1f\t%.1f\t%.0f\t%s\t\n", l.server, l.events, median(values(func(i indexed) float64 { return i.First })),
			median(times), times[0], times[len(times)-1], median(values(func(i indexed) float64 { return i.CPU })),
			median(values(func(i indexed) float64 { return i.Database })), median(values(func(i indexed) float64 { return i.PeakMiB })), strings.Join(loads, " "))
	}
	return w.Flush()
}
