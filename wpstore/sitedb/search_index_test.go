package sitedb_test

import (
	"cmp"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/searchindex"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// searchedCollations returns the collations under which searches are compared.
func searchedCollations() []string {
	return []string{
		"utf8mb4_unicode_520_ci", "utf8mb4_unicode_ci", "utf8mb4_general_ci", "utf8mb4_bin", "utf8mb4_0900_ai_ci", "utf8mb4_uca1400_ai_ci",
		"utf8mb3_general_ci", "utf8mb3_unicode_ci", "latin1_swedish_ci", "utf8mb4_czech_ci",
	}
}

// alikes returns groups of characters that some collations take for equal, of all scripts.
func alikes() []string {
	return []string{
		"aáäÀaａ𝐚ªⓐA", "bBｂ𝐁", "sSßšſŠ", "lłŁLĺ", "oøØöO0", "iıİIî", "cčCҫ", "hHħ", "eéЕeEę", "nñŇŋ", "tTţ†",
		"оОӧо", "жЖӂ", "рРp", "ωΩώ", "σςΣ", "אבש", "عغأا", "कखक", "กขก", "한하ᄒ", "東东京", "かカｶガ", "ツッっ", "中国國",
		"😀😃🎵🎶", "𐐀𐐨", "🇨🇿", "１1¹①", "--‐–", "'’ʼ", "%", "_", "\\", " ", "  \u00a0", "æÆǣ", "ĳĲ", "ﬁﬀ", "Ǆǆ", "…·",
		"\u0301", "\u200d", "\ufe0f", "\u00ad", "\u0000x", "\U000e0067", "\U000f0000", "\ufffd", "\"", "<", "&",
	}
}

// searchedSite is a site whose searches are compared with and without an index.
type searchedSite struct {
	fixture
	plain   *sitedb.DB
	tracker *invalidation.Tracker
	index   *searchindex.Index
	rng     *rand.Rand
	letters []rune // those of the alikes that the character set has
	groups  map[rune][]rune
	texts   []string
	by      map[searchindex.Outcome]int
	found   int // narrowed searches of events that found some
	lists   map[eventindex.Outcome]int
}

const searchedPosts = 300

func newSearchedSite(t *testing.T, collation string, seed uint64) *searchedSite {
	t.Helper()
	s := &searchedSite{rng: rand.New(rand.NewPCG(seed, 7)), by: map[searchindex.Outcome]int{}, lists: map[eventindex.Outcome]int{}, groups: map[rune][]rune{}}
	dsn := wptest.MariaDB(t)
	s.fixture = newSite(t, "mariadb", func(cfg *sitedb.Config) {
		cfg.Database, cfg.Searched = wptest.Address(t, dsn), func(by searchindex.Outcome) { s.by[by]++ }
		cfg.Listed = func(by eventindex.Outcome) { s.lists[by]++ }
	})
	charset, _, _ := strings.Cut(collation, "_")
	var known int
	s.OK(s.db.SQL().QueryRow("SELECT COUNT(*) FROM information_schema.collations WHERE CONCAT(?, '_') = LEFT(?, LENGTH(?) + 1) AND (collation_name = ? OR CONCAT(?, '_', collation_name) = ?)",
		charset, collation, charset, collation, charset, collation).Scan(&known))
	if known == 0 {
		t.Skipf("the server has no %s: set CALBRIDGE_TEST_SERVER=the path of another one", collation)
	}
	for _, column := range []string{"wp_posts MODIFY post_title text", "wp_posts MODIFY post_excerpt text", "wp_posts MODIFY post_content longtext", "wp_postmeta MODIFY meta_value longtext"} {
		_, err := s.db.SQL().Exec("ALTER TABLE " + column + " CHARACTER SET " + charset + " COLLATE " + collation)
		s.OK(err)
	}
	for _, group := range alikes() {
		var has []rune
		for _, r := range group {
			if charset == "latin1" && (r > 0xff || r >= 0x80 && r < 0xa0) || charset == "utf8mb3" && r > 0xffff {
				continue
			}
			has = append(has, r)
		}
		for _, r := range has {
			s.groups[r] = has
		}
		s.letters = append(s.letters, has...)
	}
	for id := int64(1); id <= searchedPosts; id++ {
		s.post(id)
	}
	var err error
	s.plain, err = sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}, Tables: table.Config{Prefix: "wp_"}})
	s.OK(err)
	t.Cleanup(func() { s.plain.Close() })
	s.tracker = invalidation.NewTracker()
	s.index = s.db.OpenSearchIndex(t.Context(), s.tracker, 16<<20)
	listing := s.db.OpenIndex(t.Context(), s.tracker)
	s.tracker.Resume(true)
	wptest.AwaitRows(t, listing)
	return s
}

// await waits until the index has read all changes.
func (s *searchedSite) await() {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); s.index.Posts() == 0 || s.index.Pending() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatal("the search index is not loaded within a minute")
		}
	}
}

// text returns a random text, which search may find again.
func (s *searchedSite) text() string {
	var out []rune
	window := s.letters
	if s.rng.IntN(3) > 0 { // few letters, which many texts have
		from := s.rng.IntN(len(s.letters))
		window = s.letters[from:min(from+12, len(s.letters))]
	}
	for range s.rng.IntN(24) {
		out = append(out, window[s.rng.IntN(len(window))])
	}
	s.texts = append(s.texts, string(out))
	return string(out)
}

// post stores a post of any type, with its metadata.
func (s *searchedSite) post(id int64) {
	kind := []string{wpstore.EventType, wpstore.EventType, wpstore.EventType, wpstore.VenueType, wpstore.OrganizerType, "post"}[s.rng.IntN(6)]
	s.Post(id, kind, row{
		"post_title": s.text(), "post_excerpt": s.text(), "post_content": s.text(),
		"post_status": []string{"publish", "publish", "private", "draft", "trash"}[s.rng.IntN(5)], "post_author": s.rng.IntN(3),
	})
	for _, key := range []string{"_EventStartDate", "_EventEndDate", "_EventStartDateUTC", "_EventEndDateUTC"} {
		s.Meta(id, key, "2026-11-21 10:00:00")
	}
	for _, key := range []string{"_VenueAddress", "_venuecity", "_OrganizerPhone", "_OrganizerEmail", "_other"} {
		if s.rng.IntN(2) == 0 {
			s.Meta(id, key, s.text())
		}
	}
}

// search returns part of a text, with some characters replaced by similar ones.
func (s *searchedSite) search() string {
	text := []rune(s.texts[s.rng.IntN(len(s.texts))])
	from := s.rng.IntN(len(text) + 1)
	text = slices.Clone(text[from:min(from+1+s.rng.IntN(12), len(text))])
	if s.rng.IntN(2) == 0 {
		return string(text)
	}
	for i, r := range text {
		switch alike := s.groups[r]; s.rng.IntN(8) {
		case 0, 1, 2:
			if len(alike) > 0 {
				text[i] = alike[s.rng.IntN(len(alike))]
			}
		case 3:
			if s.rng.IntN(10) == 0 {
				text[i] = s.letters[s.rng.IntN(len(s.letters))]
			}
		}
	}
	return string(text)
}

// compare runs a random search with and without the index.
func (s *searchedSite) compare() {
	s.t.Helper()
	var terms []wpstore.SearchTerm
	var texts []string
	for range 1 + s.rng.IntN(10)/8 {
		text := s.search()
		texts = append(texts, text)
		terms = append(terms, wpstore.SearchTerm{Text: text, Exclude: s.rng.IntN(8) == 0})
	}
	q := wpstore.EventQuery{Search: terms, Limit: 1 + s.rng.Int64N(50), Hidden: s.rng.IntN(2) == 0}
	if s.rng.IntN(2) == 0 {
		q.Statuses = []string{"publish"}
		q.Own = &wpstore.Own{Author: 1, Statuses: []string{"publish", "draft"}}
	}
	if s.rng.IntN(4) == 0 {
		q.Include = []int64{s.rng.Int64N(searchedPosts), s.rng.Int64N(searchedPosts), s.rng.Int64N(searchedPosts)}
	}
	before := s.by[searchindex.Narrowed]
	with, err := indexed(s.db).Events.Events(s.t.Context(), q, nil)
	without, errPlain := s.plain.Session(nil).Events.Events(s.t.Context(), q, nil)
	if !slices.Equal(with.IDs, without.IDs) || with.Total != without.Total || (err == nil) != (errPlain == nil) {
		s.t.Fatalf("%+v: %+v, %v, want %+v, %v", terms, with, err, without, errPlain)
	}
	if len(with.IDs) > 0 && s.by[searchindex.Narrowed] > before {
		s.found++
	}
	kind := []string{wpstore.VenueType, wpstore.OrganizerType}[s.rng.IntN(2)]
	linked, err := indexed(s.db).Linked.SearchLinked(s.t.Context(), kind, texts, nil)
	plain, errPlain := s.plain.Session(nil).Linked.SearchLinked(s.t.Context(), kind, texts, nil)
	slices.Sort(linked)
	slices.Sort(plain)
	if !slices.Equal(linked, plain) || (err == nil) != (errPlain == nil) {
		s.t.Fatalf("%q: %v, %v, want %v, %v", texts, linked, err, plain, errPlain)
	}
}

// TestSearchesAreThoseOfTheDatabase compares random searches over random texts of all scripts
// with and without the index, under each collation of the server, while texts change.
func TestSearchesAreThoseOfTheDatabase(t *testing.T) {
	searches, err := strconv.Atoi(cmp.Or(os.Getenv("CALBRIDGE_SEARCHES"), "4000"))
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(1)
	if os.Getenv("CALBRIDGE_SEARCHES") != "" {
		seed = rand.Uint64()
	}
	for _, collation := range searchedCollations() {
		t.Run(collation, func(t *testing.T) {
			t.Logf("seed %d", seed)
			s := newSearchedSite(t, collation, seed)
			if collation == "utf8mb4_czech_ci" { // not known
				s.compare()
				return
			}
			s.await()
			for i := range searches / len(searchedCollations()) {
				if s.rng.IntN(50) == 0 {
					s.change(1 + s.rng.Int64N(searchedPosts))
				}
				if i%200 == 199 {
					s.await()
				}
				s.compare()
			}
			t.Log(s.by, s.found, s.lists)
			if s.lists[eventindex.FromIndex] < searches/len(searchedCollations())/10 {
				t.Errorf("few searches were answered by the event index: %v", s.lists)
			}
			if s.found < searches/len(searchedCollations())/50 {
				t.Errorf("few searches were narrowed and found something: %d, %v", s.found, s.by)
			}
		})
	}
}

// change replaces a post.
func (s *searchedSite) change(id int64) {
	for _, statement := range []string{"DELETE FROM wp_posts WHERE ID = ?", "DELETE FROM wp_postmeta WHERE post_id = ?"} {
		_, err := s.db.SQL().Exec(statement, id)
		s.OK(err)
	}
	if s.rng.IntN(4) > 0 {
		s.post(id)
	}
	s.tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: id}, invalidation.Tag{Kind: invalidation.Posts})
}

// TestManyCandidates searches for a word of a fifth of the events. MariaDB makes a table of such a long list of ids.
func TestManyCandidates(t *testing.T) {
	dsn := wptest.MariaDB(t)
	outcomes := map[searchindex.Outcome]int{}
	s := newSite(t, "mariadb", func(cfg *sitedb.Config) {
		cfg.Database, cfg.Searched = wptest.Address(t, dsn), func(by searchindex.Outcome) { outcomes[by]++ }
	})
	wptest.Generate(t, s.db.SQL(), "wp_", 6000)
	_, err := s.db.SQL().Exec("UPDATE wp_posts SET post_content = 'A lighthouse' WHERE ID % 5 = 0")
	s.OK(err)
	tracker := invalidation.NewTracker()
	index := s.db.OpenSearchIndex(t.Context(), tracker, 16<<20)
	tracker.Resume(true)
	for deadline := time.Now().Add(time.Minute); index.Posts() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the search index is not loaded within a minute")
		}
	}
	for _, limit := range []int64{1, 50, 5000} {
		q := wpstore.EventQuery{Search: []wpstore.SearchTerm{{Text: "lighthouse"}}, Statuses: []string{"publish"}, Occurrences: true, Limit: limit}
		with, err := indexed(s.db).Events.Events(t.Context(), q, nil)
		s.OK(err)
		without, err := s.db.Session(nil).Events.Events(t.Context(), q, nil)
		s.OK(err)
		if !slices.Equal(with.IDs, without.IDs) || with.Total != without.Total || with.Total < 1000 {
			t.Errorf("limit %d: %d of %d, want %d of %d", limit, len(with.IDs), with.Total, len(without.IDs), without.Total)
		}
	}
	if outcomes[searchindex.Narrowed] != 3 {
		t.Error(outcomes)
	}
}
