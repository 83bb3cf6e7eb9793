package figures

import (
	"sync/atomic"
	"time"
)

// State describes whether one of several sites is served.
type State string

// The states.
const (
	Open   State = "open"   // in memory
	Idle   State = "idle"   // the next request opens it
	Broken State = "broken" // it can't be opened
	Closed State = "closed" // WordPress answers with 410
)

// Site holds what one of several sites has done since the start of the process.
type Site struct {
	Name, Address, Mode string
	State               State
	Why                 string // it is broken or closed
	Requests, Failed    uint64 // Failed had status 5xx or no response
	// Answers counts requests that the response cache could have answered, and Hits those that it has.
	Answers, Hits uint64
	Took          Histogram
	Bytes         uint64 // memory of its caches
}

// Traffic counts the requests of a site. The zero value is ready. It is safe for concurrent use.
type Traffic struct {
	requests, failed, answers, hits atomic.Uint64
	took                            [len(tookBounds{}) + 1]atomic.Uint64
}

// tookBounds holds the upper bounds of durations, in seconds.
type tookBounds [14]float64

func bounds() tookBounds {
	return tookBounds{.0002, .0005, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5}
}

// Count counts a request. cacheable reports that the response cache could answer it, and hit that it has.
func (t *Traffic) Count(status int, took time.Duration, cacheable, hit bool) {
	t.requests.Add(1)
	if status == 0 || status >= 500 {
		t.failed.Add(1)
	}
	if cacheable {
		t.answers.Add(1)
	}
	if hit {
		t.hits.Add(1)
	}
	at := 0
	for _, bound := range bounds() {
		if took.Seconds() <= bound {
			break
		}
		at++
	}
	t.took[at].Add(1)
}

// AddTo sets what a Site has counted.
func (t *Traffic) AddTo(s *Site) {
	s.Requests, s.Failed, s.Answers, s.Hits = t.requests.Load(), t.failed.Load(), t.answers.Load(), t.hits.Load()
	s.Took = Histogram{upTo: map[float64]float64{}}
	for i, bound := range bounds() {
		s.Took.count += float64(t.took[i].Load())
		s.Took.upTo[bound] = s.Took.count
	}
	s.Took.count += float64(t.took[len(t.took)-1].Load())
}
