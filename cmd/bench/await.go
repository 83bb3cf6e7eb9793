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

// indexPatience limits how long awaitIndex waits for the index of events.
const indexPatience = 5 * time.Minute

// awaitIndex waits until calbridge has loaded its index of events. It returns at once if
// calbridge caches nothing.
func awaitIndex(ctx context.Context, ops string, log io.Writer) error {
	began := time.Now()
	for {
		f, err := readFigures(ctx, ops)
		if err != nil {
			return err
		}
		if f.caching == 0 {
			fmt.Fprintln(log, "no index: calbridge caches nothing")
			return nil
		}
		if f.listed > 0 {
			fmt.Fprintf(log, "index of %.0f dates after %.1f s\n", f.listed, time.Since(began).Seconds())
			return nil
		}
		if time.Since(began) > indexPatience {
			return fmt.Errorf("calbridge has no index after %s", indexPatience)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
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
