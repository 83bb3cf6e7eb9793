package searchindex

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore/guard"
	"calbridge/wpstore/invalidation"
)

// fakeSource is a site whose characters are equal regardless of ASCII case. Accents weigh
// nothing, and characters beyond the first three planes aren't known.
type fakeSource struct {
	mu      sync.Mutex
	columns []Collation
	posts   map[int64][]string
	fail    error
	during  func() // called while texts are read
	weights int    // calls of Weights
}

func newFake(texts ...string) *fakeSource {
	s := &fakeSource{columns: []Collation{{Charset: "utf8mb4", Name: "utf8mb4_unicode_520_ci"}}, posts: map[int64][]string{}}
	for i, text := range texts {
		s.posts[int64(i+1)] = []string{text}
	}
	return s
}

func (s *fakeSource) Columns(context.Context) ([]Collation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.columns, s.fail
}

func (s *fakeSource) Weights(_ context.Context, _ Collation, first, last rune, each func(rune, []byte)) error {
	s.weights++
	for r := first; r <= last && first < 3<<planeBits; r++ {
		switch {
		case r == 0x301:
			each(r, nil)
		default:
			each(r, []byte(strings.ToLower(string(r))))
		}
	}
	return nil
}

func (s *fakeSource) IDs(context.Context) (ids []int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.posts {
		ids = append(ids, id)
	}
	return ids, s.fail
}

func (s *fakeSource) Texts(_ context.Context, ids []int64, each func(int64, ...[]byte)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.during != nil {
		s.during()
	}
	for _, id := range ids {
		for _, text := range s.posts[id] {
			each(id, []byte(text))
		}
	}
	return s.fail
}

// put stores the text of a post, "" for none.
func (s *fakeSource) put(id int64, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.posts[id] = []string{text}; text == "" {
		delete(s.posts, id)
	}
}

// open returns an index of a source.
func open(t *testing.T, from *fakeSource, bytes int64, log *strings.Builder) (*Index, *invalidation.Tracker) {
	logger := slog.New(slog.DiscardHandler)
	if log != nil {
		logger = slog.New(slog.NewTextHandler(log, nil))
	}
	tracker := invalidation.NewTracker()
	x := Open(t.Context(), Config{Tracker: tracker, Source: func() Source { return from }, Bytes: bytes, Logger: logger, Guard: guard.New(logger, nil)})
	if _, outcome := x.Search([]string{"concert"}, nil); outcome != Suspended {
		t.Errorf("before changes arrive: %s", outcome)
	}
	tracker.Resume(true)
	return x, tracker
}

// await waits for an outcome.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

func loaded(t *testing.T, from *fakeSource) (*Index, *invalidation.Tracker) {
	t.Helper()
	x, tracker := open(t, from, 16<<20, nil)
	await(t, "the index is loaded", func() bool { return x.Posts() > 0 })
	return x, tracker
}

func TestSearch(t *testing.T) {
	texts := []string{"Open-air Concert", "A lecture", "concé\u0301rt? no, conc\u0301ert", "東京の夜", "tag \U000e0067 only", "100 % off_season", "e_mail"}
	for i := range 60 {
		texts = append(texts, fmt.Sprint("filler ", i))
	}
	x, _ := loaded(t, newFake(texts...))
	tests := map[string]struct {
		required, excluded []string
		want               []int64
		outcome            Outcome
	}{
		"case":                {[]string{"CONCERT"}, nil, []int64{1, 3, 5}, Narrowed},
		"two words":           {[]string{"open", "concert"}, nil, []int64{1, 5}, Narrowed},
		"nowhere":             {[]string{"quartet"}, nil, []int64{5}, Narrowed},
		"two ideographs":      {[]string{"東京"}, nil, []int64{4, 5}, Narrowed},
		"short":               {[]string{"ai"}, nil, nil, Text},
		"short and long":      {[]string{"ai", "concert"}, nil, []int64{1, 3, 5}, Narrowed},
		"wildcards":           {[]string{"%off_"}, nil, []int64{5, 6}, Narrowed},
		"divided":             {[]string{"e_mail"}, nil, []int64{5, 7}, Narrowed},
		"nothing but them":    {[]string{`%_\`}, nil, nil, Text},
		"excluded only":       {nil, []string{"concert"}, nil, Text},
		"excluded too":        {[]string{"concert"}, []string{"open"}, []int64{1, 3, 5}, Narrowed},
		"weighs nothing":      {[]string{"conce\u0301rt"}, nil, nil, Text},
		"unknown":             {[]string{"concert \U000e0067"}, nil, nil, Text},
		"unknown is excluded": {[]string{"concert"}, []string{"\U000e0067"}, nil, Text},
		"common":              {[]string{"filler"}, nil, nil, Common},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ids, outcome := x.Search(test.required, test.excluded)
			if outcome != test.outcome || !slices.Equal(ids, test.want) {
				t.Errorf("%v, %s, want %v, %s", ids, outcome, test.want, test.outcome)
			}
		})
	}
}

// TestChanges checks that changed posts are candidates until they are read, and what they are
// afterwards.
func TestChanges(t *testing.T) {
	from := newFake("concert", "lecture", "reading")
	x, tracker := loaded(t, from)
	steps := []struct {
		id          int64
		text        string
		before, now []int64 // for "concert", while and after the change is read
	}{
		{2, "another concert", []int64{1, 2}, []int64{1, 2}},
		{1, "", []int64{1, 2}, []int64{2}},
		{9, "new", []int64{2, 9}, []int64{2}},
		{9, "new concert", []int64{2, 9}, []int64{2, 9}},
		{2, "odd \U000f0000", []int64{2, 9}, []int64{2, 9}},
		{2, "odd no more", []int64{2, 9}, []int64{9}},
	}
	for i, step := range steps {
		from.put(step.id, step.text)
		tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: step.id})
		if ids, outcome := x.Search([]string{"concert"}, nil); x.Pending() > 0 && (outcome != Narrowed || !slices.Equal(ids, step.before)) {
			t.Errorf("step %d, before: %v, %s", i, ids, outcome)
		}
		await(t, "the change is read", func() bool { return x.Pending() == 0 })
		if ids, outcome := x.Search([]string{"concert"}, nil); outcome != Narrowed || !slices.Equal(ids, step.now) {
			t.Errorf("step %d, after: %v, %s", i, ids, outcome)
		}
	}
}

// TestChangesWhileLoading checks that a post that changes while the index is being loaded is a
// candidate, and that a change of everything starts over.
func TestChangesWhileLoading(t *testing.T) {
	from := newFake("concert", "lecture")
	x, tracker := open(t, from, 16<<20, nil)
	var once, again sync.Once
	from.mu.Lock()
	from.during = func() {
		once.Do(tracker.InvalidateAll)
		again.Do(func() { tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: 2}) })
	}
	from.mu.Unlock()
	tracker.InvalidateAll()
	await(t, "the index is loaded", func() bool { return x.Posts() > 0 && x.Pending() == 0 })
	if ids, outcome := x.Search([]string{"concert"}, nil); outcome != Narrowed || !slices.Equal(ids, []int64{1}) {
		t.Errorf("%v, %s", ids, outcome)
	}
	tracker.Suspend()
	if _, outcome := x.Search([]string{"concert"}, nil); outcome != Suspended {
		t.Error(outcome)
	}
}

func TestOff(t *testing.T) {
	tests := map[string]struct {
		columns []Collation
		bytes   int64
		log     string
	}{
		"two collations":    {[]Collation{{Charset: "utf8mb4", Name: "utf8mb4_bin"}, {Charset: "utf8mb4", Name: "utf8mb4_general_ci"}}, 16 << 20, "give the texts of posts and postmeta one collation"},
		"unknown collation": {[]Collation{{Charset: "utf8mb4", Name: "utf8mb4_czech_ci"}}, 16 << 20, "give the texts"},
		"no server":         {nil, 16 << 20, ""},
		"too small":         {[]Collation{{Charset: "utf8mb4", Name: "utf8mb4_bin"}}, 1 << 10, "--search-index-size is too small for this site"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			from := newFake("concert")
			from.columns = test.columns
			var log strings.Builder
			x, _ := open(t, from, test.bytes, &log)
			await(t, "the index is off", func() bool { _, outcome := x.Search([]string{"concert"}, nil); return outcome == Off })
			if text := log.String(); test.log == "" && text != "" || !strings.Contains(text, test.log) || strings.Count(text, "\n") > 1 {
				t.Error(text)
			}
			if x.Posts() != 0 || x.Bytes() != 0 {
				t.Errorf("%d posts, %d bytes", x.Posts(), x.Bytes())
			}
		})
	}
}

// TestFailures checks that the index loads after an outage.
func TestFailures(t *testing.T) {
	from := newFake("concert")
	from.fail = errors.New("down")
	x, _ := open(t, from, 16<<20, nil)
	await(t, "an attempt has failed", func() bool { _, outcome := x.Search([]string{"concert"}, nil); return outcome == Loading })
	from.mu.Lock()
	from.fail = nil
	from.mu.Unlock()
	await(t, "the index is loaded", func() bool { return x.Posts() > 0 })
}

func TestRowsFor(t *testing.T) {
	for _, posts := range []int{0, 1, 1023, 1024, 50_000, 1_000_000} {
		least := leastBytes(posts)
		if rowsFor(posts, least) != minRows || rowsFor(posts, least-1) != 0 || rowsFor(posts, 1<<40) != maxRows {
			t.Errorf("%d posts: %d, %d and %d rows", posts, rowsFor(posts, least), rowsFor(posts, least-1), rowsFor(posts, 1<<40))
		}
		if posts == 0 {
			continue
		}
		m := newMatrix(rowsFor(posts, least+1<<20), posts)
		if m.grow(posts - 1); m.bytes()+extraBytes(posts) > least+1<<20 {
			t.Errorf("%d posts take %d bytes, more than %d", posts, m.bytes(), least+1<<20)
		}
	}
}

// TestCollationsAreReadOnce checks that indexes which share Collations read each collation once for each
// version of the server.
func TestCollationsAreReadOnce(t *testing.T) {
	var shared Collations
	s := newFake()
	of := Collation{Charset: "utf8mb4", Name: "utf8mb4_bin", Server: "10.11"}
	newer := of
	newer.Server = "11.8"
	for _, step := range []struct {
		c    Collation
		want int
	}{{of, 1}, {of, 1}, {newer, 2}, {of, 2}} {
		if classes, err := shared.read(t.Context(), s, step.c); err != nil || classes == nil || s.weights != step.want*len(planesRead()) {
			t.Errorf("%v: %d calls, want those of %d loads; %v", step.c, s.weights, step.want, err)
		}
	}
}

func TestComparable(t *testing.T) {
	tests := map[Collation]bool{
		{Charset: "utf8mb4", Name: "utf8mb4_unicode_520_ci"}: true, {Charset: "utf8mb4", Name: "utf8mb4_unicode_520_nopad_ci"}: true, {Charset: "utf8mb3", Name: "utf8mb3_general_ci"}: true, {Charset: "utf8", Name: "utf8_bin"}: true,
		{Charset: "utf8mb4", Name: "utf8mb4_uca1400_nopad_ai_ci"}: true, {Charset: "latin1", Name: "latin1_swedish_ci"}: true, {Charset: "utf8mb4", Name: "utf8mb4_0900_ai_ci"}: true,
		{Charset: "utf8mb4", Name: "utf8mb4_0900_as_cs"}: false, {Charset: "utf8mb4", Name: "utf8mb4_czech_ci"}: false, {Charset: "latin1", Name: "latin1_german2_ci"}: false, {Charset: "utf16", Name: "utf16_bin"}: false, {Charset: "utf8mb4", Name: "utf8_bin"}: false, {}: false,
	}
	for c, want := range tests {
		if got := c.comparable(); got != want {
			t.Errorf("%v: %v", c, got)
		}
	}
}

// FuzzSearch checks that a text has all sequences of each part of it that a search can find.
func FuzzSearch(f *testing.F) {
	for _, text := range []string{"concert", "e\u0301a%b_c\\d", "東京の夜", "\xff\xfe", "abc\U000f0000def"} {
		f.Add(text, 0, len(text))
	}
	classes, err := readClasses(f.Context(), newFake(), Collation{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string, from, to int) {
		runes := []rune(text)
		if from < 0 || to > len(runes) || from > to {
			return
		}
		has := map[uint32]bool{}
		complete := classes.ofText([]byte(text), func(hash uint32) { has[hash] = true })
		hashes, known := classes.ofSearch(strings.ToUpper(string(runes[from:to])))
		for _, hash := range hashes {
			if known && complete && strings.EqualFold(strings.ToUpper(text), text) && !has[hash] {
				t.Fatalf("%q lacks a sequence of %q", text, string(runes[from:to]))
			}
		}
	})
}
