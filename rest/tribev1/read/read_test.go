package read

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1/render"
	"calbridge/rest/tribev1/requesttest"
	"calbridge/wpstore"
)

// newSite returns a site with three events, venues, organizers, categories and tags.
func newSite() *requesttest.Site {
	s := requesttest.NewSite(Handlers(render.NewShared(requesttest.Namespace, 0, &phpjson.Buffers{})))
	s.AddEvent(101, "Dance", "2026-12-01 18", "_EventVenueID", "201", "_EventOrganizerID", "301")
	s.AddEvent(102, "Reading", "2026-12-02 18")
	s.AddEvent(103, "Concert", "2026-12-03 18", "_EventVenueID", "202")
	for i, name := range []string{"Mill", "Hall", "Barn"} {
		s.AddLinked(wpstore.VenueType, int64(201+i), name)
	}
	for i, name := range []string{"Friends", "Club", "Choir"} {
		s.AddLinked(wpstore.OrganizerType, int64(301+i), name)
	}
	for _, t := range []wpstore.Term{
		{ID: 31, Name: "Music", Slug: "music", Taxonomy: api.Categories.Name}, {ID: 32, Name: "Jazz", Slug: "jazz", Parent: 31, Taxonomy: api.Categories.Name},
		{ID: 33, Name: "Talks", Slug: "talks", Taxonomy: api.Categories.Name}, {ID: 41, Name: "Outdoors", Slug: "outdoors", Taxonomy: api.Tags.Name},
		{ID: 42, Name: "Sale", Slug: "sale", Taxonomy: api.Tags.Name}, {ID: 43, Name: "Free", Slug: "free", Taxonomy: api.Tags.Name},
	} {
		s.Term[t.ID] = t
	}
	return s
}

// outcome returns the error's code, or "" for none.
func outcome(err error) string {
	var refused *api.Error
	switch {
	case errors.As(err, &refused):
		return fmt.Sprint(refused.Status, " ", refused.Code)
	case err != nil:
		return err.Error()
	}
	return ""
}

// listing is a list as its JSON has it.
type listing struct {
	Events, Venues, Organizers, Categories, Tags []struct {
		ID    int64
		Title string
	}
	Self     string `json:"rest_url"`
	Next     string `json:"next_rest_url"`
	Previous string `json:"previous_rest_url"`
	Total    int64  `json:"total"`
	Pages    int64  `json:"total_pages"`
}

// ids returns the ids of the listed items.
func (l listing) ids() string {
	var out []string
	for _, item := range slices.Concat(l.Events, l.Venues, l.Organizers, l.Categories, l.Tags) {
		out = append(out, fmt.Sprint(item.ID))
	}
	return strings.Join(out, " ")
}

// get returns the list of a request, which must succeed, and checks the headers with its totals.
func get(t *testing.T, s *requesttest.Site, ask requesttest.Ask) (l listing) {
	t.Helper()
	res, err := s.Do(t, ask)
	if err != nil {
		t.Fatalf("%s: %v", ask.Target, err)
	}
	if err := json.Unmarshal(res.Body, &l); err != nil {
		t.Fatalf("%s: %v in %s", ask.Target, err, res.Body)
	}
	if want := []api.Header{{Name: "X-TEC-Total", Value: l.Total}, {Name: "X-TEC-TotalPages", Value: l.Pages}}; !slices.Equal(res.Fields, want) {
		t.Errorf("headers %v, want %v", res.Fields, want)
	}
	return l
}

// TestPages pins ids, totals and links of the pages of every list, the error beyond the end, and the
// calls of the store.
func TestPages(t *testing.T) {
	const dates = "start_date=2026-12-01&end_date=2026-12-31&"
	const shown, encoded = "start_date=2026-12-01 00:00:00&end_date=2026-12-31 23:59:59&status=publish", "start_date=2026-12-01+00%3A00%3A00&end_date=2026-12-31+23%3A59%3A59&status=publish"
	for _, c := range []struct {
		target, ids, self, next, previous string
		pages                             int64
		calls, fails                      string
	}{
		{target: "events?" + dates, ids: "101 102 103", self: "events/?page=1&per_page=10&" + shown, pages: 1, calls: "Events PostSet PostSet"},
		{target: "events?per_page=2&" + dates, ids: "101 102", self: "events/?page=1&per_page=2&" + shown, next: "events/?per_page=2&" + encoded + "&page=2", pages: 2, calls: "Events PostSet PostSet"},
		{target: "events?per_page=1&page=2&" + dates, ids: "102", self: "events/?page=2&per_page=1&" + shown, next: "events/?per_page=1&" + encoded + "&page=3", previous: "events/?per_page=1&" + encoded, pages: 3, calls: "Events PostSet"},
		{target: "events?per_page=1&page=3&" + dates, ids: "103", self: "events/?page=3&per_page=1&" + shown, previous: "events/?per_page=1&" + encoded + "&page=2", pages: 3, calls: "Events PostSet PostSet"},
		{target: "events?per_page=1&page=4", fails: "404 event-archive-page-not-found", calls: "Events"},
		{target: "venues", ids: "201 202 203", self: "venues/?page=1&per_page=10&status=publish", pages: 1, calls: "Linked PostSet"},
		{target: "venues?per_page=2", ids: "201 202", self: "venues/?page=1&per_page=2&status=publish", next: "venues/?per_page=2&status=publish&page=2", pages: 2, calls: "Linked PostSet"},
		{target: "venues?per_page=2&page=2", ids: "203", self: "venues/?page=2&per_page=2&status=publish", previous: "venues/?per_page=2&status=publish", pages: 2, calls: "Linked PostSet"},
		{target: "venues?per_page=2&page=3", fails: "404 venue-archive-page-not-found", calls: "Linked"},
		{target: "organizers?per_page=1&page=2", ids: "302", self: "organizers/?page=2&per_page=1&status=publish", next: "organizers/?per_page=1&status=publish&page=3", previous: "organizers/?per_page=1&status=publish", pages: 3, calls: "Linked PostSet"},
		{target: "organizers?has_events=", ids: "301 302 303", self: "organizers/?page=1&per_page=10&has_events&status=publish", pages: 1, calls: "LinkedWithEvents AllIDs Linked PostSet"},
		{target: "organizers?per_page=1&page=4", fails: "404 organizer-archive-page-not-found", calls: "Linked"},
		{target: "categories", ids: "31 32 33", self: "categories/", pages: 1, calls: "TermList TermTree"},
		{target: "tags?per_page=1&page=2&slug=sale", ids: "42", self: "tags/", next: "tags/?page=3", previous: "tags/", pages: 3, calls: "TermList"},
		{target: "tags?per_page=1&page=3", ids: "43", self: "tags/", previous: "tags/?page=2", pages: 3, calls: "TermList"},
		{target: "tags?page=4", ids: "", self: "tags/", previous: "tags/?page=3", pages: 1, calls: "TermList"}, // no error
	} {
		t.Run(c.target, func(t *testing.T) {
			s := newSite()
			if c.fails != "" {
				if _, err := s.Do(t, requesttest.Ask{Target: c.target}); outcome(err) != c.fails {
					t.Errorf("%q, want %q", outcome(err), c.fails)
				}
			} else {
				l := get(t, s, requesttest.Ask{Target: c.target})
				if l.ids() != c.ids || l.Total != 3 || l.Pages != c.pages {
					t.Errorf("%s, total %d on %d pages", l.ids(), l.Total, l.Pages)
				}
				for _, u := range []struct{ name, got, want string }{{"rest_url", l.Self, c.self}, {"next", l.Next, c.next}, {"previous", l.Previous, c.previous}} {
					if got := strings.TrimPrefix(u.got, requesttest.Root); got != u.want {
						t.Errorf("%s:\n got %s\nwant %s", u.name, got, u.want)
					}
				}
			}
			if strings.HasPrefix(c.target, "events") && s.Calls[0] != "UseStartIndexes" {
				t.Errorf("calls %v", s.Calls)
			}
			if got := s.Read(); got != c.calls {
				t.Errorf("read %s, want %s", got, c.calls)
			}
		})
	}
}

// TestNothing tests lists that no event can match, which need no query.
func TestNothing(t *testing.T) {
	s := newSite()
	if l := get(t, s, requesttest.Ask{Target: "events?categories=[]"}); l.ids() != "" || l.Total != 0 || l.Pages != 0 {
		t.Errorf("%+v", l)
	}
	if got := s.Read(); got != "LookupTerms" {
		t.Errorf("read %s", got)
	}
	if res, err := s.Do(t, requesttest.Ask{Target: "events?start_date=2026-12-01"}); err != nil || strings.Contains(string(res.Body), "json_ld") {
		t.Errorf("%v, a list has structured data: %s", err, res.Body)
	}
	if _, err := s.Do(t, requesttest.Ask{Target: "events?categories=[]&page=2"}); outcome(err) != "404 event-archive-page-not-found" {
		t.Error(err)
	}
	// An event deleted since the query is left out.
	s.Found = func(wpstore.EventQuery) []int64 { return []int64{101, 999, 102} }
	if l := get(t, s, requesttest.Ask{Target: "events"}); l.ids() != "101 102" || l.Total != 3 {
		t.Errorf("%s, total %d", l.ids(), l.Total)
	}
}

// TestEvent pins which single events a client sees, and that nothing is read for a refused one.
func TestEvent(t *testing.T) {
	for _, c := range []struct {
		name, target, status, password string
		ask                            requesttest.Ask
		want, calls                    string
	}{
		{name: "public", ask: requesttest.Ask{Target: "events/101"}, calls: "PostSet PostSet"},
		{name: "by slug", ask: requesttest.Ask{Target: "events/by-slug/dance"}, calls: "PostIDsByPath PostSet PostSet"},
		{name: "no post", ask: requesttest.Ask{Target: "events/9"}, want: "404 rest-event-not-found", calls: "PostSet"},
		{name: "a venue", ask: requesttest.Ask{Target: "events/201"}, want: "400 rest-invalid-event-id", calls: "PostSet"},
		{name: "a draft", status: "draft", ask: requesttest.Ask{Target: "events/101"}, want: "403 event-not-accessible", calls: "PostSet"},
		{name: "an editor's draft", status: "draft", ask: requesttest.Ask{Target: "events/101", Editor: true}, calls: "PostSet PostSet"},
		{name: "in the trash", status: "trash", ask: requesttest.Ask{Target: "events/101", Editor: true}, want: "403 event-no-longer-available", calls: "PostSet"},
		{name: "protected", password: "sesame", ask: requesttest.Ask{Target: "events/101"}, want: "403 event-password-protected", calls: "PostSet"},
		{name: "with another password", password: "sesame", ask: requesttest.Ask{Target: "events/101?password=x"}, want: "403 event-password-protected", calls: "PostSet"},
		{name: "with the password", password: "sesame", ask: requesttest.Ask{Target: "events/101?password=sesame"}, calls: "PostSet PostSet"},
		{name: "an editor's in context edit", password: "sesame", ask: requesttest.Ask{Target: "events/101?context=edit", Editor: true}, calls: "PostSet PostSet"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite()
			if c.status != "" {
				s.Post[101].Status = c.status
			}
			s.Post[101].Password = c.password
			res, err := s.Do(t, c.ask)
			if outcome(err) != c.want {
				t.Errorf("%q, want %q", outcome(err), c.want)
			}
			if err == nil && (!strings.Contains(string(res.Body), `"title":"Dance"`) || !strings.Contains(string(res.Body), `"json_ld":`)) {
				t.Errorf("%s", res.Body)
			}
			if got := s.Read(); got != c.calls {
				t.Errorf("read %s, want %s", got, c.calls)
			}
		})
	}
}

// TestLinked pins which single venues and organizers a client sees.
func TestLinked(t *testing.T) {
	for _, c := range []struct {
		name, status, password string
		ask                    requesttest.Ask
		want                   string
	}{
		{name: "public", ask: requesttest.Ask{Target: "venues/201"}, want: `"venue":"Mill"`},
		{name: "by slug", ask: requesttest.Ask{Target: "venues/by-slug/mill"}, want: `"venue":"Mill"`},
		{name: "an organizer", ask: requesttest.Ask{Target: "organizers/301"}, want: `"organizer":"Friends"`},
		{name: "a draft", status: "draft", ask: requesttest.Ask{Target: "venues/201"}, want: "403 venue-not-accessible"},
		{name: "an organizer's draft", status: "draft", ask: requesttest.Ask{Target: "organizers/301"}, want: "403 organizer-not-accessible"},
		{name: "protected", password: "sesame", ask: requesttest.Ask{Target: "venues/201"}, want: `"venue":[],"description":"","slug":"mill"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite()
			for _, id := range []int64{201, 301} {
				s.Post[id].Content, s.Post[id].Password = "A secret.", c.password
				if c.status != "" {
					s.Post[id].Status = c.status
				}
			}
			res, err := s.Do(t, c.ask)
			if err != nil {
				if outcome(err) != c.want {
					t.Errorf("%q, want %q", outcome(err), c.want)
				}
				return
			}
			body := string(res.Body)
			if !strings.Contains(body, c.want) || strings.Contains(body, "secret") != (c.password == "") {
				t.Error(body)
			}
		})
	}
}

// TestLinkedFilters pins the ids that the filters of venues leave, and the calls of the store.
func TestLinkedFilters(t *testing.T) {
	for _, c := range []struct {
		query, only, ids, calls string
		total                   int64
	}{
		{"event=101", "[201]", "201", "LinkedHeads LinkedOfEvent Linked PostSet", 1},
		{"event=102", "[]", "", "LinkedHeads LinkedOfEvent Linked", 0},
		{"has_events=1", "[201 202]", "201 202", "LinkedWithEvents Linked PostSet", 2},
		{"has_events=false", "[203]", "203", "LinkedWithEvents AllIDs Linked PostSet", 1},
		{"has_events=", "[203]", "203", "LinkedWithEvents AllIDs Linked PostSet", 1},
		{"has_events=yes", "[201 202]", "201 202", "LinkedWithEvents Linked PostSet", 2},
		{"has_events=0", "[203]", "203", "LinkedWithEvents AllIDs Linked PostSet", 1},
		{"only_with_upcoming=1", "[202]", "202", "LinkedUpcoming Linked PostSet", 1},
		{"only_with_upcoming=0", "[]", "201 202 203", "Linked PostSet", 3},
		{"only_with_upcoming=1&has_events=1", "[202]", "202", "LinkedWithEvents LinkedUpcoming Linked PostSet", 1},
		{"only_with_upcoming=1&event=101", "[]", "", "LinkedHeads LinkedOfEvent LinkedUpcoming Linked", 0},
		{"search=mill", "[201]", "201", "SearchLinked Linked PostSet", 1},
		{"search=nowhere", "[]", "", "SearchLinked Linked", 3},                                      // the totals are those without the search
		{"search=%C3%A9", "[]", "", "Linked", 3},                                                    // no ASCII letter
		{"search=nowhere&has_events=1", "[201 202]", "", "SearchLinked LinkedWithEvents Linked", 2}, // but those of the other filters
		{"search=l&has_events=1&event=103", "[202]", "202", "SearchLinked LinkedHeads LinkedOfEvent LinkedWithEvents Linked PostSet", 1},
	} {
		t.Run(c.query, func(t *testing.T) {
			s := newSite()
			s.Used, s.Upcoming = []int64{201, 202}, []int64{202}
			l := get(t, s, requesttest.Ask{Target: "venues?" + c.query})
			if only := fmt.Sprint(s.LinkedQueries[0].Only); only != c.only || l.ids() != c.ids || l.Total != c.total {
				t.Errorf("only %s: %s, total %d", only, l.ids(), l.Total)
			}
			if got := strings.Fields(s.Read()); !sameCalls(got, strings.Fields(c.calls)) {
				t.Errorf("read %s, want %s", got, c.calls)
			}
		})
	}
}

// TestLinkedURL pins the own URL of a list of organizers, which repeats two of the filters.
func TestLinkedURL(t *testing.T) {
	for query, want := range map[string]string{
		"has_events=&event=101": "page=1&per_page=10&event=101&has_events&status=any", "has_events=0": "page=1&per_page=10&has_events=0&status=any",
		"search=x&only_with_upcoming=1": "page=1&per_page=10&status=any", "status[]=draft&status[]=publish": "page=1&per_page=10&status=draft,publish",
	} {
		t.Run(query, func(t *testing.T) {
			l := get(t, newSite(), requesttest.Ask{Target: "organizers?" + query, Editor: true})
			if want = requesttest.Root + "organizers/?" + want; l.Self != want {
				t.Errorf("\n got %s\nwant %s", l.Self, want)
			}
		})
	}
}

// sameCalls reports whether calls are the same, in any order.
func sameCalls(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// TestSearchFragments pins how the text of a search is split.
func TestSearchFragments(t *testing.T) {
	for text, want := range map[string]string{"Mill+Lane": "[lane mill]", "friends.example": "[example friends]", "mill+MILL": "[mill]", "555-000%21": "[555-000]"} {
		t.Run(text, func(t *testing.T) {
			s := newSite()
			get(t, s, requesttest.Ask{Target: "venues?search=" + text})
			if got := fmt.Sprint(s.Fragments); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	s := newSite()
	var words []string
	for i := range maxFragments + 1 {
		words = append(words, fmt.Sprint(i))
	}
	get(t, s, requesttest.Ask{Target: "venues?search=" + strings.Join(words[1:], "+")})
	if len(s.Fragments) != maxFragments {
		t.Errorf("%d words: %d fragments", maxFragments, len(s.Fragments))
	}
	s.Fragments = nil
	if l := get(t, s, requesttest.Ask{Target: "venues?search=" + strings.Join(words, "+")}); s.Fragments != nil || l.ids() != "" {
		t.Errorf("%d words are searched", len(words))
	}
}

// TestUpcoming pins the events that only_with_upcoming looks at.
func TestUpcoming(t *testing.T) {
	for _, c := range []struct {
		name, target string
		compat       api.Compat
		editor       bool
		options      []any
		only         string // the editor's only right
		want         string
	}{
		{"anonymous", "venues", api.Exact, false, nil, "", "[publish] UTC false, limit 10, now 2026-11-21 12:00:00"},
		{"who may edit venues", "venues", api.Exact, true, nil, "", "[] UTC false, limit 10, now 2026-11-21 12:00:00"},
		{"in the site's zone", "venues", api.Exact, false, []any{"tribe_events_timezone_mode", "site"}, "", "[publish] UTC true, limit 10, now 2026-11-21 11:00:00"},
		{"the calendar's pages", "organizers", api.Exact, false, []any{"posts_per_page", "3", "postsPerPage", "4"}, "", "[publish] UTC false, limit 3, now 2026-11-21 12:00:00"},
		{"its older name", "organizers", api.Exact, false, []any{"postsPerPage", "4"}, "", "[publish] UTC false, limit 4, now 2026-11-21 12:00:00"},
		{"who may edit only events", "venues", api.Exact, true, nil, "edit_tribe_events", "[publish] UTC false, limit 10, now 2026-11-21 12:00:00"},
		{"without holes", "venues", api.Safe, false, nil, "", "[publish] UTC false, limit 10, now 2026-11-21 12:00:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite()
			s.Settings.Compat, s.Facts.Calendar = c.compat, api.Object(c.options...)
			if c.only != "" {
				s.Facts.Roles = api.Object("editor", api.Object("name", "Editor", "capabilities", api.Object(c.only, true)))
			}
			get(t, s, requesttest.Ask{Target: c.target + "?only_with_upcoming=1", Editor: c.editor})
			q := s.EventQueries[0]
			if got := fmt.Sprintf("%v UTC %t, limit %d, now %s", q.Statuses, q.UTC, q.Limit, q.Bounds[0].Value); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if (q.Passwords != nil) != (c.compat == api.Safe) {
				t.Errorf("passwords %v", q.Passwords)
			}
		})
	}
}

// TestHiddenReferences tests that a hidden event selects nothing, unless like in the reference.
func TestHiddenReferences(t *testing.T) {
	for _, compat := range []api.Compat{api.Exact, api.Safe} {
		for _, editor := range []bool{false, true} {
			t.Run(fmt.Sprint(compat, " ", editor), func(t *testing.T) {
				s := newSite()
				s.Settings.Compat, s.Post[101].Status = compat, "draft"
				shows := compat == api.Exact || editor
				if l := get(t, s, requesttest.Ask{Target: "venues?event=101", Editor: editor}); (l.ids() != "") != shows {
					t.Errorf("venues %s", l.ids())
				}
				get(t, s, requesttest.Ask{Target: "tags?post=101", Editor: editor})
				if id := *s.TermQueries[0].PostID; (id == 101) != shows || (id == noPost) == shows {
					t.Errorf("tags of the post %d", id)
				}
			})
		}
	}
}

// TestTermQuery pins what each argument makes of the query of a list of terms.
func TestTermQuery(t *testing.T) {
	for _, c := range []struct{ target, want string }{
		{"categories", "hide, name, asc, 0+10"},
		{"categories?hide_empty=0&orderby=Slug&order=desc", "orderby slug, desc, 0+10"},
		{"categories?order=ASC&per_page=3&page=3", "hide, name, asc, 6+3"},
		{"categories?order=random", "hide, name, desc, 0+10"},
		{"categories?search=jazz", `hide, name, asc, 0+10, search "jazz"`},
		{"categories?slug=Some+Text!", `hide, name, asc, 0+10, slug "some-text"`},
		{"categories?include=33,31&exclude=32", "hide, name, asc, 0+10, include [33 31]"}, // include wins
		{"categories?exclude=32", "hide, name, asc, 0+10, exclude [32]"},
		{"categories?parent=31", "hide, name, asc, 0+10, parent 31"},
		{"categories?event=101", "name, asc, 0+10, post 101"}, // empty or not
		{"tags?post=102", "name, asc, 0+10, post 102"},
		{"tags?event=101&post=102", "name, asc, 0+10, post 101"},
		{"tags?parent=31", "hide, name, asc, 0+10"}, // only of categories
		{"tags?offset=5&page=2", "hide, name, asc, 5+10"},
		{"tags?offset=-5", "hide, name, asc, 5+10"},
		{"tags?offset=0&page=2", "hide, name, asc, 10+10"},
		{"categories?offset=5&page=2", "hide, name, asc, 10+10"}, // only of tags
	} {
		t.Run(c.target, func(t *testing.T) {
			s := newSite()
			get(t, s, requesttest.Ask{Target: c.target})
			if got := describe(s.TermQueries[0]); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// describe returns a query in words.
func describe(q wpstore.TermQuery) string {
	var out []string
	add := func(when bool, format string, args ...any) {
		if when {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	add(q.HideEmpty, "hide")
	add(q.OrderBy == "", "name")
	add(q.OrderBy != "", "orderby %s", q.OrderBy)
	add(q.Descending, "desc")
	add(!q.Descending, "asc")
	add(true, "%d+%d", q.Offset, q.Limit)
	add(q.HasSearch, "search %q", q.Search)
	add(q.HasSlug, "slug %q", q.Slug)
	add(q.Include != nil, "include %v", q.Include)
	add(len(q.Exclude) > 0, "exclude %v", q.Exclude)
	if q.Parent != nil {
		add(true, "parent %d", *q.Parent)
	}
	if q.PostID != nil {
		add(true, "post %d", *q.PostID)
	}
	if q.Same != nil {
		add(true, "same %d", *q.Same)
	}
	add(q.Language.Code != "", "in %s", q.Language.Code)
	return strings.Join(out, ", ")
}

// TestTermQueryInLanguages tests that WPML replaces terms by their translations, and that Polylang
// does not restrict the terms of a post.
func TestTermQueryInLanguages(t *testing.T) {
	wpml, polylang := i18n.WPML, i18n.Polylang
	for _, c := range []struct {
		plugin i18n.Plugin
		ask    requesttest.Ask
		want   string
	}{
		{wpml, requesttest.Ask{Target: "categories"}, "hide, name, asc, 0+10, in cs"},
		{wpml, requesttest.Ask{Target: "categories?include=31,33"}, "hide, name, asc, 0+10, include [31 33], in cs"},
		{wpml, requesttest.Ask{Target: "categories?include=31,33", Root: "/en"}, "hide, name, asc, 0+10, include [51 33], in en"},
		{wpml, requesttest.Ask{Target: "categories?exclude=31&language_code=en"}, "hide, name, asc, 0+10, exclude [51], in en"},
		{wpml, requesttest.Ask{Target: "categories?parent=31", Root: "/en"}, "hide, name, asc, 0+10, parent 51, in en"},
		{wpml, requesttest.Ask{Target: "categories?slug=music", Root: "/en"}, "hide, name, asc, 0+10, same 51, in en"},
		{wpml, requesttest.Ask{Target: "categories?slug=nothing", Root: "/en"}, ""},
		{wpml, requesttest.Ask{Target: "tags?post=101", Root: "/en"}, "name, asc, 0+10, post 101, in en"},
		{polylang, requesttest.Ask{Target: "tags?post=101&lang=en"}, "name, asc, 0+10, post 101"},
		{polylang, requesttest.Ask{Target: "tags?lang=en"}, "hide, name, asc, 0+10, in en"},
	} {
		t.Run(fmt.Sprint(c.plugin, c.ask), func(t *testing.T) {
			s := newSite()
			s.Bilingual(c.plugin)
			s.Term[51] = wpstore.Term{ID: 51, Name: "Music", Slug: "music-en", Taxonomy: api.Categories.Name}
			s.TermGroups = map[int64]i18n.Group{31: {"cs": 31, "en": 51}, 51: {"cs": 31, "en": 51}}
			get(t, s, c.ask)
			if got := describe(s.TermQueries[0]); got != c.want && c.want != "" {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestTotalsInLanguages tests which languages a list and its totals are of. WPML counts events in the
// language of the root, whatever the parameter says, and venues for the links to other pages alone.
func TestTotalsInLanguages(t *testing.T) {
	for _, c := range []struct {
		name   string
		compat api.Compat
		ask    requesttest.Ask
		// ids, total and pages are those shown.
		want string
	}{
		{"the root's", api.Exact, requesttest.Ask{Target: "events"}, "101 102 103, total 3"},
		{"of a directory", api.Exact, requesttest.Ask{Target: "events", Root: "/en"}, "104, total 1"},
		{"the parameter's", api.Exact, requesttest.Ask{Target: "events?language_code=en"}, "104, total 3"},
		{"the parameter's, without faults", api.Fixed, requesttest.Ask{Target: "events?language_code=en"}, "104, total 1"},
		{"a page of the parameter's", api.Exact, requesttest.Ask{Target: "events?language_code=en&per_page=1"}, "104, total 3"},
		{"nothing in the language", api.Exact, requesttest.Ask{Target: "events?language_code=en&categories=[]"}, ", total 0"},
		{"venues", api.Exact, requesttest.Ask{Target: "venues?per_page=2"}, "201 202, total 3"},
		{"venues with another page", api.Exact, requesttest.Ask{Target: "venues?per_page=1"}, "201, total 3, next"},
		{"a later page of venues", api.Exact, requesttest.Ask{Target: "venues?per_page=1&page=3"}, "203, total 3, previous"},
		{"a page far beyond the counted ones", api.Exact, requesttest.Ask{Target: "organizers?per_page=1&page=3"}, "303, total 3"},
		{"venues without faults", api.Fixed, requesttest.Ask{Target: "venues?per_page=2"}, "201 202, total 3, next"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite()
			s.Settings.Compat = c.compat
			s.Bilingual(i18n.WPML)
			s.AddEvent(104, "English", "2026-12-04 18")
			s.Post[201].Language, s.Post[202].Language, s.Post[301].Language = "cs", "cs", "cs"
			s.Found = func(q wpstore.EventQuery) []int64 {
				if q.Language.Code == "en" {
					return []int64{104}
				}
				return []int64{101, 102, 103}
			}
			l := get(t, s, c.ask)
			got := fmt.Sprintf("%s, total %d", l.ids(), l.Total)
			if l.Next != "" {
				got += ", next"
			}
			if l.Previous != "" {
				got += ", previous"
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestInclude tests that ids of another language stand for their translations, also those that a filter
// of venues finds.
func TestInclude(t *testing.T) {
	for _, c := range []struct{ root, want, venues string }{{"", "[101 102]", "[201]"}, {"/en", "[102 104]", "[202]"}} {
		t.Run(c.root, func(t *testing.T) {
			s := newSite()
			s.Bilingual(i18n.WPML)
			s.AddEvent(104, "Dance, in English", "2026-12-01 18")
			s.PostGroups = map[int64]i18n.Group{101: {"cs": 101, "en": 104}}
			get(t, s, requesttest.Ask{Target: "events?include=101,102", Root: c.root})
			if got := fmt.Sprint(s.EventQueries[0].Include); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			s.PostGroups = map[int64]i18n.Group{201: {"cs": 201, "en": 202}}
			get(t, s, requesttest.Ask{Target: "venues?event=101", Root: c.root})
			if got := fmt.Sprint(s.LinkedQueries[0].Only); got != c.venues {
				t.Errorf("venues %s, want %s", got, c.venues)
			}
		})
	}
}

// TestSingleTerm pins the responses with one term.
func TestSingleTerm(t *testing.T) {
	for _, c := range []struct{ target, want, fails string }{
		{"categories/32", `"name":"Jazz"`, ""},
		{"tags/42", `"name":"Sale"`, ""},
		{"tags/31", "", "400 rest_invalid_param"},
		{"categories/9", "", "400 rest_invalid_param"},
	} {
		t.Run(c.target, func(t *testing.T) {
			res, err := newSite().Do(t, requesttest.Ask{Target: c.target})
			if outcome(err) != c.fails {
				t.Fatalf("%q, want %q", outcome(err), c.fails)
			}
			if err == nil && !strings.Contains(string(res.Body), c.want) {
				t.Errorf("%s", res.Body)
			}
		})
	}
}

// TestEditContext tests that lists of terms are empty in the context edit for those who don't manage
// terms, while the totals stay.
func TestEditContext(t *testing.T) {
	for editor, want := range map[bool]string{false: "", true: "31 32 33"} {
		if l := get(t, newSite(), requesttest.Ask{Target: "categories?context=edit", Editor: editor}); l.ids() != want || l.Total != 3 {
			t.Errorf("editor %t: %s, total %d", editor, l.ids(), l.Total)
		}
	}
}

// TestFields pins which fields of events _fields names. It doesn't reach into a list by its name.
func TestFields(t *testing.T) {
	for _, c := range []struct {
		target             string
		ofSingle, ofListed bool // the field "venue" is wanted
	}{{"events", true, true}, {"events?_fields=title", false, false}, {"events?_fields=venue", true, true}, {"events?_fields=events", false, true}, {"events?_fields=", true, true}} {
		t.Run(c.target, func(t *testing.T) {
			r := newSite().Accepted(t, requesttest.Ask{Target: c.target})
			if single, list := singleFields(r).Has("venue"), listFields(r).Has("venue"); single != c.ofSingle || list != c.ofListed {
				t.Errorf("%t, in a list %t", single, list)
			}
		})
	}
}

// TestLinkedVisibility pins which venues lists and searches show, and which events count for them.
func TestLinkedVisibility(t *testing.T) {
	for _, c := range []struct {
		query  string
		compat api.Compat
		editor bool
		want   string
	}{
		{"", api.Exact, false, "[publish] any"},
		{"", api.Exact, true, "[] any"},
		{"status=draft,publish", api.Exact, true, "[draft publish] any"},
		{"search=mill", api.Exact, false, "[publish] any"},
		{"search=mill", api.Safe, false, "[publish] [publish]"},
		{"has_events=1", api.Exact, false, "[publish] any"},
		{"has_events=1", api.Safe, false, "[publish] [publish]"},
	} {
		t.Run(fmt.Sprint(c.query, c.compat, c.editor), func(t *testing.T) {
			s := newSite()
			s.Settings.Compat = c.compat
			get(t, s, requesttest.Ask{Target: "venues?" + c.query, Editor: c.editor})
			got := fmt.Sprint(s.LinkedQueries[0].Statuses, " any")
			if s.Among != nil {
				got = fmt.Sprint(s.LinkedQueries[0].Statuses, s.Among.Statuses)
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestTermAddresses tests that the addresses in responses with terms are those of their language.
func TestTermAddresses(t *testing.T) {
	for target, want := range map[string]string{
		"categories": `"rest_url":"https://village.example/wp-json/calendar/events/v1/categories/"`, "categories?language_code=en": `"rest_url":"https://village.example/en/wp-json/calendar/events/v1/categories/"`,
		"categories/31?language_code=en": `"self":"https://village.example/en/wp-json/calendar/events/v1/categories/31"`,
	} {
		t.Run(target, func(t *testing.T) {
			s := newSite()
			s.Bilingual(i18n.WPML)
			res, err := s.Do(t, requesttest.Ask{Target: target})
			if err != nil {
				t.Fatal(err)
			}
			if body := strings.ReplaceAll(string(res.Body), `\/`, "/"); !strings.Contains(body, want) {
				t.Errorf("%s\nlacks %s", body, want)
			}
		})
	}
}

// TestErrors tests that errors of the store come through, from each method that a request calls.
func TestErrors(t *testing.T) {
	failing := errors.New("the database is gone")
	for target, methods := range map[string]string{
		"events?categories=31": "LookupTerms TermTree Events PostSet",
		"events/101":           "PostSet",
		"events/by-slug/dance": "PostIDsByPath PostSet",
		"venues?search=mill&event=101&has_events=0&only_with_upcoming=1": "SearchLinked LinkedHeads LinkedOfEvent LinkedWithEvents AllIDs LinkedUpcoming Linked",
		"venues":          "Linked PostSet",
		"organizers/301":  "LinkedHeads PostSet",
		"categories":      "TermList TermTree",
		"categories/32":   "Terms LookupTerms TermTree",
		"tags?include=41": "LookupTerms TermList",
	} {
		for _, method := range strings.Fields(methods) {
			t.Run(target+" "+method, func(t *testing.T) {
				s := newSite()
				s.Used, s.Fails, s.Failing = []int64{201}, method, failing
				if _, err := s.Do(t, requesttest.Ask{Target: target}); !errors.Is(err, failing) {
					t.Errorf("%v", err)
				}
			})
		}
	}
	for target, method := range map[string]string{"events?include=101": "PostTranslations", "categories?include=31": "LookupTerms", "tags?post=101": "TermTranslations", "venues?event=101": "PostTranslations"} {
		t.Run("in a language: "+target, func(t *testing.T) {
			s := newSite()
			s.Bilingual(i18n.WPML)
			s.Fails, s.Failing = method, failing
			if _, err := s.Do(t, requesttest.Ask{Target: target, Root: "/en"}); !errors.Is(err, failing) {
				t.Errorf("%v", err)
			}
		})
	}
}
