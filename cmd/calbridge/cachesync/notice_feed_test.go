package cachesync

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/rest/metrics"
	"calbridge/rest/notice"
	"calbridge/wpstore/invalidation"
)

// sender simulates a WordPress with the companion plugin, and a clock.
type sender struct {
	t    *testing.T
	sync *Sync
	log  bytes.Buffer
	now  time.Time
	mark notice.Mark
	err  error // the error of reading the row
}

func newSender(t *testing.T) *sender {
	s := &sender{t: t, now: time.Unix(1_800_000_000, 0), mark: notice.Mark{Epoch: strings.Repeat("a", 32), Number: 41}}
	tracker := invalidation.NewTracker()
	m := metrics.New(metrics.Build{}, metrics.Values{}).Caches
	s.sync = &Sync{tracker: tracker, metrics: m, store: openStore(t)}
	f := newNoticeFeed(tracker, m, slog.New(slog.NewTextHandler(&s.log, nil)))
	f.last = func(context.Context) (notice.Mark, error) { return s.mark, s.err }
	f.now = func() time.Time { return s.now }
	s.sync.notices = f
	return s
}

// pass advances the clock and calls look each second.
func (s *sender) pass(d time.Duration) {
	for ; d > 0; d -= lookEvery {
		s.now = s.now.Add(lookEvery)
		s.sync.notices.look(s.t.Context())
	}
}

// change changes a post and returns the notice about it.
func (s *sender) change(post int64) notice.Notice {
	s.mark.Number++
	return notice.Notice{Posts: []int64{post}, Mark: s.mark}
}

// fresh reports whether a response rendered at since would still be served for a post.
func (s *sender) fresh(since uint64, post int64) bool {
	return s.sync.tracker.Fresh(since, []invalidation.Tag{{Kind: invalidation.Post, ID: post}})
}

func (s *sender) expect(what string, since uint64, post int64, want bool) {
	s.t.Helper()
	if got := s.fresh(since, post); got != want {
		s.t.Errorf("%s: post %d is served from memory: %v\n%s", what, post, got, &s.log)
	}
}

// started returns a sender whose feed already follows, after all earlier requests have ended.
func started(t *testing.T) (s *sender, since uint64) {
	s = newSender(t)
	s.pass(time.Second + noticeGrace)
	if !s.sync.tracker.Active() {
		t.Fatalf("does not follow\n%s", &s.log)
	}
	return s, s.sync.tracker.Generation()
}

func TestNoticeFeed(t *testing.T) {
	t.Run("arrives", func(t *testing.T) {
		s, since := started(t)
		s.sync.Invalidate(s.change(7))
		s.expect("named", since, 7, false)
		s.pass(time.Minute)
		s.expect("not named", since, 8, true)
	})
	t.Run("lost", func(t *testing.T) {
		s, since := started(t)
		s.change(7)
		s.pass(LostNoticeAfter - lookEvery - 1)
		s.expect("lost", since, 7, false)
		if n := strings.Count(s.log.String(), "were lost"); n != 1 {
			t.Errorf("logged %d times\n%s", n, &s.log)
		}
		since = s.sync.tracker.Generation()
		s.pass(time.Minute)
		s.expect("afterwards", since, 7, true)
	})
	t.Run("reordered", func(t *testing.T) {
		s, since := started(t)
		first, second := s.change(7), s.change(8)
		s.sync.Invalidate(second)
		s.pass(2 * time.Second)
		s.sync.Invalidate(first)
		s.pass(time.Minute)
		s.expect("named", since, 7, false)
		s.expect("named", since, 8, false)
		s.expect("not named", since, 9, true)
	})
	t.Run("doubled", func(t *testing.T) {
		s, since := started(t)
		n := s.change(7)
		s.sync.Invalidate(n)
		s.expect("once", since, 9, true)
		s.sync.Invalidate(n)
		s.expect("twice", since, 9, false)
	})
	t.Run("restarts counting", func(t *testing.T) {
		s, since := started(t)
		s.mark = notice.Mark{Epoch: strings.Repeat("b", 32), Number: 1}
		s.pass(time.Second)
		s.expect("the row is another", since, 9, false)
		since = s.sync.tracker.Generation()
		s.mark.Epoch = strings.Repeat("c", 32)
		s.sync.Invalidate(s.change(7))
		s.expect("a notice of another row", since, 9, false)
		since = s.sync.tracker.Generation()
		s.pass(noticeGrace)
		s.expect("requests that had begun before", since, 9, false)
	})
	t.Run("the row falls back", func(t *testing.T) { // a backup is restored
		s, since := started(t)
		s.mark.Number -= 20
		s.pass(time.Second)
		s.expect("restored", since, 9, false)
	})
	t.Run("the row is gone", func(t *testing.T) {
		s, since := started(t)
		s.err = errNoSequence
		s.pass(2 * time.Second)
		s.expect("for a moment", since, 9, true)
		s.pass(noticeGrace)
		if s.sync.tracker.Active() {
			t.Error("followed without the row")
		}
		s.err = nil
		s.pass(time.Second)
		s.expect("back", since, 9, false)
		if !s.sync.tracker.Active() {
			t.Error("not followed again")
		}
	})
	t.Run("never numbered", func(t *testing.T) {
		s := newSender(t)
		s.err = errNoSequence
		s.sync.Invalidate(s.change(7))
		s.pass(time.Minute)
		if s.sync.tracker.Active() || strings.Count(s.log.String(), "not followed") != 1 {
			t.Errorf("active: %v\n%s", s.sync.tracker.Active(), &s.log)
		}
	})
	t.Run("without a number", func(t *testing.T) {
		s, since := started(t)
		s.sync.Invalidate(notice.Notice{Posts: []int64{7}})
		s.expect("named", since, 7, false)
		s.expect("not named", since, 8, true)
	})
}

// TestNoticesDenied checks that a WordPress that denies sending notices is not relied on, and
// that one that doesn't respond is.
func TestNoticesDenied(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"it sends some": {nil, true}, "it sends none": {ErrSendsNone, false}, "no answer": {errors.New("refused"), true},
	} {
		s := newSender(t)
		ctx, stop := context.WithCancel(t.Context())
		f := s.sync.notices
		f.denied = errors.New("not yet")
		asked := make(chan struct{})
		f.sends = func(context.Context) error { defer close(asked); return c.err }
		var work sync.WaitGroup
		work.Go(func() { f.confirm(ctx) })
		<-asked
		stop()
		work.Wait()
		s.pass(time.Second)
		if got := s.sync.tracker.Active(); got != c.want {
			t.Errorf("%s: followed %v", name, got)
		}
	}
}

// TestNoticeFlood checks that no response is older than promised, whatever is lost, doubled
// and reordered among many notices of several processes.
func TestNoticeFlood(t *testing.T) {
	s, _ := started(t)
	random := rand.New(rand.NewPCG(3, 4))
	type change struct {
		post  int64
		since uint64 // when the response was rendered, before the change
		by    time.Time
	}
	var pending []change
	var way []notice.Notice
	for round := range 300 {
		for range random.IntN(200) {
			post := random.Int64N(1000) + 1
			pending = append(pending, change{post, s.sync.tracker.Generation(), s.now.Add(LostNoticeAfter)})
			n := s.change(post)
			switch what := random.IntN(50); {
			case what == 0: // the notice is lost
			case what == 1 && round > 200:
				way = append(way, n, n)
			default:
				way = append(way, n)
			}
		}
		random.Shuffle(len(way), func(i, j int) { way[i], way[j] = way[j], way[i] })
		arriving := len(way) * 3 / 4
		for _, n := range way[:arriving] {
			s.sync.Invalidate(n)
		}
		way = way[arriving:]
		s.pass(time.Second)
		left := pending[:0]
		for _, c := range pending {
			if s.now.Before(c.by) {
				left = append(left, c)
			} else if s.fresh(c.since, c.post) {
				t.Fatalf("post %d is stale", c.post)
			}
		}
		pending = left
	}
}
