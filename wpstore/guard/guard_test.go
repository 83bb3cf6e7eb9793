package guard

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"
)

// watched returns a guard with what it has logged and counted.
func watched() (g *Guard, log *bytes.Buffer, counted map[string]int) {
	log, counted = &bytes.Buffer{}, map[string]int{}
	var mu sync.Mutex
	return New(slog.New(slog.NewTextHandler(log, nil)), func(task string) {
		mu.Lock()
		defer mu.Unlock()
		counted[task]++
	}), log, counted
}

// TestPanicsAreCaught: each way to run a function survives its panic, which is logged with its
// stack, and counted.
func TestPanicsAreCaught(t *testing.T) {
	var nothing []int
	broken := func() { _ = nothing[len(nothing)] }
	for name, run := range map[string]func(*Guard) error{
		"Do": func(g *Guard) error { return g.Do("testing", func() error { broken(); return nil }) },
		"Go": func(g *Guard) error {
			var group sync.WaitGroup
			g.Go(&group, "testing", broken)
			group.Wait()
			return ErrPanic
		},
		"GoErr": func(g *Guard) error {
			var group errgroup.Group
			g.GoErr(&group, "testing", func() error { broken(); return nil })
			return group.Wait()
		},
		"Flight": func(g *Guard) error {
			var flights singleflight.Group
			return (<-g.Flight(&flights, "", "testing", func() (any, error) { broken(); return 1, nil })).Err
		},
		"Loop": func(g *Guard) error {
			var group sync.WaitGroup
			runs := 0
			g.Loop(t.Context(), &group, "testing", func(context.Context) {
				if runs++; runs == 1 {
					broken()
				}
			})
			group.Wait()
			if runs != 2 {
				t.Errorf("the loop ran %d times", runs)
			}
			return ErrPanic
		},
	} {
		t.Run(name, func(t *testing.T) {
			g, log, counted := watched()
			if err := run(g); !errors.Is(err, ErrPanic) {
				t.Errorf("error %v", err)
			}
			if counted["testing"] != 1 {
				t.Errorf("counted %v", counted)
			}
			if text := log.String(); !strings.Contains(text, "panic while testing") || !strings.Contains(text, "TestPanicsAreCaught") {
				t.Errorf("logged %s", text)
			}
		})
	}
}

// TestErrorsPass: errors are passed on, and nothing is logged or counted.
func TestErrorsPass(t *testing.T) {
	g, log, counted := watched()
	failed := errors.New("failed")
	if err := g.Do("testing", func() error { return failed }); err != failed {
		t.Error(err)
	}
	var none *Guard
	if err := none.Do("testing", func() error { return nil }); err != nil {
		t.Error(err)
	}
	if err := g.Caught("testing", nil); err != nil || log.Len() > 0 || len(counted) > 0 {
		t.Error(err, log, counted)
	}
}

// TestLoopEnds: a loop that panics again and again ends with its context.
func TestLoopEnds(t *testing.T) {
	g, _, _ := watched()
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	runs := make(chan struct{}, 1)
	g.Loop(ctx, &group, "testing", func(context.Context) {
		select {
		case runs <- struct{}{}:
		default:
		}
		panic("again")
	})
	<-runs
	<-runs
	cancel()
	group.Wait()
}
