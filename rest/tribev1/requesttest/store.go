package requesttest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"calbridge/i18n"
	"calbridge/rest/calendar"
	"calbridge/wpstore"
)

// Store holds rows in memory, and records its calls. Methods that no test needs panic.
type Store struct {
	calendar.PostStore
	calendar.TermStore
	calendar.UserStore
	calendar.EventStore
	calendar.LinkedStore
	calendar.TicketStore

	Post map[int64]*wpstore.Post
	Meta map[int64]wpstore.Meta
	Term map[int64]wpstore.Term
	// OfPost are the terms of posts.
	OfPost map[int64][]int64
	// PostGroups and TermGroups are the translations, of posts and of terms.
	PostGroups, TermGroups map[int64]i18n.Group
	// Found returns the ids that a query of events finds, nil for all in the order of their ids.
	Found func(wpstore.EventQuery) []int64
	// Used and Upcoming are the venues and organizers that events, and upcoming events, link to.
	Used, Upcoming []int64

	// Failing is the error of the methods named in Fails, by name.
	Failing error
	Fails   string

	// Calls are the names of the methods that were called, in order. A real store makes a statement
	// for each, unless rows are cached.
	Calls []string
	// EventQueries, LinkedQueries and TermQueries are the queries made, Fragments those of the last search.
	EventQueries  []wpstore.EventQuery
	LinkedQueries []wpstore.LinkedQuery
	TermQueries   []wpstore.TermQuery
	Fragments     []string
	// Among are the posts that the last search, or the last look for events with venues, was among.
	Among *wpstore.Readable
}

// Stores returns the store as requests read from it.
func (s *Store) Stores() calendar.Stores {
	return calendar.Stores{Posts: s, Terms: s, Users: s, Events: s, Linked: s, Tickets: s, References: s}
}

// callFor records a call with ids. A real store makes no statement for none.
func (s *Store) callFor(ids []int64, name string) error {
	if len(ids) == 0 {
		return nil
	}
	return s.call(name)
}

// callIn records a call that only a language plugin needs.
func (s *Store) callIn(languages *i18n.Languages, name string) error {
	if languages.Plugin == i18n.NoPlugin {
		return nil
	}
	return s.call(name)
}

// call records a call, and returns the error of the method.
func (s *Store) call(name string) error {
	s.Calls = append(s.Calls, name)
	if s.Fails == name {
		return s.Failing
	}
	return nil
}

// Add adds a post with its metadata: names and values in turn.
func (s *Store) Add(p *wpstore.Post, meta ...string) {
	var rows []wpstore.MetaRow
	for i := 0; i+1 < len(meta); i += 2 {
		rows = append(rows, wpstore.MetaRow{Key: meta[i], Value: meta[i+1]})
	}
	s.Post[p.ID], s.Meta[p.ID] = p, wpstore.NewMeta(rows, wpstore.Digest{})
}

// AddEvent adds a published event of one hour, which starts at a local time in UTC.
func (s *Store) AddEvent(id int64, title, start string, meta ...string) *wpstore.Post {
	p := &wpstore.Post{ID: id, Title: title, Name: strings.ToLower(title), Type: wpstore.EventType, Status: "publish"}
	p.Date, p.DateGMT, p.Modified, p.ModifiedGMT = "2026-01-01 00:00:00", "2026-01-01 00:00:00", "2026-01-02 00:00:00", "2026-01-02 00:00:00"
	from, to := start+":00:00", start+":59:59"
	s.Add(p, slices.Concat(meta, []string{"_EventStartDate", from, "_EventStartDateUTC", from, "_EventEndDate", to, "_EventEndDateUTC", to, "_EventTimezone", "UTC"})...)
	return p
}

// AddLinked adds a published venue or organizer.
func (s *Store) AddLinked(postType string, id int64, title string, meta ...string) *wpstore.Post {
	p := &wpstore.Post{ID: id, Title: title, Name: strings.ToLower(title), Type: postType, Status: "publish"}
	p.Date, p.DateGMT, p.Modified, p.ModifiedGMT = "2026-01-01 00:00:00", "2026-01-01 00:00:00", "2026-01-02 00:00:00", "2026-01-02 00:00:00"
	s.Add(p, meta...)
	return p
}

// rows returns the rows of ids.
func rows[V any](all map[int64]V, ids []int64) map[int64]V {
	out := map[int64]V{}
	for _, id := range ids {
		if v, ok := all[id]; ok {
			out[id] = v
		}
	}
	return out
}

func (s *Store) heads(ids []int64) map[int64]wpstore.PostHead {
	out := map[int64]wpstore.PostHead{}
	for id, p := range rows(s.Post, ids) {
		out[id] = wpstore.PostHead{ID: id, Author: p.Author, Type: p.Type, Status: p.Status, Password: p.Password, Name: p.Name, MimeType: p.MimeType}
	}
	return out
}

// Caches implements [calendar.PostStore].
func (s *Store) Caches() bool { return false }

// PostHeads implements [calendar.PostStore].
func (s *Store) PostHeads(_ context.Context, ids []int64) (map[int64]wpstore.PostHead, error) {
	return s.heads(ids), s.callFor(ids, "PostHeads")
}

// LinkedHeads implements [calendar.ReferenceStore].
func (s *Store) LinkedHeads(_ context.Context, ids []int64) (map[int64]wpstore.PostHead, error) {
	return s.heads(ids), s.callFor(ids, "LinkedHeads")
}

// PostMetaKeys implements [calendar.PostStore].
func (s *Store) PostMetaKeys(_ context.Context, ids []int64, _ []string) (map[int64]wpstore.Meta, error) {
	return rows(s.Meta, ids), s.callFor(ids, "PostMetaKeys")
}

// PostsAndMetaKeys implements [calendar.PostStore].
func (s *Store) PostsAndMetaKeys(_ context.Context, ids []int64, _ []string) (map[int64]*wpstore.Post, map[int64]wpstore.Meta, error) {
	return rows(s.Post, ids), rows(s.Meta, ids), s.callFor(ids, "PostsAndMetaKeys")
}

// PostsWithLanguage implements [calendar.PostStore].
func (s *Store) PostsWithLanguage(_ context.Context, _ *i18n.Languages, ids []int64) (map[int64]*wpstore.Post, error) {
	return rows(s.Post, ids), s.callFor(ids, "PostsWithLanguage")
}

// PostSet implements [calendar.PostStore].
func (s *Store) PostSet(_ context.Context, _ *i18n.Languages, ids []int64, taxonomies []string) (wpstore.PostSet, error) {
	set := wpstore.PostSet{Posts: rows(s.Post, ids), Meta: rows(s.Meta, ids), Terms: map[int64][]wpstore.Term{}}
	for id := range set.Posts {
		for _, term := range s.OfPost[id] {
			if t := s.Term[term]; slices.Contains(taxonomies, t.Taxonomy) {
				set.Terms[id] = append(set.Terms[id], t)
			}
		}
	}
	return set, s.callFor(ids, "PostSet")
}

// PostTranslations implements [calendar.PostStore].
func (s *Store) PostTranslations(_ context.Context, languages *i18n.Languages, ids []int64) (map[int64]i18n.Group, error) {
	return rows(s.PostGroups, ids), s.callIn(languages, "PostTranslations")
}

// PostIDsByPath implements [calendar.PostStore] for posts without parents.
func (s *Store) PostIDsByPath(_ context.Context, postType string, segments []string) (ids []int64, err error) {
	for _, id := range slices.Sorted(maps.Keys(s.Post)) {
		if p := s.Post[id]; p.Type == postType && p.Name == strings.Join(segments, "/") {
			ids = append(ids, id)
		}
	}
	return ids, s.call("PostIDsByPath")
}

// Terms implements [calendar.TermStore].
func (s *Store) Terms(_ context.Context, taxonomy string, ids []int64) (map[int64]wpstore.Term, error) {
	found := rows(s.Term, ids)
	maps.DeleteFunc(found, func(_ int64, t wpstore.Term) bool { return t.Taxonomy != taxonomy })
	return found, s.callFor(ids, "Terms")
}

// TermTree implements [calendar.TermStore].
func (s *Store) TermTree(_ context.Context, taxonomy string) (map[int64]wpstore.Term, error) {
	tree := maps.Clone(s.Term)
	maps.DeleteFunc(tree, func(_ int64, t wpstore.Term) bool { return t.Taxonomy != taxonomy })
	return tree, s.call("TermTree")
}

// LookupTerms implements [calendar.TermStore].
func (s *Store) LookupTerms(_ context.Context, taxonomy string, l wpstore.TermLookup) (wpstore.TermMatches, error) {
	m := wpstore.TermMatches{
		ByID: map[int64]wpstore.Term{}, BySlug: map[string]wpstore.Term{}, ByName: map[string]wpstore.Term{},
		SameSlug: map[string][]wpstore.Term{}, Groups: map[int64]i18n.Group{},
	}
	for _, id := range slices.Sorted(maps.Keys(s.Term)) {
		t := s.Term[id]
		byID, bySlug, byName := slices.Contains(l.IDs, id), slices.Contains(l.Slugs, t.Slug), slices.Contains(l.Names, t.Name)
		if t.Taxonomy != taxonomy || !byID && !bySlug && !byName {
			continue
		}
		if byID {
			m.ByID[id] = t
		}
		if bySlug {
			m.SameSlug[t.Slug] = append(m.SameSlug[t.Slug], t)
			m.BySlug[t.Slug] = m.SameSlug[t.Slug][0]
		}
		if byName {
			m.ByName[t.Name] = t
		}
		if group, ok := s.TermGroups[id]; ok {
			m.Groups[id] = group
		}
	}
	return m, s.call("LookupTerms")
}

// TermList implements [calendar.TermStore]: it returns terms of a taxonomy by id, whatever else the
// query says.
func (s *Store) TermList(_ context.Context, q wpstore.TermQuery) ([]wpstore.Term, int64, error) {
	s.TermQueries = append(s.TermQueries, q)
	var all []wpstore.Term
	for _, id := range slices.Sorted(maps.Keys(s.Term)) {
		if s.Term[id].Taxonomy == q.Taxonomy {
			all = append(all, s.Term[id])
		}
	}
	return page(all, q.Limit, q.Offset), int64(len(all)), s.call("TermList")
}

// TermTranslations implements [calendar.TermStore].
func (s *Store) TermTranslations(_ context.Context, languages *i18n.Languages, _ string, ids []int64) (map[int64]i18n.Group, error) {
	return rows(s.TermGroups, ids), s.callIn(languages, "TermTranslations")
}

// page returns the entries of a page.
func page[V any](all []V, limit, offset int64) []V {
	n := int64(len(all))
	return slices.Clone(all[min(offset, n):min(offset+max(limit, 0), n)])
}

// Events implements [calendar.EventStore].
func (s *Store) Events(_ context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (wpstore.EventPage, error) {
	s.EventQueries = append(s.EventQueries, q)
	ids := s.find(q)
	out := wpstore.EventPage{IDs: page(ids, q.Limit, q.Offset), Total: int64(len(ids)), Counted: int64(len(ids))}
	if other != nil {
		s.EventQueries = append(s.EventQueries, *other)
		out.Counted = int64(len(s.find(*other)))
	}
	return out, s.call("Events")
}

func (s *Store) find(q wpstore.EventQuery) (ids []int64) {
	if q.Include != nil && len(q.Include) == 0 {
		return nil
	}
	if s.Found != nil {
		return s.Found(q)
	}
	return s.ids(wpstore.EventType)
}

func (s *Store) ids(postType string) (ids []int64) {
	for id, p := range s.Post {
		if p.Type == postType {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// UseStartIndexes implements [calendar.EventStore].
func (s *Store) UseStartIndexes(wpstore.StartIndexes) { _ = s.call("UseStartIndexes") }

// AllIDs implements [calendar.LinkedStore].
func (s *Store) AllIDs(_ context.Context, postType string) ([]int64, error) {
	return s.ids(postType), s.call("AllIDs")
}

// Linked implements [calendar.LinkedStore]: it returns posts of a type by id. Those in a language
// are the posts that have that language.
func (s *Store) Linked(_ context.Context, q wpstore.LinkedQuery, other wpstore.InLanguage) (out wpstore.LinkedPage, err error) {
	s.LinkedQueries = append(s.LinkedQueries, q)
	ids := s.ids(q.PostType)
	if q.Only != nil {
		ids = slices.DeleteFunc(ids, func(id int64) bool { return !slices.Contains(q.Only, id) })
	}
	for _, id := range ids {
		if s.Post[id].Language == other.Code {
			out.Counted++
		}
	}
	out.IDs, out.Total = page(ids, q.Limit, q.Offset), int64(len(ids))
	return out, s.call("Linked")
}

// LinkedOfEvent implements [calendar.LinkedStore].
func (s *Store) LinkedOfEvent(_ context.Context, event int64, metaKey string) (ids []int64, err error) {
	for v := range s.Meta[event].Each(metaKey) {
		var id int64
		if _, err := fmt.Sscan(v, &id); err == nil {
			ids = append(ids, id)
		}
	}
	return ids, s.call("LinkedOfEvent")
}

// LinkedUpcoming implements [calendar.LinkedStore].
func (s *Store) LinkedUpcoming(_ context.Context, _ string, q wpstore.EventQuery, now string) ([]int64, error) {
	q.Bounds = []wpstore.Bound{{Op: "now", Value: now}}
	s.EventQueries = append(s.EventQueries, q)
	return slices.Clone(s.Upcoming), s.call("LinkedUpcoming")
}

// LinkedWithEvents implements [calendar.LinkedStore].
func (s *Store) LinkedWithEvents(_ context.Context, _ string, among *wpstore.Readable) ([]int64, error) {
	s.Among = among
	return slices.Clone(s.Used), s.call("LinkedWithEvents")
}

// SearchLinked implements [calendar.LinkedStore]: it finds the posts whose titles have all fragments.
func (s *Store) SearchLinked(_ context.Context, postType string, fragments []string, among *wpstore.Readable) (ids []int64, err error) {
	s.Fragments, s.Among = fragments, among
	for _, id := range s.ids(postType) {
		lacks := func(f string) bool { return !strings.Contains(strings.ToLower(s.Post[id].Title), f) }
		if !slices.ContainsFunc(fragments, lacks) {
			ids = append(ids, id)
		}
	}
	return ids, s.call("SearchLinked")
}

// Read returns the names of the methods that were called since the last time, without those of
// which a real store makes no statement.
func (s *Store) Read() string {
	calls := slices.DeleteFunc(s.Calls, func(name string) bool { return name == "UseStartIndexes" })
	s.Calls = nil
	return cmp.Or(strings.Join(calls, " "), "nothing")
}
