package sites

import (
	"context"
	"slices"
	"sync"
	"time"
)

const (
	// longestTurn limits how long one request counts as using the processors. One that takes longer waits most of
	// the time: for the database, for WordPress or for its client.
	longestTurn = 2 * time.Millisecond
	// outside is about how long the processors are busy with a request before and after its turn: reading and
	// parsing it, and sending the response.
	outside = 150 * time.Microsecond
	// shortestPause is the shortest time for which Go's timers let a processor idle.
	shortestPause = time.Millisecond
	// recently is how long a site counts as asked for after one of its requests.
	recently = 20 * time.Millisecond
)

// processors shares the processors among sites. Go's scheduler lets all requests that are ready run before it
// looks for others, so that those of a site with many clients would delay each step of another site's requests.
// A site that is asked for alone may keep all processors busy. While others are, it leaves them one, if there
// are several. And if it gets more requests than all processors can serve, it pauses for as long as it
// used them, because the others' requests also need the database and the web server, which may run here too.
type processors struct {
	number int

	mu sync.Mutex
	// last is the site that was asked for last, at is when, and before is when another one was.
	last       *turns
	at, before time.Time
}

// turns gives the requests of one site their turns, in the order of their arrival.
type turns struct {
	of *processors
	// These are guarded by of.mu. taken is the number of requests that have a turn, and the channels in waiting
	// are closed when the others get theirs. owed is the length of the next pause.
	taken   int
	waiting []chan struct{}
	owed    time.Duration
}

// take waits for a turn, which ends after longestTurn, or when end is called, at the end of the request. It
// returns the context's error if the context ends first.
func (t *turns) take(ctx context.Context) (end func(), err error) {
	turn := make(chan struct{})
	t.of.mu.Lock()
	t.note()
	t.waiting = append(t.waiting, turn)
	t.grant()
	t.of.mu.Unlock()
	select {
	case <-turn:
	case <-ctx.Done():
		t.leave(turn)
		return nil, ctx.Err()
	}
	began := time.Now()
	timer := time.AfterFunc(longestTurn, t.give)
	return func() {
		pause := t.ended(time.Since(began))
		switch {
		case !timer.Stop(): // it has given the turn
		case pause > 0:
			timer.Reset(pause)
		default:
			t.give()
		}
	}, nil
}

// give ends a turn.
func (t *turns) give() {
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	t.taken--
	t.grant()
}

// leave gives up a turn, which the request may have got by now.
func (t *turns) leave(turn chan struct{}) {
	t.of.mu.Lock()
	at := slices.Index(t.waiting, turn)
	if at >= 0 {
		t.waiting = slices.Delete(t.waiting, at, at+1)
	}
	t.of.mu.Unlock()
	if at < 0 {
		t.give()
	}
}

// ended notes that a request has ended that had its turn for some time. It returns how long the site must pause
// before the next turn: as long as its requests took since the last pause, if they crowd out those of others.
func (t *turns) ended(after time.Duration) (pause time.Duration) {
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	t.note()
	if len(t.waiting) <= 2*t.of.number || !t.others() {
		return 0
	}
	if t.owed += min(after, longestTurn) + outside; t.owed < shortestPause {
		return 0
	}
	pause, t.owed = t.owed, 0
	return pause
}

// note notes that the site is asked for. The caller holds the lock.
func (t *turns) note() {
	p := t.of
	if p.last != t {
		p.last, p.before = t, p.at
	}
	p.at = time.Now()
}

// others reports whether other sites are asked for. The caller holds the lock.
func (t *turns) others() bool {
	at := t.of.at
	if t.of.last == t {
		at = t.of.before
	}
	return time.Since(at) < recently
}

// grant gives as many waiting requests a turn as may have one now. The caller holds the lock.
func (t *turns) grant() {
	most := 2 * t.of.number // one may be ready while another one waits
	if t.others() {
		most = max(1, t.of.number-1)
	}
	for len(t.waiting) > 0 && t.taken < most {
		t.taken++
		close(t.waiting[0])
		t.waiting = slices.Delete(t.waiting, 0, 1)
	}
}
