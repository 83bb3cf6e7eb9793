package changes

import (
	"context"
	"maps"
	"slices"

	"calbridge/wpstore"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/journal"
)

const (
	// maxCandidates is from how many events on that may have changed the whole list is less
	// work.
	maxCandidates = 20_000
	// scanned is how many events a page of the list looks at, and scanBlock how many at a time.
	scanned   = 20_000
	scanBlock = 1000
	// longFetch is from how many seconds on a copy was fetched so slowly that the list at its
	// end may be another one by time alone.
	longFetch = 60
)

// list returns the page of the list behind a token. It goes through all events by their ids:
// pages by number would move while events come and go.
func (s *session) list(ctx context.Context, t token) (*page, error) {
	r := s.asked(t.sinceTime())
	f, err := filterOf(ctx, r)
	if err != nil {
		return nil, err
	}
	if t.filter != (hash{}) {
		if t.filter != f.hash {
			return nil, gone(reasonFilter)
		}
		if _, err := s.Journal.Since(ctx, t.from, t.from.Seq, 1); err != nil {
			return nil, err
		}
	}
	p := &page{listed: t.since}
	var found []int64
	for left := scanned; ; left -= scanBlock {
		if left <= 0 || len(found) >= s.perPage {
			t.stage, t.filter = listing, f.hash
			p.next, p.more = t, true
			break
		}
		states, err := s.Journal.After(ctx, t.cursor, scanBlock)
		if err != nil {
			return nil, err
		}
		if len(states) == 0 {
			if err := s.complete(ctx, p, t.from, t.since, f); err != nil {
				return nil, err
			}
			break
		}
		some := s.perhaps(f.query, states)
		last := states[len(states)-1].EventID()
		if n := s.perPage - len(found); len(some) > n {
			some = some[:n]
			last = some[n-1]
		}
		t.cursor = last
		found = append(found, some...)
		for i := range states {
			if _, listed := slices.BinarySearch(some, states[i].EventID()); listed {
				s.note(states[i : i+1])
			}
		}
	}
	shown, err := s.among(ctx, f.query, found)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(id int64) bool { return !shown[id] })
	return p, s.show(ctx, r, p, found)
}

// complete ends a page with which the client has all up to a position, and the list of a time.
// What has changed while it fetched pages completes its copy, by time alone if it took long. An
// event that has left the list by time and has changed behind the position isn't found any more:
// until nothing has, the time that the client goes on from stays where it was. Changes that the
// client can't notice count for neither: whether there is another page would tell of them.
func (s *session) complete(ctx context.Context, p *page, at journal.Position, since int64, f filter) error {
	p.next = token{stage: synced, from: at, since: since, filter: f.hash}
	noticed, err := s.noticed(ctx, at, s.position.Seq)
	if err != nil {
		return err
	}
	now := max(since, s.r.Clock.At.Unix())
	if p.more = noticed.any || now-since >= longFetch; p.more {
		p.next.stage, p.next.at, p.next.end = syncing, now, s.position
	}
	if noticed.events {
		p.next.since = p.listed
	}
	return nil
}

// perhaps returns the ids of the events that a query finds by their states, or more.
func (s *session) perhaps(q wpstore.EventQuery, states []eventindex.State) []int64 {
	found, outcome := s.Journal.Reader().Find(q, states)
	var ids []int64
	for i := range states {
		if outcome != eventindex.FromIndex || found[i] {
			ids = append(ids, states[i].EventID())
		}
	}
	return ids
}

// among returns those of some events that a query finds now.
func (s *session) among(ctx context.Context, q wpstore.EventQuery, ids []int64) (map[int64]bool, error) {
	out := map[int64]bool{}
	if q.Include != nil {
		ids = slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return !slices.Contains(q.Include, id) })
	}
	for some := range slices.Chunk(ids, scanBlock) {
		q.Include, q.Limit = some, int64(len(some))
		found, err := s.store.Events.Events(ctx, q, nil)
		if err != nil {
			return nil, err
		}
		for _, id := range found.IDs {
			out[id] = true
		}
	}
	return out, nil
}

// sync returns the page behind a token of what has changed.
func (s *session) sync(ctx context.Context, t token) (*page, error) {
	old, err := filterOf(ctx, s.asked(t.sinceTime()))
	if err != nil {
		return nil, err
	}
	r := s.asked(t.atTime())
	now, err := filterOf(ctx, r)
	if err != nil {
		return nil, err
	}
	changed, err := s.Journal.Since(ctx, t.from, t.end.Seq, maxCandidates)
	if err != nil {
		return nil, err
	}
	if t.filter != now.hash || t.filter != old.hash {
		return nil, gone(reasonFilter)
	}
	for _, e := range changed.Events {
		if !e.Gone {
			s.note(e.States[len(e.States)-1:])
		}
	}
	showing, err := s.showing(ctx, changed, now.query)
	if err != nil {
		return nil, err
	}
	candidates, err := s.candidates(ctx, changed, showing, old.query, now.query)
	if err != nil {
		return nil, err
	}
	candidates = slices.DeleteFunc(candidates, func(id int64) bool { return id <= t.cursor }) // earlier pages had them
	shown, err := s.among(ctx, now.query, candidates)
	if err != nil {
		return nil, err
	}
	left, err := s.left(ctx, changed, candidates, shown, between(old.query, now.query))
	if err != nil {
		return nil, err
	}
	p := &page{listed: t.since}
	var whole []int64
	for _, id := range candidates {
		if !shown[id] && !left[id] {
			continue
		}
		if len(whole)+len(p.deleted) == s.perPage {
			p.more = true
			break
		}
		if t.cursor = id; shown[id] {
			whole = append(whole, id)
		} else {
			p.deleted = append(p.deleted, id)
		}
	}
	if p.more {
		p.next = t
	} else if err := s.complete(ctx, p, t.end, t.at, now); err != nil {
		return nil, err
	}
	return p, s.show(ctx, r, p, whole)
}

// showing returns the events that show what has changed, besides what they link to, or the
// time. It refuses where something has changed that nobody knows who shows.
func (s *session) showing(ctx context.Context, changed *journal.Changes, q wpstore.EventQuery) (map[int64]bool, error) {
	tags := append(s.readableTags(changed), timely)
	events, err := s.Journal.Shown(ctx, s.rightsKey(), tags, maxShowing)
	if err != nil {
		return nil, err
	}
	if events[0] || len(events) > maxShowing || q.Tickets != nil && slices.Contains(changed.Tags, invalidation.Tag{Kind: invalidation.Tickets}) {
		return nil, gone(reasonShown)
	}
	return events, nil
}

// candidates returns the events that may differ, by ascending ids: those that have changed,
// those that show what has changed, and those that time has brought in or taken out.
func (s *session) candidates(ctx context.Context, changed *journal.Changes, showing map[int64]bool, old, now wpstore.EventQuery) ([]int64, error) {
	ids := maps.Clone(showing)
	linked := s.readablePosts(changed)
	for _, e := range changed.Events {
		ids[e.ID] = true
	}
	queries, ok := edges(old, now)
	if !ok {
		return nil, gone(reasonFilter)
	}
	if len(linked) > 0 {
		byVenue, byOrganizer := anywhere(now), anywhere(now)
		byVenue.Venues, byOrganizer.Organizers = linked, linked
		queries = append(queries, byVenue, byOrganizer)
	}
	if len(changed.Terms) > 0 {
		byCategory, byTag := anywhere(now), anywhere(now)
		byCategory.Categories, byTag.Tags = changed.Terms, changed.Terms
		queries = append(queries, byCategory, byTag)
	}
	for _, q := range queries {
		q.Limit = maxCandidates + 1
		found, err := s.store.Events.Events(ctx, q, nil)
		if err != nil {
			return nil, err
		}
		for _, id := range found.IDs {
			ids[id] = true
		}
		if len(ids) > maxCandidates {
			return nil, gone(journal.ReasonMany)
		}
	}
	return slices.Sorted(maps.Keys(ids)), nil
}

// left returns those of the candidates, no longer in the list, that the client may have: they
// were in it at the token's position, or later.
func (s *session) left(ctx context.Context, changed *journal.Changes, candidates []int64, shown map[int64]bool, q wpstore.EventQuery) (map[int64]bool, error) {
	var states []eventindex.State
	var others []int64
	journaled := map[int64]*journal.Event{}
	for i := range changed.Events {
		journaled[changed.Events[i].ID] = &changed.Events[i]
	}
	for _, id := range candidates {
		switch e := journaled[id]; {
		case shown[id]:
		case e != nil:
			states = append(states, e.States...)
		default:
			others = append(others, id)
		}
	}
	unchanged, err := s.statesOf(ctx, others)
	if err != nil {
		return nil, err
	}
	states = append(states, unchanged...)
	found, outcome := s.Journal.Reader().Find(q, states)
	if outcome != eventindex.FromIndex {
		return nil, gone(reasonUndecided)
	}
	out := map[int64]bool{}
	for i := range states {
		if found[i] {
			out[states[i].EventID()] = true
		}
	}
	return out, nil
}

// note keeps the states of events for statesOf.
func (s *session) note(states []eventindex.State) {
	for i := range states {
		s.states[states[i].EventID()] = states[i]
	}
}

// statesOf returns the states of events, those that have one.
func (s *session) statesOf(ctx context.Context, ids []int64) ([]eventindex.State, error) {
	var out []eventindex.State
	var unread []int64
	for _, id := range ids {
		if state, known := s.states[id]; known {
			out = append(out, state)
		} else {
			unread = append(unread, id)
		}
	}
	read, err := s.Journal.States(ctx, unread)
	s.note(read)
	return append(out, read...), err
}

// page is a page of an answer.
type page struct {
	items   []item // whole events
	deleted []int64
	more    bool
	// next is the token after the page, and listed the time whose list the client had before.
	next   token
	listed int64
	// key, if not nil, is what to keep the items under, if nothing has changed meanwhile.
	key *pageKey
}

// item is the JSON of an event.
type item struct {
	id   int64
	json []byte
}

// leaveOut removes events.
func (p *page) leaveOut(ids map[int64]bool) {
	p.items = slices.DeleteFunc(p.items, func(i item) bool { return ids[i.id] })
}
