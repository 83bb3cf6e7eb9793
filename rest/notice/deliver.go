package notice

import (
	"context"
	"time"
)

// run delivers until the client is closed and the queue is empty, or ctx ends.
func (c *Client) run(ctx context.Context) {
	defer close(c.done)
	var ticks <-chan time.Time
	if c.o.WakeEvery > 0 {
		ticker := time.NewTicker(c.o.WakeEvery)
		defer ticker.Stop()
		ticks = ticker.C
	}
	var batch []queued
	failures := 0
	for {
		select {
		case <-ticks: // also while there is always something to deliver
			c.Send(Notice{Cron: true})
		default:
		}
		var stale bool
		batch, stale = c.fill(batch)
		if len(batch) == 0 && !stale {
			select {
			case <-c.wake:
			case <-ticks:
				c.Send(Notice{Cron: true})
			case <-c.closing:
				if c.idle() {
					return
				}
			}
			continue
		}
		err := c.deliver(ctx, batch, stale)
		if err == nil {
			if failures > 0 {
				c.o.Logger.Info("the companion plugin takes notices again", "failures", failures)
			}
			batch, failures = nil, 0
			continue
		}
		if ctx.Err() == nil {
			c.o.Metrics.Failed(err)
			failures++
			if failures == 1 {
				c.o.Logger.Warn("a notice did not reach WordPress; it is tried again", "error", err)
			}
			c.rest(ctx, failures)
		}
		if ctx.Err() != nil {
			c.abandon(batch)
			return
		}
	}
}

// rest waits after a failure. New notices do not shorten the wait: it is WordPress
// that needs it.
func (c *Client) rest(ctx context.Context, failures int) {
	timer := time.NewTimer(c.o.pause(failures))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// fill drops from the batch what is too old and adds from the queue what fits into
// one notice.
func (c *Client) fill(batch []queued) (_ []queued, stale bool) {
	oldest := c.o.Clock().Add(-c.o.MaxAge)
	size, lost := 0, 0
	kept := batch[:0]
	for _, q := range batch {
		if q.at.Before(oldest) {
			if q.names() {
				lost++
			}
			continue
		}
		size += q.size()
		kept = append(kept, q)
	}
	c.mu.Lock()
	c.stale = c.stale || lost > 0
	taken := 0
	for _, q := range c.queue {
		if len(kept) > 0 && size+q.size() > MaxItems {
			break
		}
		size += q.size()
		kept = append(kept, q)
		taken++
	}
	clear(c.queue[:taken])
	c.queue = c.queue[taken:]
	if len(c.queue) == 0 {
		c.queue = nil
	}
	waiting, stale := len(c.queue), c.stale
	c.mu.Unlock()
	if lost > 0 {
		c.o.Metrics.Lost(lost, "age")
	}
	if taken > 0 {
		c.o.Metrics.Queued(waiting)
	}
	return kept, stale
}

// deliver posts the batch as one notice.
func (c *Client) deliver(ctx context.Context, batch []queued, stale bool) error {
	notices := make([]Notice, 0, len(batch)+1)
	for _, q := range batch {
		notices = append(notices, q.Notice)
	}
	if stale {
		notices = append(notices, Notice{All: true})
		// Before the request: what is lost during it needs another.
		c.setStale(false)
	}
	began := time.Now()
	err := c.post(ctx, merge(notices))
	c.o.Metrics.Request(time.Since(began), err == nil)
	if err != nil {
		if stale {
			c.setStale(true)
		}
		return err
	}
	waited := time.Duration(0)
	if len(batch) > 0 {
		waited = c.o.Clock().Sub(batch[0].at)
	}
	c.o.Metrics.Sent(len(batch), waited)
	return nil
}

func (c *Client) setStale(stale bool) {
	c.mu.Lock()
	c.stale = stale
	c.mu.Unlock()
}

// idle says that nothing waits.
func (c *Client) idle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.queue) == 0 && !c.stale
}

// abandon counts what is left when the time to close has run out.
func (c *Client) abandon(batch []queued) {
	c.mu.Lock()
	for _, q := range append(batch, c.queue...) {
		if q.names() {
			c.left++
		}
	}
	if c.left == 0 && c.stale {
		c.left = 1
	}
	c.queue = nil
	c.mu.Unlock()
	if c.left > 0 {
		c.o.Metrics.Lost(c.left, "closed")
	}
}
