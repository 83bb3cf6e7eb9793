package stream

import (
	"context"
	"errors"
	"sync"
	"time"

	"calbridge/wpstore/guard"
)

const (
	// tick is how often a list is read though nothing has been reported: time changes lists too.
	tick = 10 * time.Second
	// retryPause is the pause after a failure. After panics it doubles up to maxRetryPause.
	retryPause    = 50 * time.Millisecond
	maxRetryPause = 5 * time.Second
	// task is what the guard calls the work of a group.
	task = "rendering changes for streams"
	// patience is how long a group waits for its clients before it goes on without those that
	// are slow.
	patience = time.Second
	// linger is how long a group without clients remembers, for those that connect again, where
	// there are at most fewGroups.
	linger    = 15 * time.Second
	fewGroups = 32
)

// group is the streams of one list. One goroutine reads and renders its changes.
type group struct {
	hub    *Hub
	key    string
	source Source
	end    context.CancelFunc
	taken  chan struct{} // has an element when a client has taken something

	mu     sync.Mutex
	cursor Cursor
	queues map[*queue]bool
	// remembered are the last chunks, without gaps from the first one's beginning to the
	// cursor, and size is their length.
	remembered []*chunk
	size       int
	begun      Cursor // of what is remembered
	ended      bool
}

// join adds a queue to the group of a list, with what comes after a cursor; nil where the group
// doesn't remember so much. Without a group one begins at the cursor, if that is a recent one.
func (h *Hub) join(key string, source Source, from Cursor, recent bool) (*group, *queue) {
	h.mu.Lock()
	defer h.mu.Unlock()
	q := newQueue()
	if h.open.Err() != nil {
		q.end(EndedServer)
		return &group{hub: h, ended: true}, q
	}
	g := h.groups[key]
	if g != nil {
		switch alive, joined := g.add(q, from); {
		case joined:
			return g, q
		case alive:
			return nil, nil
		}
	}
	if !recent {
		return nil, nil
	}
	ctx, end := context.WithCancel(h.open)
	g = &group{hub: h, key: key, source: source, end: end, taken: make(chan struct{}, 1), cursor: from, begun: from, queues: map[*queue]bool{q: true}}
	h.groups[key] = g
	h.cfg.Guard.Go(&h.work, task, func() { g.run(ctx) })
	return g, q
}

// add adds a queue; alive is false if the group has ended.
func (g *group) add(q *queue, from Cursor) (alive, joined bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.ended:
		return false, false
	case !from.covers(g.begun):
		return true, false
	}
	for _, c := range g.remembered {
		if !from.covers(c.to) && !q.put(c) {
			return true, false // catching up is better than being cut off
		}
	}
	g.queues[q] = true
	return true, true
}

// leave removes a queue. The last one ends the group, at once or later.
func (g *group) leave(q *queue) {
	g.hub.mu.Lock()
	few := len(g.hub.groups) <= fewGroups
	g.hub.mu.Unlock()
	g.mu.Lock()
	delete(g.queues, q)
	empty := len(g.queues) == 0 && !g.ended
	g.mu.Unlock()
	switch {
	case empty && few:
		time.AfterFunc(linger, g.endIfEmpty)
	case empty:
		g.endIfEmpty()
	}
}

func (g *group) endIfEmpty() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.queues) == 0 && !g.ended {
		g.ended = true // the next client begins another
		g.end()
	}
}

// take removes what waits for a client. If nothing does, to is where the group is.
func (g *group) take(q *queue) (chunks []*chunk, to Cursor, ended string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	chunks, ended = q.take()
	select {
	case g.taken <- struct{}{}:
	default:
	}
	return chunks, g.cursor, ended
}

// run reads and renders changes until the context ends, or the source.
func (g *group) run(ctx context.Context) {
	defer g.end()
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	why := EndedServer
	defer func() { g.close(why) }()
	pause := retryPause
	var reported time.Time // of the first change that hasn't been sent
	for ctx.Err() == nil {
		g.settle(ctx)
		next := g.source.Next()
		more, err := g.guardedStep(ctx, reported)
		if errors.Is(err, ErrEnd) {
			why = EndedList
			break
		}
		if err != nil && ctx.Err() == nil {
			g.hub.cfg.Logger.Debug("changes of a list cannot be read", "error", err)
			if !errors.Is(err, guard.ErrPanic) {
				pause = retryPause
			}
			select {
			case <-time.After(pause):
				pause = min(2*pause, maxRetryPause)
			case <-ctx.Done():
			}
			more = true
		}
		if more {
			continue
		}
		reported = time.Time{}
		select {
		case <-next.Done():
			reported = next.Reported()
		case <-ticks.C:
		case <-ctx.Done():
		}
	}
}

// settle waits until most clients have what was sent: where much changes at once, they get it
// as fast as they can, not as fast as it can be read, which would make all of them slow.
func (g *group) settle(ctx context.Context) {
	if !g.busy() {
		return
	}
	late := time.NewTimer(patience)
	defer late.Stop()
	for g.busy() {
		select {
		case <-g.taken:
		case <-late.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// busy reports whether something waits for more than a tenth of the clients.
func (g *group) busy() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	waiting := 0
	for q := range g.queues {
		if len(q.chunks) > 0 {
			waiting++
		}
	}
	return waiting*10 > len(g.queues)
}

// guardedStep calls step and returns an error in place of a panic.
func (g *group) guardedStep(ctx context.Context, reported time.Time) (more bool, err error) {
	defer g.hub.cfg.Guard.Recover(task, &err)
	return g.step(ctx, reported)
}

// step reads a page and sends it. more says that there is another.
func (g *group) step(ctx context.Context, reported time.Time) (more bool, err error) {
	c := &chunk{from: g.cursor, reported: reported} // nobody else moves the cursor
	err = g.hub.read(ctx, func() error {
		page, err := g.source.After(ctx, c.from)
		var gone Gone
		if errors.As(err, &gone) {
			if c.to, err = g.source.Now(ctx); err == nil {
				c.bytes = appendReset(nil, gone, c.to)
			}
			return err
		}
		if err == nil {
			c.to, c.bytes, more = page.To, appendPage(nil, page), page.More
		}
		return err
	})
	if err != nil {
		return false, err
	}
	g.hub.mu.Lock()
	share := g.hub.share()
	g.hub.mu.Unlock()
	g.send(c, share)
	return more, nil
}

// send queues a chunk for all clients, and remembers it within a number of bytes.
func (g *group) send(c *chunk, share int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cursor = c.to
	if len(c.bytes) == 0 {
		return
	}
	for q := range g.queues {
		if !q.put(c) {
			delete(g.queues, q)
		}
	}
	g.remembered, g.size = append(g.remembered, c), g.size+len(c.bytes)
	for g.size > share && len(g.remembered) > 0 {
		first := g.remembered[0]
		g.begun, g.size = first.to, g.size-len(first.bytes)
		g.remembered[0] = nil
		g.remembered = g.remembered[1:]
	}
}

// close ends the streams of the group.
func (g *group) close(why string) {
	h := g.hub
	h.mu.Lock()
	if h.groups[g.key] == g {
		delete(h.groups, g.key)
	}
	h.mu.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ended, g.remembered = true, nil
	for q := range g.queues {
		q.end(why)
	}
}
