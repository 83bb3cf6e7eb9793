package countcache_test

import (
	"strings"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/countcache"
)

// TestTerms: answers are known until a term changes, unless they were read before that.
func TestTerms(t *testing.T) {
	jazz := []wpstore.Term{{ID: 7, Name: "Jazz"}}
	for name, c := range map[string]struct {
		terms []wpstore.Term
		do    func(m *countcache.Memory) // between reading and committing
		after func(m *countcache.Memory)
		want  bool
	}{
		"read":                   {terms: jazz, want: true},
		"read, that there is no": {want: true},
		"too long":               {terms: []wpstore.Term{{Description: strings.Repeat("x", 1<<16)}}},
		"ours have changed":      {terms: jazz, after: (*countcache.Memory).ForgetTerms},
		"others have changed":    {terms: jazz, after: func(m *countcache.Memory) { m.Seen("other", nil, 0, true) }},
		"changed meanwhile":      {terms: jazz, do: (*countcache.Memory).ForgetTerms},
		"dates have changed":     {terms: jazz, after: func(m *countcache.Memory) { m.Seen("other", []int64{1}, 0, false) }, want: true},
		"no longer followed":     {terms: jazz, after: (*countcache.Memory).End},
	} {
		m := &countcache.Memory{}
		m.Begin()
		_, known, edition := m.Terms("7")
		if known {
			t.Errorf("%s: known before", name)
		}
		if c.do != nil {
			c.do(m)
		}
		m.Commit(countcache.Left{Terms: map[string][]wpstore.Term{"7": c.terms}, Edition: edition}, m.Epoch())("own", nil)
		if c.after != nil {
			c.after(m)
		}
		if terms, known, _ := m.Terms("7"); known != c.want || known && len(terms) != len(c.terms) {
			t.Errorf("%s: %v, known: %v", name, terms, known)
		}
		if _, known, _ := m.Terms("8"); known {
			t.Errorf("%s: the answer to another question is known", name)
		}
	}
}

// TestUsed: the greatest id is known until others may have changed terms of a post, and is
// at least that of a post whose dates or metadata they have changed.
func TestUsed(t *testing.T) {
	m := &countcache.Memory{}
	known := func(step string, want int64) {
		t.Helper()
		if got, _ := m.Used(); got != want {
			t.Errorf("%s: %d, want %d", step, got, want)
		}
	}
	read := func(id int64) { m.Commit(countcache.Left{Used: id}, m.Epoch())("", nil) }
	read(5)
	known("not followed", 0)
	m.Begin()
	m.Seen("other", []int64{4}, 3, false)
	known("not read", 0)
	read(5)
	known("read", 5)
	read(0)
	known("not read again", 5)
	m.Seen("other", []int64{3}, 0, false)
	known("dates of an earlier post", 5)
	m.Seen("other", nil, 3, false)
	known("metadata of an earlier post", 5)
	m.Seen("other", []int64{9}, 0, false)
	known("dates of a later post", 9)
	m.Seen("other", nil, 12, false)
	known("metadata of a later post", 12)
	m.Seen("other", nil, 0, true)
	known("others have changed anything", 0)
	ended := m.Commit(countcache.Left{Used: 5}, m.Epoch())
	m.Seen("other", nil, 7, false)
	ended("", nil)
	known("metadata of a post that was added after the reading", 7)
}
