// Package guard keeps a panic in one goroutine from ending the process.
//
// Every goroutine that reads from the database, or renders what was read, runs under a
// [Guard]. A damaged packet, or a bug triggered by one site's rows, must not stop the
// responses to all other clients. cmd/calbridge/goroutines_test.go finds goroutines that
// don't.
//
// A goroutine that works in a loop is started by [Guard.Loop], which restarts it. One that
// does a single job is started by [Guard.Go] or [Guard.GoErr].
package guard

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"
)

// ErrPanic matches the errors that represent a panic.
var ErrPanic = errors.New("panic")

// The pause before a loop restarts doubles from minBackoff to maxBackoff. A loop that has
// run for longer than maxBackoff restarts after minBackoff.
const (
	minBackoff = 50 * time.Millisecond
	maxBackoff = 5 * time.Second
)

// Guard catches panics, logs them with their stack, and counts them. A nil Guard logs to
// [slog.Default] and counts nothing. A Guard is safe for concurrent use.
type Guard struct {
	logger *slog.Logger
	count  func(task string)
}

// New returns a Guard that logs to logger. It calls count, which may be nil, with the task of
// each panic.
func New(logger *slog.Logger, count func(task string)) *Guard {
	return &Guard{logger: logger, count: count}
}

// Caught logs and counts what recover has returned, and returns it as an error that matches
// [ErrPanic]. It returns nil for nil. It must be called by a deferred function, because the
// log shows the stack of its caller:
//
//	defer func() { err = cmp.Or(g.Caught("answering", recover()), err) }()
func (g *Guard) Caught(task string, reason any) error {
	if reason == nil {
		return nil
	}
	logger := slog.Default()
	if g != nil {
		if g.count != nil {
			g.count(task)
		}
		logger = g.logger
	}
	logger.Error("panic while "+task, "panic", reason, "stack", string(debug.Stack()))
	return fmt.Errorf("%w while %s: %v", ErrPanic, task, reason)
}

// Recover must be deferred. If the function panics, *err becomes an error that matches
// [ErrPanic].
func (g *Guard) Recover(task string, err *error) {
	if reason := recover(); reason != nil {
		*err = g.Caught(task, reason)
	}
}

// Do calls f, and returns its error, or one that matches [ErrPanic].
func (g *Guard) Do(task string, f func() error) (err error) {
	defer g.Recover(task, &err)
	return f()
}

// Go calls f in a goroutine of the group.
func (g *Guard) Go(group *sync.WaitGroup, task string, f func()) {
	group.Go(func() {
		_ = g.Do(task, func() error { f(); return nil })
	})
}

// GoErr calls f in a goroutine of the group. A panic ends the group like an error of f.
func (g *Guard) GoErr(group *errgroup.Group, task string, f func() error) {
	group.Go(func() error { return g.Do(task, f) })
}

// Loop calls Repeat in a goroutine of the group.
func (g *Guard) Loop(ctx context.Context, group *sync.WaitGroup, task string, f func(context.Context)) {
	group.Go(func() { g.Repeat(ctx, task, f) })
}

// Repeat calls f, and calls it again after a pause if it panics. It returns when f returns, or
// when ctx ends.
func (g *Guard) Repeat(ctx context.Context, task string, f func(context.Context)) {
	pause := minBackoff
	for ctx.Err() == nil {
		began := time.Now()
		if g.Do(task, func() error { f(ctx); return nil }) == nil {
			return
		}
		if time.Since(began) > maxBackoff {
			pause = minBackoff
		}
		select {
		case <-time.After(pause):
			pause = min(2*pause, maxBackoff)
		case <-ctx.Done():
		}
	}
}

// Flight calls [singleflight.Group.DoChan], whose own goroutine would end the process after
// a panic. All callers get an error that matches [ErrPanic] instead.
func (g *Guard) Flight(flights *singleflight.Group, key, task string, f func() (any, error)) <-chan singleflight.Result {
	return flights.DoChan(key, func() (result any, err error) {
		defer g.Recover(task, &err)
		return f()
	})
}
