package journal

import "sync"

const (
	// recentMost is how many answers of Since are kept, and recentEvents from how many events
	// on one isn't.
	recentMost   = 8
	recentEvents = 1000
)

// question is what an answer of Since depends on: the arguments, and what is in the file.
type question struct {
	run  string // of the file that is open
	seq  int64  // its last sequence number
	from Position
	upTo int64
	most uint64
}

// recent are the last answers of Since: the next page of the same client asks for the same
// changes again, and so do other clients that were as far.
type recent struct {
	mu      sync.Mutex
	answers []recentAnswer // the oldest first
}

type recentAnswer struct {
	question
	*Changes
}

// get returns an answer, nil if it isn't kept.
func (r *recent) get(q question) *Changes {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.answers {
		if r.answers[i].question == q {
			return r.answers[i].Changes
		}
	}
	return nil
}

// put keeps an answer.
func (r *recent) put(q question, c *Changes) {
	if len(c.Events) > recentEvents || len(c.Tags)+len(c.Posts) > recentEvents {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.answers) == recentMost {
		r.answers = append(r.answers[:0], r.answers[1:]...)
	}
	r.answers = append(r.answers, recentAnswer{q, c})
}
