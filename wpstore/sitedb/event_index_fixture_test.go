package sitedb_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// messySite is a small site with every irregularity that the tables allow, whose
// lists are asked for twice: from the listing index, and from the database by a
// handle that has none.
type messySite struct {
	fixture
	plain   *sitedb.DB
	tracker *invalidation.Tracker
	listing *eventindex.Index
	rng     *rand.Rand
	plugin  i18n.Plugin
	langs   *i18n.Languages
	by      map[eventindex.Outcome]int // how lists were answered
	// upcoming decides what is asked for upcoming events, and linked counts the venues and organizers
	// of them that were compared.
	upcoming *rand.Rand
	linked   int
	// texts decides what is searched for, and searched counts the searches that found events in both indexes.
	texts    *rand.Rand
	searched int
}

const migratedState = `a:1:{s:5:"phase";s:22:"migration-not-required";}`

func newMessySite(t *testing.T, engine string, plugin i18n.Plugin, occurrences bool, seed uint64) *messySite {
	t.Helper()
	s := &messySite{rng: rand.New(rand.NewPCG(seed, 1)), upcoming: rand.New(rand.NewPCG(seed, 2)), texts: rand.New(rand.NewPCG(seed, 3)), plugin: plugin, by: map[eventindex.Outcome]int{}}
	s.open(t, engine, func(by eventindex.Outcome) { s.by[by]++ })
	if occurrences {
		s.Option("tec_ct1_migration_state", migratedState)
	}
	switch plugin {
	case i18n.WPML:
		s.OK(s.db.CreateLanguageSchema(t.Context()))
		for i, code := range []string{"cs", "en", "de"} {
			s.Insert("icl_languages", row{"id": i + 1, "code": code, "english_name": code, "active": 1, "default_locale": code})
		}
		s.Option("active_plugins", `a:1:{i:0;s:40:"sitepress-multilingual-cms/sitepress.php";}`)
		s.Option("icl_sitepress_settings", `a:2:{s:16:"default_language";s:2:"cs";s:25:"language_negotiation_type";i:1;}`)
	case i18n.Polylang:
		s.Option("active_plugins", `a:1:{i:0;s:21:"polylang/polylang.php";}`)
		s.Option("polylang", `a:4:{s:12:"default_lang";s:2:"cs";s:12:"hide_default";b:1;s:10:"force_lang";i:1;s:7:"rewrite";b:1;}`)
		for i, code := range []string{"cs", "en"} {
			s.Term(int64(31+i), "language", code, code, 0, 0)
			s.Term(int64(33+i), "term_language", code, "pll_"+code, 0, 0)
		}
	}
	for id := int64(1); id <= 6; id++ {
		s.Term(id, category, "c", fmt.Sprint("c", id), 0, 0)
	}
	for id := int64(4); id <= 9; id++ { // some terms are both
		if id > 6 {
			s.Insert("terms", row{"term_id": id, "name": "t", "slug": fmt.Sprint("t", id)})
		}
		s.Insert("term_taxonomy", row{"term_taxonomy_id": 2000 + id, "term_id": id, "taxonomy": tag, "description": ""})
	}
	for id := int64(1); id <= 150; id++ {
		s.messyPost(id)
	}
	s.langs = s.languages()
	if s.langs.Plugin != plugin {
		t.Fatalf("the site has %v", s.langs.Plugin)
	}
	s.tracker = invalidation.NewTracker()
	s.listing = s.db.OpenIndex(t.Context(), s.tracker)
	search := s.db.OpenSearchIndex(t.Context(), s.tracker, 16<<20)
	s.tracker.Resume(true)
	wptest.AwaitRows(t, s.listing)
	for deadline := time.Now().Add(time.Minute); engine == "mariadb" && search.Posts() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the search index is not loaded within a minute")
		}
	}
	return s
}

// open opens an empty site, and a second time without an index.
func (s *messySite) open(t *testing.T, engine string, listed func(eventindex.Outcome)) {
	t.Helper()
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "site.sqlite")
	if engine == "mariadb" {
		dsn = wptest.MariaDB(t)
	}
	s.fixture = newSite(t, engine, func(cfg *sitedb.Config) {
		cfg.Database, cfg.CreateFile, cfg.Listed = wptest.Address(t, dsn), true, listed
	})
	var err error
	if s.plain, err = sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}, Tables: table.Config{Prefix: "wp_"}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.plain.Close() })
}

func pick[T any](s *messySite, values ...T) T { return values[s.rng.IntN(len(values))] }

func (s *messySite) chance(percent int) bool { return s.rng.IntN(100) < percent }

// messyDates are few, so that many are equal.
var messyDates = []string{
	"2026-11-20 10:00:00", "2026-11-21 00:00:00", "2026-11-21 10:00:00", "2026-12-01 10:00:00", "2026-12-24 18:00:00",
	"2026-12-31 23:59:59", "2027-01-01 00:00:00", "0000-00-00 00:00:00", "2026-00-00 00:00:00", "2026-12-00 08:00:00", "9999-12-31 23:59:59",
}

func (s *messySite) date() string { return pick(s, messyDates...) }

// messyPost makes a post, mostly an event, and everything that hangs on it.
func (s *messySite) messyPost(id int64) {
	s.Post(id, s.messyType(), row{
		"post_status": s.messyStatus(), "post_author": s.rng.IntN(4), "post_parent": pick(s, 0, 0, 0, s.rng.IntN(150)),
		"post_date": s.date(), "post_password": pick(s, "", "", "", "", "x", " ", "tajné"),
		"post_title": s.word() + " " + s.word(), "post_excerpt": s.word(),
	})
	for range pick(s, 1, 1, 1, 1, 0, 2, 5) {
		s.messyOccurrence(id)
	}
	for _, key := range []string{"_EventStartDate", "_EventEndDate", "_EventStartDateUTC", "_EventEndDateUTC"} {
		for range pick(s, 1, 1, 1, 1, 1, 0, 2, 3) {
			s.Meta(id, key, pick(s, s.date(), s.date(), s.date(), s.date(), s.date(), s.date(), s.date(), "někdy", ""))
		}
	}
	for range s.rng.IntN(4) {
		s.messyMeta(id)
	}
	for range s.rng.IntN(4) {
		s.messyTerm(id)
	}
	s.messyLanguage(id)
}

func (s *messySite) messyType() string {
	return pick(s, wpstore.EventType, wpstore.EventType, wpstore.EventType, wpstore.EventType, wpstore.EventType, "post", "Tribe_Events", wpstore.VenueType)
}

func (s *messySite) messyStatus() string {
	return pick(s, "publish", "publish", "publish", "publish", "private", "draft", "pending", "future", "trash", "auto-draft")
}

func (s *messySite) messyOccurrence(post int64) {
	s.Insert("tec_occurrences", row{"event_id": post, "post_id": post, "hash": fmt.Sprint(s.rng.Uint64()),
		"start_date": s.date(), "end_date": s.date(), "start_date_utc": s.date(), "end_date_utc": s.date()})
}

func (s *messySite) messyMeta(post int64) {
	link := pick[any](s, "30", "31", "32", "40", "41", " 30", "31, 30", "030", "30.9", "", "abc", "-5", "99999999999999999999", nil)
	switch s.rng.IntN(12) {
	case 0:
		s.Meta(post, "_tribe_featured", pick[any](s, "1", "0", "", nil))
	case 1:
		if s.chance(30) {
			s.Meta(post, pick(s, "_EventHideFromUpcoming", "_eventhidefromupcoming"), pick(s, "yes", ""))
		}
	case 2, 3, 4, 5:
		s.Meta(post, pick(s, wpstore.VenueLink, wpstore.VenueLink, "_EVENTVENUEID", wpstore.VenueLink+" "), link)
	case 6:
		s.Meta(post, "_edit_last", "1")
	default:
		s.Meta(post, wpstore.OrganizerLink, link)
	}
}

func (s *messySite) messyTerm(post int64) {
	id := pick(s, 1001, 1002, 1003, 1004, 1005, 1006, 2004, 2005, 2006, 2007, 2008, 2009, 3000)
	s.exec("DELETE FROM wp_term_relationships WHERE object_id = ? AND term_taxonomy_id = ?", post, id)
	s.Insert("term_relationships", row{"object_id": post, "term_taxonomy_id": id})
}

func (s *messySite) messyLanguage(post int64) {
	switch s.plugin {
	case i18n.WPML:
		s.exec("DELETE FROM wp_icl_translations WHERE element_id = ?", post)
		if s.chance(85) {
			kind := pick(s, "post_tribe_events", "post_tribe_events", "post_tribe_events", "post_post", "tax_tribe_events_cat")
			s.Insert("icl_translations", row{"element_type": kind, "element_id": post, "trid": post, "language_code": pick(s, "cs", "cs", "en", "de")})
		}
	case i18n.Polylang:
		s.exec("DELETE FROM wp_term_relationships WHERE object_id = ? AND term_taxonomy_id IN (1031, 1032)", post)
		for _, id := range []int64{1031, 1032} {
			if s.chance(50) {
				s.Insert("term_relationships", row{"object_id": post, "term_taxonomy_id": id})
			}
		}
	}
}

func (s *messySite) exec(text string, args ...any) {
	s.t.Helper()
	if _, err := s.db.SQL().Exec(text, args...); err != nil {
		s.t.Fatalf("%s: %v", text, err)
	}
}

// change changes something by plain SQL and logs what.
func (s *messySite) change() {
	s.t.Helper()
	id := 1 + s.rng.Int64N(160)
	changed := []invalidation.Tag{{Kind: invalidation.Post, ID: id}, {Kind: invalidation.Posts}}
	switch s.rng.IntN(14) {
	case 0:
		s.remove(id)
	case 1, 2:
		s.remove(id)
		s.messyPost(id)
	case 3:
		s.exec("UPDATE wp_posts SET post_type = ? WHERE ID = ?", s.messyType(), id)
	case 4:
		s.exec("UPDATE wp_posts SET post_status = ?, post_date = ? WHERE ID = ?", s.messyStatus(), s.date(), id)
	case 5:
		s.exec("DELETE FROM wp_tec_occurrences WHERE post_id = ?", id)
	case 6:
		s.messyOccurrence(id)
	case 7:
		s.messyMeta(id)
	case 8:
		s.exec("DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key = ?", id, pick(s, "_EventStartDate", "_EventVenueID", "_tribe_featured"))
	case 9:
		s.messyTerm(id)
	case 10:
		s.exec("DELETE FROM wp_term_relationships WHERE object_id = ?", id)
	case 11:
		s.messyLanguage(id)
	case 12: // a term's rows become those of another one
		from, to := 1+s.rng.Int64N(6), 10+s.rng.Int64N(20)
		s.exec("UPDATE wp_term_taxonomy SET term_id = ? WHERE term_taxonomy_id = ? AND NOT EXISTS (SELECT 1 FROM (SELECT * FROM wp_term_taxonomy) x WHERE x.term_id = ? AND x.taxonomy = wp_term_taxonomy.taxonomy)",
			to, 1000+from, to)
		var ids []invalidation.Tag
		for term := int64(1); term < 31; term++ {
			ids = append(ids, invalidation.Tag{Kind: invalidation.Term, ID: term})
		}
		changed = append(ids, invalidation.Tag{Kind: invalidation.Terms})
	case 13: // a taxonomy's row goes and leaves relationships behind, or comes back
		term := 4 + s.rng.Int64N(6)
		if s.chance(50) {
			s.exec("DELETE FROM wp_term_taxonomy WHERE term_taxonomy_id = ?", 2000+term)
		} else {
			s.exec("DELETE FROM wp_term_taxonomy WHERE term_taxonomy_id = ?", 2000+term)
			s.Insert("term_taxonomy", row{"term_taxonomy_id": 2000 + term, "term_id": term, "taxonomy": tag, "description": ""})
		}
		changed = []invalidation.Tag{{Kind: invalidation.Terms}}
	}
	s.tracker.Invalidate(changed...)
}

func (s *messySite) remove(id int64) {
	for table, column := range map[string]string{"posts": "ID", "postmeta": "post_id", "tec_occurrences": "post_id", "term_relationships": "object_id"} {
		s.exec("DELETE FROM wp_"+table+" WHERE "+column+" = ?", id)
	}
}

// messyQuery asks for anything.
func (s *messySite) messyQuery(occurrences bool) wpstore.EventQuery {
	q := wpstore.EventQuery{Occurrences: occurrences, Limit: pick[int64](s, 10, 10, 3, 1, 50, 1000, 0, -1), Offset: pick[int64](s, 0, 0, 0, 1, 3, 10, 40, 1000, -2)}
	q.UTC, q.Order.UTC = s.chance(40), s.chance(40)
	q.Order.Descending, q.Order.ByPublication = s.chance(40), s.chance(20)
	statuses := func() []string {
		return pick(s, []string{"publish"}, []string{"publish"}, nil, []string{}, []string{"publish", "private"}, []string{"trash"},
			[]string{"draft", "pending", "future", "nonsense"}, []string{"auto-draft", "private"})
	}
	q.Statuses = statuses()
	if s.chance(20) {
		q.Own = &wpstore.Own{Author: int64(s.rng.IntN(5)), Statuses: statuses()}
	}
	for range pick(s, 0, 0, 1, 2, 2, 3) {
		q.Bounds = append(q.Bounds, wpstore.Bound{End: s.chance(40), Op: pick(s, ">=", ">", "<=", "<", ">=", "<=", ">=", "<=", ">=", "<=", "="),
			Value: pick(s, s.date(), s.date(), s.date(), s.date(), "2026-11-30 00:00:00", "2026-12-25 00:00:00", "nonsense")})
	}
	ids := func(percent int, candidates ...int64) []int64 {
		if !s.chance(percent) {
			return nil
		}
		out := []int64{}
		for range s.rng.IntN(4) {
			out = append(out, pick(s, candidates...))
		}
		return out
	}
	q.Categories, q.Tags = ids(20, 1, 2, 3, 4, 5, 6, 12, 99), ids(15, 4, 5, 6, 7, 8, 9)
	q.Venues, q.Organizers = ids(20, 30, 31, 32, 0, 99), ids(15, 40, 41, 30, 31)
	if s.chance(15) {
		q.Include = []int64{}
		for range s.rng.IntN(60) {
			q.Include = append(q.Include, s.rng.Int64N(170)-2)
		}
	}
	if s.chance(15) {
		q.Filters = append(q.Filters, wpstore.EventFilter{Name: wpstore.FilterFeatured, Lacks: !s.chance(60)})
	}
	if s.chance(10) {
		parent := pick[int64](s, 0, 0, s.rng.Int64N(150))
		q.Filters = append(q.Filters, wpstore.EventFilter{Name: wpstore.FilterParent, IDs: []int64{parent}})
	}
	q.UnprotectedOnly = s.chance(15)
	if s.chance(30) {
		q.Passwords = []string{}
		if s.chance(30) {
			q.UnlockedFor = s.rng.Int64N(4)
		}
	}
	if s.langs.Plugin != i18n.NoPlugin && s.chance(70) {
		q.Language = wpstore.In(s.langs, pick(s, s.langs.Codes()...))
	}
	return q
}

// indexed returns a session whose lists may come from the index.
func indexed(db *sitedb.DB) *sitedb.Session {
	session := db.Session(nil)
	session.AllowCache()
	return session
}

// settles asks for a list from the index, which has to read what has changed before,
// and checks how many statements that took.
func (s *messySite) settles(q wpstore.EventQuery, want int) {
	s.t.Helper()
	session, answered := indexed(s.db), s.by[eventindex.FromIndex]
	_, err := session.Events.Events(s.t.Context(), q, nil)
	s.OK(err)
	if s.by[eventindex.FromIndex] == answered {
		s.t.Errorf("lists are answered by %v", s.by)
	}
	if n := session.Queries(); n != want {
		s.t.Errorf("%d queries, want %d", n, want)
	}
}

// compare asks for some lists in both ways.
func (s *messySite) compare(n int, occurrences bool) {
	s.t.Helper()
	for range n {
		q := s.messyQuery(occurrences)
		s.compareUpcoming(q)
		q.Search = s.messySearch()
		var other *wpstore.EventQuery
		if s.chance(25) {
			o := q
			if s.langs.Plugin != i18n.NoPlugin && s.chance(70) {
				o.Language = wpstore.In(s.langs, pick(s, s.langs.Codes()...))
			} else {
				o = s.messyQuery(occurrences)
				if o.Search = q.Search; s.texts.IntN(4) == 0 {
					o.Search = s.messySearch()
				}
			}
			other = &o
		}
		want, err := s.plain.Session(nil).Events.Events(s.t.Context(), q, other)
		s.OK(err)
		answered := s.by[eventindex.FromIndex]
		got, err := indexed(s.db).Events.Events(s.t.Context(), q, other)
		s.OK(err)
		if q.Search != nil && len(got.IDs) > 0 {
			s.searched += s.by[eventindex.FromIndex] - answered
		}
		if !slices.Equal(got.IDs, want.IDs) || got.Total != want.Total || got.Counted != want.Counted {
			s.t.Fatalf("query %+v\nother %+v\n got %+v\nwant %+v", q, other, got, want)
		}
	}
}

// words are so many that few posts have each.
var words = strings.Fields("harbour lantern orchard meadow cellar chapel bridge castle garden market library theatre museum gallery fountain tower")

func (s *messySite) word() string { return words[s.texts.IntN(len(words))] }

// messySearch returns texts to search for, or none.
func (s *messySite) messySearch() (terms []wpstore.SearchTerm) {
	if s.texts.IntN(3) == 0 {
		return nil
	}
	word := s.word()
	terms = append(terms, wpstore.SearchTerm{Text: word[:3+s.texts.IntN(len(word)-2)]})
	if s.texts.IntN(4) == 0 {
		terms = append(terms, wpstore.SearchTerm{Text: s.word(), Exclude: s.texts.IntN(2) == 0})
	}
	return terms
}

// compareUpcoming asks in both ways for the venues and organizers of the first events of a query
// that begin at some time or later. Their order is that of the tables, and nothing shows it.
func (s *messySite) compareUpcoming(q wpstore.EventQuery) {
	s.t.Helper()
	key := []string{wpstore.VenueLink, wpstore.OrganizerLink}[s.upcoming.IntN(2)]
	now := messyDates[s.upcoming.IntN(len(messyDates))]
	want, err := s.plain.Session(nil).Linked.LinkedUpcoming(s.t.Context(), key, q, now)
	s.OK(err)
	before := s.answered()
	got, err := indexed(s.db).Linked.LinkedUpcoming(s.t.Context(), key, q, now)
	s.OK(err)
	if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		s.t.Fatalf("%s of events from %s on: query %+v\n got %v\nwant %v", key, now, q, got, want)
	}
	if q.Limit > 0 && s.answered() != before+1 {
		s.t.Fatalf("%s of events from %s on: query %+v\nthe index wasn't asked", key, now, q)
	}
	s.linked += len(want)
}

// answered returns how many lists the index was asked for.
func (s *messySite) answered() (lists int) {
	for _, n := range s.by {
		lists += n
	}
	return lists
}
