package sitedb

import (
	"context"
	"errors"
	"sync"
	"testing"
)

// TestFinisher: writers that arrive while a round runs share the next one. What fails is
// left to the next round. No writer waits longer than its context.
func TestFinisher(t *testing.T) {
	started, proceed := make(chan calendarSave), make(chan error)
	failures := 0
	f := newFinisher(nil, func(_ context.Context, due calendarSave) error {
		started <- due
		return <-proceed
	}, func(error) { failures++ })
	var wait sync.WaitGroup
	wait.Go(func() { f.run(t.Context(), calendarSave{saved: true}) })
	if due := <-started; !due.is(calendarSave{saved: true}) {
		t.Errorf("the first: %+v", due)
	}
	for i := range 10 {
		wait.Go(func() { f.run(t.Context(), calendarSave{saved: true, dates: i == 3}) })
	}
	for joined := false; !joined; {
		f.mu.Lock()
		joined = f.next != nil && f.next.due.dates
		f.mu.Unlock()
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	f.run(gone, calendarSave{saved: true})
	proceed <- nil
	if due := <-started; !due.is(calendarSave{saved: true, dates: true}) {
		t.Errorf("the others: %+v", due)
	}
	proceed <- errors.New("the database is gone")
	for range 10 { // those that did not join in time have rounds of their own
		select {
		case <-started:
			proceed <- nil
		case <-done(&wait):
		}
	}
	wait.Wait()
	f.leave(calendarSave{saved: true, dates: true})
	f.run(t.Context(), calendarSave{})
	var last sync.WaitGroup
	last.Go(func() { f.run(t.Context(), calendarSave{saved: true}) })
	if due := <-started; !due.is(calendarSave{saved: true, dates: true}) {
		t.Errorf("after a failure: %+v", due)
	}
	proceed <- nil
	last.Wait()
	if failures != 1 || !f.left.is(calendarSave{}) {
		t.Errorf("%d failures, %+v is left", failures, f.left)
	}
}

// done returns a channel that is closed when all are done.
func done(wait *sync.WaitGroup) chan struct{} {
	c := make(chan struct{})
	go func() { wait.Wait(); close(c) }()
	return c
}

// is compares two that have no posts.
func (s calendarSave) is(t calendarSave) bool {
	return s.saved == t.saved && s.dates == t.dates && s.any == t.any && len(s.posts)+len(t.posts) == 0
}
