package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// namespacePath is where calbridge serves the API on a generated calendar.
const namespacePath = "/wp-json/calendar/events/v1"

// indexPatience limits how long awaitFigures waits for an index.
const indexPatience = 5 * time.Minute

// awaitIndex waits until calbridge has loaded its index of events. It returns at once if
// calbridge caches nothing.
func awaitIndex(ctx context.Context, ops string, log io.Writer) error {
	began := time.Now()
	f, err := awaitFigures(ctx, ops, "index", func(f figures) bool { return f.caching == 0 || f.listed > 0 })
	switch {
	case err != nil:
		return err
	case f.caching == 0:
		fmt.Fprintln(log, "no index: calbridge caches nothing")
	default:
		fmt.Fprintf(log, "index of %.0f dates after %.1f s\n", f.listed, time.Since(began).Seconds())
	}
	return nil
}

// awaitFigures waits until figures of calbridge, which show that it has a thing, are ready.
func awaitFigures(ctx context.Context, ops, thing string, ready func(figures) bool) (figures, error) {
	for began := time.Now(); ; {
		f, err := readFigures(ctx, ops)
		if err != nil || ready(f) {
			return f, err
		}
		if time.Since(began) > indexPatience {
			return f, fmt.Errorf("calbridge has no %s after %s", thing, indexPatience)
		}
		select {
		case <-ctx.Done():
			return f, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// loadAverage returns the machine's load averages over 1, 5 and 15 minutes.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(string(text))[:3], " ")
}
