package notice

import (
	"context"
	"slices"
	"time"
)

// run delivers until the client is closed and the queue is empty, or ctx ends.
func (c *Client) run(ctx context.Context) {
	var batch []queued
	defer func() { c.putBack(batch) }() // after a panic too
	var ticks <-chan time.Time
	if c.WakeEvery > 0 {
		ticker := time.NewTicker(c.WakeEvery)
		defer ticker.Stop()
		ticks = ticker.C
	}
	failures := 0
	for {
		select {
		case <-ticks: // even if the queue is never empty
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
				c.Logger.Info("the companion plugin accepts notices again", "failures", failures)
			}
			batch, failures = nil, 0
			c.clearOutbox()
			continue
		}
		if ctx.Err() == nil {
			failures++
			if failures == 1 {
				c.Logger.Warn("a notice did not reach WordPress; it is retried", "error", err)
			} else {
				c.Logger.Debug("a notice did not reach WordPress again", "error", err)
			}
			// New notices do not shorten the pause, which WordPress needs.
			select {
			case <-time.After(c.limits.backoff(failures)):
			case <-ctx.Done():
			}
		}
		if ctx.Err() != nil {
			c.abandon(batch)
			return
		}
	}
}

// putBack returns an undelivered batch to the front of the queue.
func (c *Client) putBack(batch []queued) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue = append(batch, c.queue...)
}

// finish hands over what is left in the queue, or leaves it in the outbox.
func (c *Client) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	left := c.queue
	c.queue = nil
	c.end(slices.DeleteFunc(left, func(q queued) bool { return len(q.Saved) == 0 }))
}

// fill drops old notices from the batch and adds from the queue what fits into one
// message.
func (c *Client) fill(batch []queued) (_ []queued, stale bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	oldest := time.Now().Add(-c.limits.maxAge)
	fresh := batch[:0]
	size, saved, savedBytes := 0, 0, 0
	for _, q := range batch {
		if q.at.Before(oldest) {
			c.lost("age", q)
			q.Notice = Notice{Saved: q.Saved} // what All can't make up for
		}
		if !q.Empty() {
			fresh = append(fresh, q)
			size, saved, savedBytes = size+q.size(), saved+len(q.Saved), savedBytes+q.savedBytes
		}
	}
	clear(batch[len(fresh):])
	batch = fresh
	taken := 0
	for _, q := range c.queue {
		size, saved, savedBytes = size+q.size(), saved+len(q.Saved), savedBytes+q.savedBytes
		if len(batch) > 0 && (size > MaxItems || saved > maxSaved || savedBytes > maxSavedBytes) {
			break
		}
		batch = append(batch, q)
		taken++
	}
	clear(c.queue[:taken])
	c.queue = c.queue[taken:]
	if len(c.queue) == 0 {
		c.queue = nil
	}
	return batch, c.stale
}

// deliver posts the batch as one notice.
func (c *Client) deliver(ctx context.Context, batch []queued, stale bool) error {
	notices := make([]Notice, 0, len(batch)+1)
	for _, q := range batch {
		notices = append(notices, q.Notice)
	}
	if stale {
		notices = append(notices, Notice{All: true})
		// Set before the request: a loss during it needs another notice.
		c.setStale(false)
	}
	err := c.post(ctx, merge(notices))
	if err != nil && stale {
		c.setStale(true)
	}
	return err
}

func (c *Client) setStale(stale bool) {
	c.mu.Lock()
	c.stale = stale
	c.mu.Unlock()
}

// clearOutbox removes what was delivered from the outbox.
func (c *Client) clearOutbox() {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.outbox.delivered(func() (left []Saved) {
		for _, q := range c.queue {
			left = append(left, q.Saved...)
		}
		return left
	})
	if err != nil {
		c.Logger.Warn("saves that WordPress has received may be sent again after a restart", "error", err)
	}
}

// idle reports whether nothing is queued.
func (c *Client) idle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.queue) == 0 && !c.stale
}

// abandon counts what is left when the context of Close has ended.
func (c *Client) abandon(batch []queued) {
	c.mu.Lock()
	defer c.mu.Unlock()
	stale := c.stale
	c.left = c.lost("closed", slices.Concat(batch, c.queue)...)
	if c.left == 0 && stale {
		c.left = 1
	}
}
