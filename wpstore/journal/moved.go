package journal

import "time"

// Move is the next time that the journal records what has changed.
type Move struct {
	done     chan struct{}
	reported time.Time
}

func newMove() *Move { return &Move{done: make(chan struct{})} }

// Done returns a channel that is closed when it has.
func (m *Move) Done() <-chan struct{} { return m.done }

// Reported returns when the first of those changes was reported; only after Done.
func (m *Move) Reported() time.Time { return m.reported }

// Next returns the next move after the call. A caller that reads the journal after Next and then
// waits for the move misses nothing.
func (j *Journal) Next() *Move {
	j.queue.mu.Lock()
	defer j.queue.mu.Unlock()
	return j.queue.next
}
