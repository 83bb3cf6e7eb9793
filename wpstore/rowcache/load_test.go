package rowcache_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/rowcache"
)

// loader loads the terms of posts, and records for which ids.
type loader struct {
	loaded []int64
	err    error
}

// load returns a term 100 more than the id for each post but 9, which has none.
func (l *loader) load(ids []int64) (map[int64][]wpstore.Term, error) {
	l.loaded = slices.Clone(ids)
	found := map[int64][]wpstore.Term{}
	for _, id := range ids {
		if id != 9 {
			found[id] = []wpstore.Term{{ID: 100 + id, Name: fmt.Sprint("term ", id)}}
		}
	}
	return found, l.err
}

// site is a cache with the posts 1, 2 and 9 in it.
type site struct {
	cache   *rowcache.Cache
	tracker *invalidation.Tracker
	l       loader
}

func newSite(t *testing.T) *site {
	s := &site{tracker: invalidation.NewTracker()}
	s.tracker.Resume(true)
	s.cache = rowcache.New(s.tracker, 1<<20)
	t.Cleanup(s.cache.Close)
	s.ask(t, s.view(nil), "a", []int64{1, 2, 9})
	return s
}

func (s *site) view(depends *invalidation.Dependencies) *rowcache.View {
	v := rowcache.NewView(s.cache, depends)
	v.Allow()
	return &v
}

// ask loads posts, checks what they have, and returns for which ids the loader was called.
func (s *site) ask(t *testing.T, view *rowcache.View, part string, ids []int64) []int64 {
	t.Helper()
	s.l.loaded = nil
	found, err := rowcache.Load(view, rowcache.Terms(part), ids, s.l.load)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if terms := found[id]; (id == 9) != (len(terms) == 0) || id != 9 && (terms[0].ID != 100+id || terms[0].Name != fmt.Sprint("term ", id)) {
			t.Errorf("post %d: %v", id, terms)
		}
	}
	return s.l.loaded
}

func TestLoad(t *testing.T) {
	var many []int64
	for id := range int64(501) {
		many = append(many, id)
	}
	tag := func(kind invalidation.Kind, id int64) func(*site) {
		return func(s *site) { s.tracker.Invalidate(invalidation.Tag{Kind: kind, ID: id}) }
	}
	nothing := func(*site) {}
	for _, c := range []struct {
		name   string
		change func(*site)
		part   string
		ids    []int64
		want   []int64 // ids that are loaded
	}{
		{"cached", nothing, "a", []int64{2, 1, 2}, nil},
		{"a post without terms", nothing, "a", []int64{9}, nil},
		{"one is missing", nothing, "a", []int64{1, 3, 2}, []int64{3}},
		{"another part", nothing, "b", []int64{1, 2}, []int64{1, 2}},
		{"no ids", nothing, "a", nil, nil},
		{"the post has changed", tag(invalidation.Post, 1), "a", []int64{1, 2}, []int64{1}},
		{"the term has changed", tag(invalidation.Term, 102), "a", []int64{1, 2}, []int64{2}},
		{"a post without terms has changed", tag(invalidation.Post, 9), "a", []int64{1, 9}, []int64{9}},
		{"another post has changed", tag(invalidation.Post, 5), "a", []int64{1, 2, 9}, nil},
		{"all may have changed", func(s *site) { s.tracker.InvalidateAll() }, "a", []int64{1, 2}, []int64{1, 2}},
		{"changes are unknown", func(s *site) { s.tracker.Suspend() }, "a", []int64{1, 2}, []int64{1, 2}},
		{"changes were missed", func(s *site) { s.tracker.Suspend(); s.tracker.Resume(true) }, "a", []int64{1, 2}, []int64{1, 2}},
		{"none was missed", func(s *site) { s.tracker.Suspend(); s.tracker.Resume(false) }, "a", []int64{1, 2}, nil},
		{"many", nothing, "a", many, many},
		{"nearly as many", nothing, "a", many[:500], slices.DeleteFunc(slices.Clone(many[:500]), func(id int64) bool { return id == 1 || id == 2 || id == 9 })},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t)
			c.change(s)
			if got := s.ask(t, s.view(nil), c.part, c.ids); !slices.Equal(got, c.want) {
				t.Errorf("%v were loaded, want %v", got, c.want)
			}
		})
	}
}

// TestViews: without permission, without a cache, or with a nil view everything is loaded.
func TestViews(t *testing.T) {
	s := newSite(t)
	suspended := s.view(nil)
	if !suspended.Caches() {
		t.Error("a view of a cache in use doesn't cache")
	}
	if s.tracker.Suspend(); suspended.Caches() {
		t.Error("caches while changes are unknown")
	}
	s.tracker.Resume(false)
	forbidden, without := rowcache.NewView(s.cache, nil), rowcache.NewView(nil, nil)
	without.Allow()
	for name, view := range map[string]*rowcache.View{"not allowed": &forbidden, "no cache": &without, "nil": nil, "zero": {}} {
		t.Run(name, func(t *testing.T) {
			for range 2 {
				if got := s.ask(t, view, "a", []int64{1, 2}); !slices.Equal(got, []int64{1, 2}) {
					t.Errorf("%v were loaded", got)
				}
			}
			if view.Caches() || view.Allowed() != (name == "no cache") {
				t.Errorf("allowed %v, caches %v", view.Allowed(), view.Caches())
			}
		})
	}
}

// TestLoadDepends: what comes from the cache brings its tags with it. The loader adds those of
// what it loads.
func TestLoadDepends(t *testing.T) {
	s := newSite(t)
	depends := invalidation.NewDependencies()
	s.ask(t, s.view(depends), "a", []int64{1, 9, 3})
	got := map[invalidation.Tag]bool{}
	for _, tag := range depends.Tags() {
		got[tag] = true
	}
	want := map[invalidation.Tag]bool{{Kind: invalidation.Post, ID: 1}: true, {Kind: invalidation.Term, ID: 101}: true, {Kind: invalidation.Post, ID: 9}: true}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestLoadFails: nothing is cached of a failed load.
func TestLoadFails(t *testing.T) {
	s := newSite(t)
	s.l.err = errors.New("no connection")
	if found, err := rowcache.Load(s.view(nil), rowcache.Terms("a"), []int64{1, 3}, s.l.load); !errors.Is(err, s.l.err) || found != nil {
		t.Errorf("%v, %v", found, err)
	}
	s.l.err = nil
	if got := s.ask(t, s.view(nil), "a", []int64{1, 3}); !slices.Equal(got, []int64{3}) {
		t.Errorf("%v were loaded", got)
	}
}

// TestChangedMeanwhile: rows that change while they are loaded are not taken from the cache
// afterwards, nor are those that a replica lacks.
func TestChangedMeanwhile(t *testing.T) {
	changed := invalidation.Tag{Kind: invalidation.Post, ID: 3}
	s := newSite(t)
	_, err := rowcache.Load(s.view(nil), rowcache.Terms("a"), []int64{3}, func(ids []int64) (map[int64][]wpstore.Term, error) {
		s.tracker.Invalidate(changed)
		return s.l.load(ids)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.ask(t, s.view(nil), "a", []int64{3}); !slices.Equal(got, []int64{3}) {
		t.Errorf("changed while it was loaded: %v were loaded", got)
	}
	replica := s.view(nil)
	replica.ReadAsOf(replica.Generation())
	s.tracker.Invalidate(changed)
	s.ask(t, replica, "a", []int64{3})
	if got := s.ask(t, s.view(nil), "a", []int64{3}); !slices.Equal(got, []int64{3}) {
		t.Errorf("loaded from a replica that lags: %v were loaded", got)
	}
}
