package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/wpstore/synthetic"
)

// rivalry is the work that each rival does.
type rivalry struct {
	events, addresses, pages int
	// long is the time of each load of repeated reads and of writes; tail and stale are those of
	// the long tail and of the edits, of which one comes after each every.
	long, tail, stale, every time.Duration
	// edit sets the title of an event past the server, as another program does.
	edit func(ctx context.Context, id int, title string) error
	log  io.Writer
}

// rivalResult describes one work of one rival. Times are in milliseconds.
type rivalResult struct {
	Work      string  `json:"work"`
	Server    string  `json:"server"`
	Requests  int     `json:"requests"`
	Failed    int     `json:"failed"`
	PerSecond float64 `json:"per_second"`
	P50       float64 `json:"p50_ms"`
	P99       float64 `json:"p99_ms"`
	// Stale is the share of responses without an edit that was committed before the request. StaleP50
	// and Oldest are their ages: the median and the highest.
	Stale    float64 `json:"stale,omitempty"`
	StaleP50 float64 `json:"stale_p50_ms,omitempty"`
	Oldest   float64 `json:"oldest_ms,omitempty"`
	// form is that of the result in the table.
	form form
}

// form is a way to show a result.
type form int

const (
	perSecond form = iota
	perPage
	ages
)

// run measures a server that has cached nothing yet.
func (v *rivalry) run(ctx context.Context, r rival) ([]rivalResult, error) {
	fmt.Fprintln(v.log, "measuring", r.name)
	var all []rivalResult
	add := func(work string, form form, of rivalResult) error {
		of.Work, of.Server, of.form = work, r.name, form
		if of.Requests == 0 {
			return fmt.Errorf("%s: %s: all of %d requests failed", r.name, work, of.Failed)
		}
		all = append(all, of)
		return ctx.Err()
	}
	for _, series := range []struct {
		name string
		tail *tail
	}{
		{"long tail, 8 at once", newTail(r.base, v.events, v.addresses, 1000, true)},
		{"without searches, 8 at once", newTail(r.base, v.events, v.addresses, 1000+v.addresses, false)},
	} {
		if err := add(series.name, perSecond, load(ctx, r.target, 8, v.tail, math.MaxInt, series.tail.next)); err != nil {
			return all, err
		}
	}
	pages := min(v.pages, max(1, v.events*9/10/50)) // a few events are hidden
	for _, pass := range []string{"crawl of pages of 50, first", "crawl, again"} {
		crawl := load(ctx, r.target, 1, time.Hour, pages, func(i int) request {
			return request{method: "GET", path: fmt.Sprintf("%s/events?per_page=50&page=%d&start_date=2000-01-01&end_date=2100-01-01", r.base, i+1)}
		})
		if err := add(pass, perPage, crawl); err != nil {
			return all, err
		}
	}
	writes := scenario{}
	for _, s := range scenarios(r.base, v.events) {
		switch s.name {
		case "list of 10", "list of 50", "random event", "venues", "categories", "index":
			same := s.next(0)
			if err := add("repeated, 4 at once: "+s.name, perSecond, load(ctx, r.target, 4, v.long, math.MaxInt, func(int) request { return same })); err != nil {
				return all, err
			}
		case "creation of an event":
			writes = s
		}
	}
	for n, clients := range []int{1, 4} {
		first := n * 1_000_000
		if err := add(fmt.Sprintf("POST of an event, %d at once", clients), perSecond, load(ctx, r.target, clients, v.long, math.MaxInt, func(i int) request { return writes.next(first + i) })); err != nil {
			return all, err
		}
	}
	edited, err := v.edits(ctx, r)
	if err != nil {
		return all, err
	}
	return all, add("reads beside edits by SQL", ages, edited)
}

// load sends requests over some connections for a time: at least one over each, and at most a
// number of them. Requests that fail are counted, and their times are left out.
func load(ctx context.Context, t target, clients int, long time.Duration, most int, next func(i int) request) rivalResult {
	var mu sync.Mutex
	var times []time.Duration
	var r rivalResult
	var sent atomic.Int64
	var group sync.WaitGroup
	began := time.Now()
	for range clients {
		group.Go(func() {
			a := httpActor{client: &client{addr: t.addr, host: t.host}, next: next}
			defer a.close()
			for first := true; (first || time.Since(began) < long) && ctx.Err() == nil; first = false {
				i := int(sent.Add(1) - 1)
				if i >= most {
					return
				}
				start := time.Now()
				err := a.do(ctx, i)
				took := time.Since(start)
				mu.Lock()
				if err != nil {
					r.Failed++
				} else {
					times = append(times, took)
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	r.count(times, time.Since(began))
	return r
}

// count computes the figures of requests that were answered within the given time.
func (r *rivalResult) count(times []time.Duration, within time.Duration) {
	if len(times) == 0 {
		return
	}
	var of result
	of.count(times, within)
	r.Requests, r.PerSecond, r.P50, r.P99 = of.Requests, of.PerSecond, of.P50, of.P99
}

// tail is a series of requests of which few are frequent and many are rare.
type tail struct {
	addresses []request
	// until are the sums of the weights of the addresses up to each one.
	until []float64
}

// zipf is the exponent of the weights, which is usual for the pages of a site.
const zipf = 0.9

// newTail returns requests for a generated calendar. first is the number of the first address of its
// scenario. With searches, one address in a hundred is one.
func newTail(base string, events, addresses, first int, searches bool) *tail {
	var kinds []scenario
	var search scenario
	for _, s := range scenarios(base, events) {
		switch s.name {
		case "random month, 50", "random event", "random event by slug", "events of a random venue", "events of a random category":
			kinds = append(kinds, s)
		case "search":
			search = s
		}
	}
	t := &tail{}
	sum := 0.0
	for k := range addresses {
		s := kinds[k%len(kinds)]
		if searches && k%100 == 50 {
			s = search
		}
		sum += math.Pow(float64(k+1), -zipf)
		t.addresses, t.until = append(t.addresses, s.next(first+k)), append(t.until, sum)
	}
	return t
}

// next returns the i-th request, the same in each run.
func (t *tail) next(i int) request {
	at := rand.New(rand.NewPCG(4, uint64(i))).Float64() * t.until[len(t.until)-1]
	return t.addresses[min(sort.SearchFloat64s(t.until, at), len(t.addresses)-1)]
}

// edits changes the title of an event again and again past the server, and reads the event
// meanwhile.
func (v *rivalry) edits(ctx context.Context, r rival) (rivalResult, error) {
	const id = synthetic.FirstEvent
	var mu sync.Mutex
	var committed []time.Time // by the number in the title
	edit := func() error {
		mu.Lock()
		n := len(committed)
		mu.Unlock()
		if err := v.edit(ctx, id, fmt.Sprint("Edit ", n)); err != nil {
			return fmt.Errorf("edit an event: %w", err)
		}
		mu.Lock()
		committed = append(committed, time.Now())
		mu.Unlock()
		return nil
	}
	if err := edit(); err != nil {
		return rivalResult{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, v.stale)
	defer cancel()
	failed := make(chan error, 1)
	go func() {
		ticker := time.NewTicker(v.every)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				failed <- nil
				return
			case <-ticker.C:
			}
			if err := edit(); err != nil && ctx.Err() == nil {
				failed <- err
				cancel()
				return
			}
		}
	}()
	title := regexp.MustCompile(`"title":"Edit (\d+)"`)
	// age returns how long ago the edit after the one that a response shows was committed.
	age := func(body []byte, asked time.Time) time.Duration {
		shown := -1
		if m := title.FindSubmatch(body); m != nil {
			shown, _ = strconv.Atoi(string(m[1])) // only digits
		}
		mu.Lock()
		defer mu.Unlock()
		if shown+1 >= len(committed) {
			return 0
		}
		return max(0, asked.Sub(committed[shown+1]))
	}
	c := &client{addr: r.target.addr, host: r.target.host}
	defer c.close()
	var times, old []time.Duration
	var out rivalResult
	began := time.Now()
	for ctx.Err() == nil {
		asked := time.Now()
		status, body, err := c.do(context.WithoutCancel(ctx), request{method: "GET", path: fmt.Sprintf("%s/events/%d", r.base, id)})
		if err != nil || status != 200 {
			out.Failed++
		} else {
			times = append(times, time.Since(asked))
			if a := age(body, asked); a > 0 {
				old = append(old, a)
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	out.count(times, time.Since(began))
	if len(old) > 0 {
		slices.Sort(old)
		out.Stale, out.StaleP50, out.Oldest = float64(len(old))/float64(len(times)), milliseconds(old[len(old)/2]), milliseconds(old[len(old)-1])
	}
	return out, <-failed
}
