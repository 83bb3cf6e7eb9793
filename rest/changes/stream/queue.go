package stream

import "time"

// chunk is a part of a stream that all clients of a group get: changes between two cursors, or
// a reset.
type chunk struct {
	from, to Cursor
	bytes    []byte
	reported time.Time // zero where time alone has changed the list
}

// maxQueued is how many bytes wait for one client. A chunk that is longer may wait alone.
const maxQueued = 1 << 20

// queue is what is on its way to one client. Its group's lock guards it.
type queue struct {
	signal chan struct{} // has an element when there is something to do
	chunks []*chunk
	size   int
	// full: chunks after those in the queue are missing. ended is why the group has ended.
	full  bool
	ended string
}

func newQueue() *queue { return &queue{signal: make(chan struct{}, 1)} }

// put adds a chunk. It returns false, also for all later ones, if there is no room.
func (q *queue) put(c *chunk) bool {
	if len(q.chunks) > 0 && q.size+len(c.bytes) > maxQueued {
		q.full = true
	}
	if !q.full {
		q.chunks = append(q.chunks, c)
		q.size += len(c.bytes)
	}
	q.wake()
	return !q.full
}

// end says that nothing follows.
func (q *queue) end(why string) {
	q.ended = why
	q.wake()
}

func (q *queue) wake() {
	select {
	case q.signal <- struct{}{}:
	default:
	}
}

// take removes all chunks, and returns why none follow, "" if some may.
func (q *queue) take() (chunks []*chunk, ended string) {
	chunks, q.chunks, q.size = q.chunks, nil, 0
	if q.full {
		return chunks, EndedSlow
	}
	return chunks, q.ended
}
