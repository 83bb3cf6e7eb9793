package eventindex

import (
	"reflect"
	"testing"
)

func exampleState() State {
	return State{event: event{
		ID: 7, Author: 2, Parent: 1, Published: 20260301090000, Status: "publish", Featured: true, Dates: []dates{{1, 2, 3, 4}, {null, missing, garbled, 0}},
		Categories: []int64{31}, Tags: []int64{}, Venues: []int64{201, 202}, Organizers: []int64{301}, Languages: []string{"cs", ""}, LanguageTerms: []int64{9},
	}, hidden: true}
}

func exampleReader() *StateReader {
	return &StateReader{
		defaults: Defaults{Occurrences: true}, tables: Tables{Occurrences: true, Languages: "wpml"}, taxonomies: []string{"a", "b"},
		terms: terms{5: {TaxonomyID: 5, Term: 4, Taxonomy: 1}},
	}
}

// TestStoredStates: a state and a reader are read as they were written.
func TestStoredStates(t *testing.T) {
	s := exampleState()
	code, _ := s.AppendBinary(nil)
	var got State
	if err := got.UnmarshalBinary(code); err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("%v: %+v, want %+v", err, got, s)
	}
	r := exampleReader()
	readerCode, _ := r.AppendBinary(nil)
	var again StateReader
	if err := again.UnmarshalBinary(readerCode); err != nil || !reflect.DeepEqual(&again, r) {
		t.Errorf("%v: %+v, want %+v", err, again, *r)
	}
	for n := range code {
		if err := new(State).UnmarshalBinary(code[:n]); err == nil {
			t.Errorf("%d bytes are a state", n)
		}
	}
	for n := range readerCode {
		if err := new(StateReader).UnmarshalBinary(readerCode[:n]); err == nil {
			t.Errorf("%d bytes are a reader", n)
		}
	}
}

// FuzzStoredState: bytes that are no state are refused, and what is read can be written.
func FuzzStoredState(f *testing.F) {
	code, _ := exampleState().AppendBinary(nil)
	f.Add(code)
	code, _ = exampleReader().AppendBinary(nil)
	f.Add(code)
	f.Fuzz(func(t *testing.T, code []byte) {
		var s, again State
		if s.UnmarshalBinary(code) == nil {
			out, _ := s.AppendBinary(nil)
			if err := again.UnmarshalBinary(out); err != nil || !reflect.DeepEqual(s, again) {
				t.Errorf("%v: %+v, then %+v", err, s, again)
			}
		}
		var r, other StateReader
		if r.UnmarshalBinary(code) == nil {
			out, _ := r.AppendBinary(nil)
			if err := other.UnmarshalBinary(out); err != nil || !reflect.DeepEqual(r, other) {
				t.Errorf("%v: %+v, then %+v", err, r, other)
			}
		}
	})
}
