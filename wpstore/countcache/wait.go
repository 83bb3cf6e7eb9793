package countcache

import (
	"context"
	"time"
)

// Ours implements changefeed.Watcher: it reports whether a transaction is ours and committed.
// It waits while one may be whose COMMIT isn't answered yet, at most answerWait.
func (m *Memory) Ours(ctx context.Context, gtid string) bool {
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	for {
		m.mu.Lock()
		ours, open, answered := m.own[gtid], len(m.open), m.answer()
		m.mu.Unlock()
		if ours || open == 0 {
			return ours
		}
		select {
		case <-answered:
		case <-ctx.Done():
			return false
		}
	}
}

// answer returns a channel that is closed when the next COMMIT is answered. m.mu is locked.
func (m *Memory) answer() chan struct{} {
	if m.answered == nil {
		m.answered = make(chan struct{})
	}
	return m.answered
}

// settled waits a moment until it is known who has written what the log has shown, and says
// whether it is. m.mu is locked before and afterwards.
func (m *Memory) settled() bool {
	timeout := time.NewTimer(settleWait)
	defer timeout.Stop()
	for m.following && len(m.shown) > 0 {
		answered := m.answer()
		m.mu.Unlock()
		select {
		case <-answered:
			m.mu.Lock()
		case <-timeout.C:
			m.mu.Lock()
			return m.following && len(m.shown) == 0
		}
	}
	return m.following
}
