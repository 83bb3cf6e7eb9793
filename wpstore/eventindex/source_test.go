package eventindex

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"calbridge/i18n"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/wptest"
)

// memorySource is a source of events in memory, whose language is a code and a term.
type memorySource struct {
	mu     sync.Mutex
	events map[int64]event
	terms  []TermRow
	// marksRead counts calls of AllMarks, which is refused on demand.
	marksRead atomic.Int64
	refused   bool
	// gate, unless nil, stops the reading of ids until it is closed.
	gate chan struct{}
}

func (s *memorySource) put(e event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events[e.ID] = e
}

func (s *memorySource) each(ids []int64, do func(event)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		if e, ok := s.events[id]; ok {
			do(e)
		}
	}
	return nil
}

func text(d date) []byte {
	return fmt.Appendf(nil, "%04d-%02d-%02d %02d:%02d:%02d", d/1e10, d/1e8%100, d/1e6%100, d/1e4%100, d/100%100, d%100)
}

func (s *memorySource) Defaults(context.Context) (Defaults, error) {
	return Defaults{Occurrences: true}, nil
}

func (s *memorySource) Tables(context.Context) (Tables, error) {
	return Tables{Occurrences: true, Languages: i18n.WPML}, nil
}

func (s *memorySource) EventIDs(ctx context.Context) ([]int64, error) {
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.events)), nil
}

func (s *memorySource) Posts(_ context.Context, ids []int64, each func(PostRow)) error {
	return s.each(ids, func(e event) {
		each(PostRow{ID: e.ID, Author: e.Author, Parent: e.Parent, Published: text(e.Published), Status: []byte(e.Status), Protected: e.Protected})
	})
}

func (s *memorySource) Occurrences(_ context.Context, ids []int64, each func(OccurrenceRow)) error {
	return s.each(ids, func(e event) {
		for _, d := range e.Dates {
			each(OccurrenceRow{e.ID, text(d.Start), text(d.End), text(d.StartUTC), text(d.EndUTC)})
		}
	})
}

func (s *memorySource) MetaDates(context.Context, []int64, []string, func(DateRow)) error { return nil }

func (s *memorySource) Marks(ctx context.Context, ids []int64, keys []string, each func(MarkRow)) error {
	return s.each(ids, func(e event) {
		for key, values := range marksOf(e) {
			for _, value := range values {
				each(MarkRow{e.ID, slices.Index(keys, key), value, true})
			}
		}
	})
}

// marksOf returns the metadata of an event, and some that doesn't count.
func marksOf(e event) map[string][]int64 {
	marks := map[string][]int64{"_EventVenueID": append([]int64{-5, 1 << 50}, e.Venues...), "_EventOrganizerID": e.Organizers}
	if e.Featured {
		marks["_tribe_featured"] = []int64{1 << 60}
	}
	return marks
}

func (s *memorySource) AllMarks(_ context.Context, key string, part, parts int, each func(MarkRow)) error {
	s.marksRead.Add(1)
	if s.refused {
		return errors.New("no such index")
	}
	each(MarkRow{Post: 1 << 40, Value: 1, Number: true}) // of posts that aren't events
	each(MarkRow{Post: -1, Value: 1, Number: true})
	return s.each(slices.Collect(maps.Keys(s.events)), func(e event) {
		for i, value := range marksOf(e)[key] {
			if (int(e.ID)+i)%parts == part {
				each(MarkRow{Post: e.ID, Value: value, Number: true})
			}
		}
	})
}

func (s *memorySource) Terms(_ context.Context, ids []int64, each func(post, taxonomyID int64)) error {
	return s.each(ids, func(e event) {
		for place, of := range [][]int64{e.Categories, e.Tags, e.LanguageTerms} {
			for _, id := range of {
				each(e.ID, taxonomyID(place, id))
			}
		}
		each(e.ID, 1<<40) // of another taxonomy
	})
}

// taxonomyID numbers terms of three taxonomies; languages have their own numbers.
func taxonomyID(place int, id int64) int64 { return id + int64(placeLanguage-place)*1_000_000 }

func (s *memorySource) Languages(_ context.Context, _ i18n.Plugin, ids []int64, each func(int64, string)) error {
	return s.each(ids, func(e event) {
		for _, code := range e.Languages {
			each(e.ID, code)
		}
	})
}

func (s *memorySource) LanguageTaxonomies() []string { return []string{"language"} }

func (s *memorySource) Taxonomies(_ context.Context, _ []string, _ []int64, each func(TermRow)) error {
	for _, t := range s.terms {
		each(t)
	}
	for id := range int64(300) {
		each(TermRow{taxonomyID(placeCategory, id), id, placeCategory})
		each(TermRow{taxonomyID(placeTag, id), id, placeTag})
	}
	return nil
}

func (s *memorySource) PostsOf(context.Context, []int64) ([]int64, error) { return nil, nil }

func (s *memorySource) Release() {}

// open opens an index of a source, and waits until it is loaded.
func open(t *testing.T, s *memorySource) (*Index, *invalidation.Tracker) {
	t.Helper()
	tracker := invalidation.NewTracker()
	x := Open(t.Context(), Config{Tracker: tracker, Source: func() Source { return s }, Logger: slog.New(slog.DiscardHandler)})
	tracker.Resume(true)
	wptest.AwaitRows(t, x)
	return x, tracker
}
