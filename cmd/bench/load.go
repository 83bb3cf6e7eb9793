package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// loadCommand loads a running server of a generated calendar.
func loadCommand(ctx context.Context, args []string, out, log io.Writer) error {
	flags := newFlags("load", log)
	addr := flags.String("addr", "127.0.0.1:8080", "the server's address, host:port")
	base := flags.String("base", "/wp-json/calendar/events/v1", "path of the interface")
	pid := flags.Int("pid", 0, "process id of the server: CPU per request and resident size")
	ops := flags.String("ops", "", "address of the server's ops listener: queries and allocations per request")
	events := flags.Int("events", 10_000, "how many events were generated")
	only := flags.String("only", "", "measure only requests whose name contains this")
	writes := flags.Bool("writes", false, "create and update events too, as the generated administrator; needs --application-passwords on")
	at := flags.String("concurrency", "1,16,64", "connections at a time, separated by commas")
	long := flags.Duration("for", 3*time.Second, "how long each load lasts")
	asJSON := flags.Bool("json", false, "one JSON object a line instead of a table")
	if err := flags.Parse(args); err != nil {
		return err
	}
	levels, err := numbers(*at)
	if err != nil {
		return fmt.Errorf("load: concurrency: %w", err)
	}
	t := target{addr: *addr, pid: *pid, ops: *ops}
	var results []result
	for _, s := range scenarios(*base, *events) {
		if !strings.Contains(s.name, *only) || s.writes && !*writes {
			continue
		}
		for _, n := range levels {
			r, err := measure(ctx, t, n, *long, n, s.next)
			if err != nil {
				return errors.Join(err, writeResults(out, *asJSON, results))
			}
			r.Name, r.Server = s.name, "calbridge"
			results = append(results, r)
		}
	}
	return writeResults(out, *asJSON, results)
}
