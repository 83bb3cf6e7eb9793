package eventindex

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
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

func text(d date) string {
	return fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d", d/1e10, d/1e8%100, d/1e6%100, d/1e4%100, d/100%100, d%100)
}

func (s *memorySource) Defaults(context.Context) (Defaults, error) {
	return Defaults{Occurrences: true}, nil
}

func (s *memorySource) Tables(context.Context) (Tables, error) {
	return Tables{Occurrences: true, Languages: i18n.WPML}, nil
}

func (s *memorySource) EventIDs(context.Context) ([]int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.events)), nil
}

func (s *memorySource) Posts(_ context.Context, ids []int64, each func(PostRow)) error {
	return s.each(ids, func(e event) {
		each(PostRow{ID: e.ID, Author: e.Author, Parent: e.Parent, Published: text(e.Published), Status: e.Status, Protected: e.Protected})
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

func (s *memorySource) Marks(_ context.Context, ids []int64, keys []string, each func(MarkRow)) error {
	return s.each(ids, func(e event) {
		if e.Featured {
			each(MarkRow{e.ID, slices.Index(keys, featuredMark), 1, true})
		}
		for _, id := range e.Venues {
			each(MarkRow{e.ID, slices.Index(keys, "_EventVenueID"), id, true})
		}
		for _, id := range e.Organizers {
			each(MarkRow{e.ID, slices.Index(keys, "_EventOrganizerID"), id, true})
		}
	})
}

func (s *memorySource) Terms(_ context.Context, ids []int64, _ []string, each func(int64, TermRow)) error {
	return s.each(ids, func(e event) {
		for place, of := range [][]int64{e.Categories, e.Tags, e.LanguageTerms} {
			for _, id := range of {
				each(e.ID, TermRow{id, id, place})
			}
		}
	})
}

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
