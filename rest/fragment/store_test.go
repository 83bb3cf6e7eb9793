package fragment

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/invalidation"
)

// site is a store with a clock and a WordPress that adds members to our rendering.
type site struct {
	*Store
	t       *testing.T
	tracker *invalidation.Tracker
	now     time.Time
	until   time.Time
	last    Composed
}

func newSite(t *testing.T) *site {
	s := &site{t: t, tracker: invalidation.NewTracker(), now: time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)}
	s.tracker.Resume(true)
	s.Store = New(Config{Tracker: s.tracker, MaxAge: 10 * time.Minute, StaleIfError: time.Hour, Apart: provingTime, Bytes: 1 << 20, Now: func() time.Time { return s.now }})
	return s
}

const provingTime = time.Minute

func here() Place { return Place{Route: "/events", Site: "https://town.example"} }

// list returns a list of objects, given by their ids and further members.
func list(objects ...string) string {
	return `{"events":[` + strings.Join(objects, ",") + `],"total":` + fmt.Sprint(len(objects)) + `}`
}

// tags returns those of a list that has the events 1 to 40 and the venue 50.
func tags() []invalidation.Tag {
	all := []invalidation.Tag{{Kind: invalidation.Site}, {Kind: invalidation.Events}, {Kind: invalidation.Post, ID: 50}}
	for id := range int64(40) {
		all = append(all, post(id+1))
	}
	return all
}

func post(id int64) invalidation.Tag { return invalidation.Tag{Kind: invalidation.Post, ID: id} }

func (s *site) fill(ours, theirs string) (changed bool) { return s.fillFrom(s.Begin(), ours, theirs) }

// stabilize proves that n other objects than one and two are stable.
func (s *site) stabilize(n int) {
	s.t.Helper()
	var all []string
	for id := range n {
		all = append(all, fmt.Sprintf(`{"id":%d}`, id+3))
	}
	s.prove(list(all...), list(all...))
}

func (s *site) fillFrom(begun Stamp, ours, theirs string) (changed bool) {
	s.t.Helper()
	return s.Fill(&Fill{Place: here(), Begun: begun, Ours: mustSplit(s.t, ours), Theirs: mustSplit(s.t, theirs), Tags: tags(), Until: s.until})
}

// compose returns the composed response, "" if a fragment is missing.
func (s *site) compose(ours string) string {
	s.t.Helper()
	c, o := s.Compose(here(), mustSplit(s.t, ours), false)
	if o != Complete {
		return ""
	}
	s.last = c
	return string(c.Body)
}

// prove makes two identical fills a minute apart.
func (s *site) prove(ours, theirs string) {
	s.t.Helper()
	s.fill(ours, theirs)
	s.now = s.now.Add(provingTime)
	s.fill(ours, theirs)
}

func (s *site) expect(what, ours, want string) {
	s.t.Helper()
	if got := s.compose(ours); got != want {
		s.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

const (
	one, two     = `{"id":1,"venue":{"id":50}}`, `{"id":2}`
	oneWP, twoWP = `{"id":1,"venue":{"id":50},"dress":"black"}`, `{"id":2,"dress":"white"}`
)

// TestProof checks that a place is proven by two identical fills a minute apart, and that one fill
// suffices afterwards.
func TestProof(t *testing.T) {
	s := newSite(t)
	s.fill(list(one), list(oneWP))
	s.expect("one fill", list(one), "")
	s.now = s.now.Add(provingTime - time.Second)
	s.fill(list(one), list(oneWP))
	s.expect("two fills within a minute", list(one), "")
	s.now = s.now.Add(time.Second)
	s.fill(list(one), list(oneWP))
	s.expect("two fills a minute apart", list(one), list(oneWP))
	s.expect("an object without a fragment", list(one, two), "")
	s.fill(list(two), list(twoWP))
	s.expect("one fill in a proven place", list(one, two), list(oneWP, twoWP))
	s.expect("another envelope", `{"events":[`+two+`],"page":9}`, `{"events":[`+twoWP+`],"page":9}`)
	if c, o := s.Compose(Place{Route: "/events", Site: "http://town.example"}, mustSplit(t, list(one)), false); o != Missing {
		t.Errorf("another place: %s", c.Body)
	}
	if f := s.Figures(); f.Hits != 3 || f.Fills != 4 || f.Held != 2 {
		t.Errorf("%+v", f)
	}
}

// TestEnds checks what ends a fragment, and what doesn't.
func TestEnds(t *testing.T) {
	same := func(s *site) { s.prove(list(one), list(one)) }
	foreign := func(s *site) { s.prove(list(one), list(oneWP)) }
	for _, c := range []struct {
		name  string
		fill  func(*site)
		after func(*site)
		ours  string
		ends  Ending // "" if the fragment is served
	}{
		{name: "nothing", fill: foreign, after: func(*site) {}},
		{name: "another event", fill: foreign, after: func(s *site) { s.tracker.Invalidate(post(3), invalidation.Tag{Kind: invalidation.Events}) }},
		{name: "the event", fill: foreign, after: func(s *site) { s.tracker.Invalidate(post(1)) }, ends: EndRows},
		{name: "its venue", fill: foreign, after: func(s *site) { s.tracker.Invalidate(post(50)) }, ends: EndRows},
		{name: "an option", fill: foreign, after: func(s *site) { s.tracker.Invalidate(invalidation.Tag{Kind: invalidation.Site}) }, ends: EndRows},
		{name: "everything", fill: foreign, after: func(s *site) { s.tracker.InvalidateAll() }, ends: EndRows},
		{name: "changes don't arrive", fill: foreign, after: func(s *site) { s.tracker.Suspend() }, ends: EndRows},
		{name: "something is hidden", fill: foreign, after: func(s *site) { s.Hide() }, ends: EndHidden},
		{name: "something is hidden, and the fragment is like ours", fill: same, after: func(s *site) { s.Hide() }},
		{name: "just below the age", fill: foreign, after: func(s *site) { s.now = s.now.Add(10*time.Minute - time.Second) }},
		{name: "age", fill: foreign, after: func(s *site) { s.now = s.now.Add(10 * time.Minute) }, ends: EndAge},
		{name: "long after", fill: foreign, after: func(s *site) { s.now = s.now.Add(2 * time.Hour) }, ends: EndAge},
		{name: "time", fill: func(s *site) { s.until = s.now.Add(2 * provingTime); foreign(s) }, after: func(s *site) { s.now = s.now.Add(provingTime) }, ends: EndTime},
		{name: "facts", fill: foreign, after: func(s *site) { s.Reset() }, ends: EndFacts},
		{name: "objects", fill: foreign, after: func(s *site) { s.End(EndObjects) }, ends: EndObjects},
		{name: "our rendering is another", fill: foreign, after: func(*site) {}, ours: list(`{"id":1,"venue":{"id":50},"title":"new"}`), ends: "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t)
			c.fill(s)
			c.after(s)
			ours := c.ours
			if ours == "" {
				ours = list(one)
			}
			if served := s.compose(ours) != ""; served != (c.ends == "") {
				t.Errorf("served: %t", served)
			}
			ends := s.Figures().Endings
			if c.ends == "" && len(ends) > 0 || c.ends != "" && c.ends != "none" && ends[c.ends] != 1 {
				t.Errorf("endings: %v", ends)
			}
		})
	}
}

// TestAway checks that fragments are served for longer while WordPress is down, but not when their
// rows change.
func TestAway(t *testing.T) {
	s := newSite(t)
	s.prove(list(one), list(oneWP))
	away := func() bool {
		_, o := s.Compose(here(), mustSplit(t, list(one)), true)
		return o == Complete
	}
	s.now = s.now.Add(30 * time.Minute)
	s.expect("too old", list(one), "")
	if !away() {
		t.Error("not served while WordPress is down")
	}
	s.now = s.now.Add(30 * time.Minute)
	if away() {
		t.Error("served for more than an hour")
	}
	s.prove(list(one), list(oneWP))
	s.tracker.Invalidate(post(1))
	if away() {
		t.Error("served although a row has changed")
	}
}

// TestRefusedFills checks which fills are not stored.
func TestRefusedFills(t *testing.T) {
	for _, c := range []struct {
		name string
		fill func(*site, Stamp)
	}{
		{"rows changed meanwhile", func(s *site, begun Stamp) {
			s.tracker.Invalidate(post(1))
			s.fillFrom(begun, list(one), list(oneWP))
		}},
		{"something was hidden meanwhile", func(s *site, begun Stamp) {
			s.Hide()
			s.fillFrom(begun, list(one), list(oneWP))
		}},
		{"it is too late", func(s *site, begun Stamp) {
			s.until = s.now
			s.fillFrom(begun, list(one), list(oneWP))
		}},
		{"other objects", func(s *site, begun Stamp) { s.fillFrom(begun, list(one), list(oneWP, twoWP)) }},
		{"an object of which no tag is known", func(s *site, begun Stamp) { s.fillFrom(begun, list(`{"id":77}`), list(`{"id":77,"a":1}`)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t)
			c.fill(s, s.Begin())
			if n := s.Figures().Held; n != 0 {
				t.Errorf("%d fragments", n)
			}
		})
	}
	s := newSite(t)
	begun := s.Begin()
	s.tracker.Invalidate(post(2))
	s.fillFrom(begun, list(one, two), list(oneWP, twoWP))
	if n := s.Figures().Held; n != 1 {
		t.Errorf("one of two changed: %d fragments", n)
	}
}

// TestVolatile checks that nothing of a place is served whose rendering varies by itself, and that
// the member is reported.
func TestVolatile(t *testing.T) {
	other := `{"id":1,"venue":{"id":50},"dress":"red"}`
	t.Run("between two responses", func(t *testing.T) {
		s := newSite(t)
		s.prove(list(one), list(oneWP))
		if !s.Contradict(here(), s.Begin(), mustSplit(t, list(oneWP)), mustSplit(t, list(other))) {
			t.Error("they don't differ")
		}
		s.expect("volatile", list(one), "")
		s.prove(list(one), list(oneWP))
		s.expect("proven again", list(one), "")
		if v := s.Volatile(); len(v) != 1 || len(v[0].Members) != 1 || v[0].Members[0] != "dress" || s.Figures().Volatile != 1 {
			t.Errorf("%+v", v)
		}
		s.stabilize(stablePerVolatile - 1)
		s.prove(list(two), list(two))
		s.expect("another object, one in eleven varies", list(two), list(two))
		s.expect("volatile all the same", list(one), "")
		if _, o := s.Compose(here(), mustSplit(t, list(two, one)), false); o != Varying {
			t.Errorf("outcome %d", o)
		}
		s.Contradict(here(), s.Begin(), mustSplit(t, list(two)), mustSplit(t, list(twoWP)))
		s.expect("one in six varies", list(`{"id":3}`), "")
		s.stabilize(2 * stablePerVolatile)
		s.expect("one in eleven varies again", list(`{"id":3}`), list(`{"id":3}`))
		s.Reset()
		s.prove(list(one), list(oneWP))
		s.expect("other code", list(one), list(oneWP))
	})
	t.Run("between two responses, while another row changes", func(t *testing.T) {
		s := newSite(t)
		s.prove(list(one), list(oneWP))
		begun := s.Begin()
		s.tracker.Invalidate(post(9))
		s.Contradict(here(), begun, mustSplit(t, list(oneWP)), mustSplit(t, list(other)))
		s.expect("not volatile", list(one), list(oneWP))
	})
	t.Run("between two responses, while an unknown table changes", func(t *testing.T) {
		s := newSite(t)
		s.prove(list(one), list(oneWP))
		begun := s.Begin()
		s.End(EndObjects)
		s.Contradict(here(), begun, mustSplit(t, list(oneWP)), mustSplit(t, list(other)))
		s.prove(list(one), list(oneWP))
		s.expect("not volatile", list(one), list(oneWP))
	})
	t.Run("between fills", func(t *testing.T) {
		s := newSite(t)
		s.prove(list(one), list(oneWP))
		s.fill(list(one), list(other))
		s.prove(list(one), list(oneWP))
		s.expect("volatile", list(one), "")
	})
	t.Run("some time later", func(t *testing.T) {
		s := newSite(t)
		for n := range maxSlips {
			s.prove(list(one), list(oneWP))
			s.expect("proven", list(one), list(oneWP))
			s.now = s.now.Add(provingTime)
			s.fill(list(one), list(other))
			s.expect("differs", list(one), "")
			if s.Figures().Volatile != 0 != (n == maxSlips-1) {
				t.Errorf("volatile after %d changes", n+1)
			}
			s.End(EndObjects)
		}
	})
	t.Run("because of another row", func(t *testing.T) {
		s := newSite(t)
		s.prove(list(one), list(oneWP))
		s.tracker.Invalidate(post(9))
		s.fill(list(one), list(other))
		s.expect("proof ended", list(one), "")
		s.now = s.now.Add(provingTime)
		s.fill(list(one), list(other))
		s.expect("proven again", list(one), list(other))
	})
}

// TestPosition checks that a rendering that may depend on the objects before it is served only
// behind the same ones.
func TestPosition(t *testing.T) {
	text := func(id int, number string) string {
		return fmt.Sprintf(`{"id":%d,"description":"<p>a<\/p>%s"}`, id, number)
	}
	ours := func(id int) string { return text(id, "") }
	for _, c := range []struct {
		name string
		// render returns WordPress's rendering of an object, whose position in the list begins at 1.
		render func(id, position int) string
		// shared reports that fragments are served at other positions.
		shared bool
	}{
		{"our rendering", func(id, _ int) string { return ours(id) }, true},
		{"a member without markup", func(id, _ int) string { return strings.Replace(ours(id), "}", `,"dress":"black"}`, 1) }, true},
		{"numbered markup", func(id, position int) string { return text(id, fmt.Sprintf(`<div id='gallery-%d'>`, position)) }, false},
		{"a number without markup", func(id, position int) string {
			return strings.Replace(ours(id), "}", fmt.Sprintf(`,"position":"no. %d"}`, position), 1)
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t)
			pages := [][]int{{1, 2, 3}, {3, 2}, {2, 1, 3}}
			build := func(ids []int) (our, their string) {
				var a, b []string
				for i, id := range ids {
					a, b = append(a, ours(id)), append(b, c.render(id, i+1))
				}
				return list(a...), list(b...)
			}
			for range 2 {
				for _, ids := range pages {
					our, their := build(ids)
					s.prove(our, their)
				}
			}
			for _, ids := range append(pages, []int{3, 1}, []int{2}) {
				our, their := build(ids)
				if got := s.compose(our); got != "" && got != their {
					t.Errorf("%v: wrong: %s", ids, got)
				}
			}
			for _, ids := range pages {
				our, their := build(ids)
				s.expect(fmt.Sprint(ids), our, their)
			}
			our, _ := build([]int{3, 1})
			if shared := s.compose(our) != ""; shared != c.shared {
				t.Errorf("served at another position: %t", shared)
			}
			if v := s.Volatile(); v != nil {
				t.Errorf("volatile: %+v", v)
			}
		})
	}
}

// TestOldRenderings checks that the fragment of a rendering of ours from before a change is dropped
// when there is a new one, but not that of a rendering in another position.
func TestOldRenderings(t *testing.T) {
	s := newSite(t)
	for n := range 10 {
		title := fmt.Sprintf(`{"id":1,"venue":{"id":50},"title":"%d"}`, n)
		s.tracker.Invalidate(post(1))
		s.fill(list(title), list(strings.Replace(title, "title", "name", 1)))
	}
	s.fill(list(`{"id":1,"gallery":2}`), list(`{"id":1,"gallery":2}`))
	if f := s.Figures(); f.Held != 2 || f.Endings[EndRows] != 9 {
		t.Errorf("%+v", f)
	}
}

// TestUntil checks when a composed response expires and when it is requested again.
func TestUntil(t *testing.T) {
	s := newSite(t)
	s.prove(list(one), list(oneWP))
	first := s.now
	s.now = s.now.Add(time.Minute)
	s.fill(list(two), list(twoWP))
	s.compose(list(one, two))
	if until := first.Add(10 * time.Minute); !s.last.Until.Equal(until) || !s.last.Refill.Equal(until.Add(-150*time.Second)) {
		t.Errorf("until %s, refill %s", s.last.Until, s.last.Refill)
	}
	s.until = s.now.Add(time.Minute)
	s.fill(list(one), list(oneWP))
	if s.compose(list(one)); !s.last.Until.Equal(s.until) {
		t.Errorf("until %s", s.last.Until)
	}
	version := s.Version()
	s.Hide()
	if s.Version() == version {
		t.Error("a composed response outlives what is hidden")
	}
}

// TestBounds checks that the memory is bounded.
func TestBounds(t *testing.T) {
	s := newSite(t)
	s.Store = New(Config{Tracker: s.tracker, MaxAge: time.Hour, Apart: provingTime, Bytes: 1 << 16, Now: func() time.Time { return s.now }})
	for n := range 2000 {
		at := here()
		at.Fields = fmt.Sprint(n)
		long := `{"id":1,"text":"` + strings.Repeat("x", 1000) + `"}`
		s.Fill(&Fill{Place: at, Begun: s.Begin(), Ours: mustSplit(t, list(one)), Theirs: mustSplit(t, list(long)), Tags: tags()})
	}
	s.held.CleanUp()
	if f := s.Figures(); f.Bytes > 1<<16 || f.Held == 0 || len(s.places) > maxPlaces {
		t.Errorf("%+v, %d places", f, len(s.places))
	}
}

// TestWeight checks that the weights of fragments are about the memory that they take.
func TestWeight(t *testing.T) {
	const n = 5000
	s := newSite(t)
	s.Store = New(Config{Tracker: s.tracker, MaxAge: time.Hour, Apart: provingTime, Bytes: 1 << 30, Now: func() time.Time { return s.now }})
	before := heap()
	for id := range int64(n) {
		ours := fmt.Sprintf(`{"id":%d,"venue":{"id":50}}`, id+1)
		theirs := fmt.Sprintf(`{"id":%d,"venue":{"id":50},"dress":"%s"}`, id+1, strings.Repeat("x", 2000))
		s.Fill(&Fill{Place: here(), Begun: s.Begin(), Ours: mustSplit(t, ours), Theirs: mustSplit(t, theirs), Tags: []invalidation.Tag{post(id + 1), post(50), {Kind: invalidation.Site}}})
	}
	s.held.CleanUp()
	taken, weight := heap()-before, s.Figures().Bytes
	t.Logf("%d bytes per fragment, weight %d", taken/n, weight/n)
	if ratio := float64(weight) / float64(taken); ratio < 0.8 || ratio > 1.3 {
		t.Errorf("%d fragments take %d bytes and weigh %d", n, taken, weight)
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkCompose composes a list of ten objects.
func BenchmarkCompose(b *testing.B) {
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	now := time.Now()
	s := New(Config{Tracker: tracker, MaxAge: time.Hour, Apart: provingTime, Bytes: 1 << 20, Now: func() time.Time { return now }})
	var a, c []string
	all := tags()
	for id := range int64(10) {
		ours := fmt.Sprintf(`{"id":%d,"description":"%s"`, id+1, strings.Repeat("x", 3000))
		a, c = append(a, ours+"}"), append(c, ours+`,"dress":"black"}`)
		all = append(all, post(id+1))
	}
	fill := &Fill{Place: here(), Begun: s.Begin(), Ours: mustSplit(b, list(a...)), Theirs: mustSplit(b, list(c...)), Tags: all}
	s.Fill(fill)
	now = now.Add(provingTime)
	s.Fill(fill)
	ours := []byte(list(a...))
	b.Run("composed", func(b *testing.B) {
		b.ReportAllocs()
		d, _ := Split(ours)
		for b.Loop() {
			if _, o := s.Compose(here(), d, false); o != Complete {
				b.Fatal("a fragment is missing")
			}
		}
	})
	b.Run("split", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Split(ours); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestChanged checks that a fill reports objects that have changed although their rows have not.
func TestChanged(t *testing.T) {
	const white = `{"id":1,"venue":{"id":50},"dress":"white"}`
	for _, c := range []struct {
		name     string
		meantime func(*site)
		ours     string
		want     bool
	}{
		{"nothing", func(*site) {}, one, true},
		{"all objects end", func(s *site) { s.End(EndObjects) }, one, true},
		{"it expires", func(s *site) { s.now = s.now.Add(2 * time.Hour) }, one, true},
		{"another row", func(s *site) { s.tracker.Invalidate(post(2)) }, one, true},
		{"its row", func(s *site) { s.tracker.Invalidate(post(1)) }, one, false},
		{"the venue's row", func(s *site) { s.tracker.Invalidate(post(50)) }, one, false},
		{"code", func(s *site) { s.Reset() }, one, false},
		{"our rendering", func(*site) {}, `{"id":1,"venue":{"id":50},"title":"Fair"}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t)
			if s.fill(list(one), list(oneWP)) || s.fill(list(one, two), list(oneWP, twoWP)) {
				t.Error("nothing has changed yet")
			}
			c.meantime(s)
			if got := s.fill(list(c.ours, two), list(white, twoWP)); got != c.want {
				t.Errorf("changed: %t", got)
			}
		})
	}
}

// TestObject checks when WordPress's rendering of a single object is known without ours.
func TestObject(t *testing.T) {
	const ours, theirs = `{"id":1,"description":"[map]"}`, `{"id":1,"description":"<p>Map<\/p>"}`
	for _, c := range []struct {
		name   string
		theirs string
		after  func(*site)
		want   string
	}{
		{"held", theirs, func(*site) {}, theirs},
		{"the same as ours", ours, func(*site) {}, ""},
		{"what its response doesn't show", theirs, func(s *site) { s.tracker.Invalidate(post(41)) }, theirs},
		{"its rows", theirs, func(s *site) { s.tracker.Invalidate(post(1)) }, ""},
		{"age", theirs, func(s *site) { s.now = s.now.Add(10 * time.Minute) }, ""},
		{"something is hidden", theirs, func(s *site) { s.Hide() }, ""},
		{"objects", theirs, func(s *site) { s.End(EndObjects) }, ""},
		{"facts", theirs, func(s *site) { s.Reset() }, ""},
		{"WordPress sends something else", theirs, func(s *site) { s.fill(ours, strings.Replace(theirs, "Map", "Plan", 1)) }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t)
			s.fill(ours, c.theirs)
			if got := s.Object(here(), 1, false); got != nil {
				t.Errorf("after one fill: %s", got)
			}
			s.now = s.now.Add(provingTime)
			s.fill(ours, c.theirs)
			c.after(s)
			if got := s.Object(here(), 1, false); string(got) != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if got := s.Object(here(), 2, false); got != nil {
				t.Errorf("an object without a fragment: %s", got)
			}
		})
	}
}

// TestText checks which members are strings.
func TestText(t *testing.T) {
	const object = `{"id":1,"description":"<p>M\u00e4p<\/p>","venue":{"description":"v"},"cost":5}`
	for name, want := range map[string]string{"description": "<p>Mäp</p>", "venue": "", "cost": "", "excerpt": ""} {
		if got, ok := Text([]byte(object), name); got != want || ok != (want != "") {
			t.Errorf("%s: %q %t", name, got, ok)
		}
	}
	if _, ok := Text(nil, "description"); ok {
		t.Error("nothing has a description")
	}
}

// TestTermLists checks that the objects of a list that depends on the set of all terms are kept until a
// term changes.
func TestTermLists(t *testing.T) {
	s := newSite(t)
	const ours, theirs = `{"categories":[{"id":1,"name":"a"}]}`, `{"categories":[{"id":1,"name":"a","color":"red"}]}`
	at := Place{Route: "/categories"}
	fill := func() {
		t.Helper()
		s.Fill(&Fill{Place: at, Begun: s.Begin(), Ours: mustSplit(t, ours), Theirs: mustSplit(t, theirs), Tags: []invalidation.Tag{{Kind: invalidation.Site}, {Kind: invalidation.Terms}}})
	}
	expect := func(what string, want Outcome) {
		t.Helper()
		if c, o := s.Compose(at, mustSplit(t, ours), false); o != want || o == Complete && string(c.Body) != theirs {
			t.Errorf("%s: %v %s, want %v", what, o, c.Body, want)
		}
	}
	fill()
	s.now = s.now.Add(provingTime)
	fill()
	expect("two fills", Complete)
	s.tracker.Invalidate(post(1))
	expect("a post has changed", Complete)
	s.tracker.Invalidate(invalidation.Tag{Kind: invalidation.Terms})
	expect("a term has changed", Missing)
}
