package exporturl

import (
	"fmt"
	"strings"
	"testing"

	"calbridge/rest/phpform"
)

func village() *Site {
	return &Site{
		Slugs:  Slugs{Events: "dates", Event: "date", Category: "category", Tag: "tag", Venue: "venue", Organizer: "organizer"},
		Pretty: true, Slash: true, DefaultView: "list", PerPage: 10,
	}
}

func parse(s *Site, target string) (*Request, bool) {
	path, query, _ := strings.Cut(target, "?")
	return Parse(s, path, query, phpform.Parse(query, phpform.Limits{}))
}

// TestWhatIsAnExport: an argument or an ending makes an export of a page.
func TestWhatIsAnExport(t *testing.T) {
	for target, want := range map[string]bool{
		"/dates/": false, "/dates/?ical=1": true, "/dates/?ical=0": true, "/dates/?ical": true, "/dates/?ical[]=1": true, "/dates/?ICAL=1": false,
		"/dates/?outlook-ical": true, "/?ical=1": true, "/": false, "/dates/ical/": true, "/dates/featured/ical/": true, "/dates/2026-12-05/ical": true,
		"/dates/list/ical/": false, "/dates/2026-12/ical/": false, "/dates/category/a/ical/": true, "/dates/tag/a/featured/ical/": true,
		"/date/fair/ical/": true, "/date/fair/": false, "/?event_ids=1": false, "/other/?ical=1": false, "/dates/xyz/?ical=1": true,
		"/tag/a/?ical=1": true, "/venue/mill/?ical=1": true, "/?ical=1&page_id=2": false, "/?ical=1&post_type=page": false, "/?ical=1&name=fair": false,
		"/date/fair/more/?ical=1": false, "/tag/?ical=1": false, "/datesx/?ical=1": false,
	} {
		if _, got := parse(village(), target); got != want {
			t.Errorf("%s: %v", target, got)
		}
	}
}

// TestSelection: path and arguments select view, date, page and filters.
func TestSelection(t *testing.T) {
	for target, want := range map[string]string{
		"/dates/?ical=1":                                       "list",
		"/dates/month/?ical=1&eventDisplay=list":               "month",
		"/dates/?ical=1&eventDisplay[]=month&view=day":         "month",
		"/dates/?ical=1&tribe_view=day":                        "day",
		"/dates/?ical=1&eventDisplay=week":                     "list",
		"/dates/?ical=1&eventDisplay=past":                     "list past",
		"/dates/?ical=1&eventDisplay=latest-past":              "latest-past past",
		"/dates/month/?ical=1&eventDisplay=past":               "month",
		"/dates/list/?ical=1&view=list&eventDisplay=past":      "list",
		"/dates/today/?ical=1":                                 "day",
		"/dates/2026-13/?ical=1":                               "month from 2026-13",
		"/dates/month/2026-12/?ical=1&tribe-bar-date=tomorrow": "month from tomorrow",
		"/dates/month/2026-12/?ical=1&eventDate=":              "month",
		"/dates/?ical=1&view_data[bar-date]=2027&eventDate=x":  "list from 2027",
		"/dates/page/3/?ical=1":                                "list after 20",
		"/dates/list/page/2/?ical=1&page=4":                    "list after 30",
		"/dates/list/page/2/?ical=1&posts_per_page=x":          "list after 30",
		"/dates/list/?ical=1&page=-3":                          "list",
		"/dates/page/2/?ical=1&tribe_paged=2":                  "list after 10",
		"/dates/list/?ical=1&page=9223372036854775807":         "list after 10737418230",
		"/dates/category/a/b/?ical=1":                          "list in [b]",
		"/dates/category/a/list/page/2/?ical=1":                "list after 10 in [list]",
		"/dates/category/a/day/2026-12-05/?ical=1":             "day from 2026-12-05 in [a]",
		"/dates/category/a/?ical=1&tribe_events_cat=c,d":       "list in [c d]",
		"/dates/category/a/?ical=1&tribe_events_cat=":          "list",
		"/dates/tag/a/list/page/2/?ical=1":                     "list after 10 tagged [a]",
		"/tag/a/?ical=1":                                       "list tagged [a]",
		"/dates/featured/page/2/?ical=1":                       "list after 10 featured",
		"/dates/?ical=1&featured=yes":                          "list featured",
		"/dates/?ical=1&s=a&tribe-bar-search=b":                "list with a",
		"/date/fair/?ical=1":                                   "single-event",
		"/date/fair/?ical=2":                                   "list",
		"/date/fair/?ical=01x":                                 "single-event",
		"/date/fair/?outlook-ical=1":                           "list",
		"/date/fair/ical/":                                     "list",
		"/date/fair/?ical=1&eventDisplay=list":                 "list",
		"/date/0/?ical=1":                                      "list",
		"/?tribe_events=fair&ical=1":                           "single-event",
	} {
		r, ok := parse(village(), target)
		if !ok {
			t.Errorf("%s: no export", target)
			continue
		}
		if got := r.String(); got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
}

// String describes what is selected.
func (s Selection) String() string {
	out := s.View
	add := func(on bool, format string, v ...any) {
		if on {
			out += fmt.Sprintf(format, v...)
		}
	}
	add(s.Past, " past")
	add(s.Date != "", " from %s", s.Date)
	add(s.Offset > 0, " after %d", s.Offset)
	add(s.Categories != nil, " in %v", s.Categories)
	add(s.Tags != nil, " tagged %v", s.Tags)
	add(s.Featured, " featured")
	add(s.Search != nil, " with %v", s.Search)
	return out
}

// TestCanonical: WordPress redirects to the canonical address of a page.
func TestCanonical(t *testing.T) {
	for target, want := range map[string]string{
		"/dates?ical=1": "/dates/?ical=1", "/dates/?ical=1": "", "/dates/ical": "/dates/ical/", "/dates//list/?ical=1": "/dates/list/?ical=1",
		"/index.php?ical=1": "/?ical=1", "/dates/list/?ical=1&paged=2": "/dates/list/page/2/?ical=1", "/?ical=1&paged=2": "",
		"/dates/?ical=1&tribe_paged=2": "/dates/page/2/?ical=1&tribe_paged=2", "/dates/page/2/?ical=1&tribe_paged=2": "", "/dates/?ical=1&tribe_paged=1": "",
		"/dates/list/?ical=1&paged=2&tribe_paged=3": "/dates/list/page/3/?ical=1&tribe_paged=3", "/dates/?ical=1&tribe_paged=x": "", "/?ical=1&tribe_paged=2": "",
		"/dates/category/a/?ical=1&tribe_paged=02": "/dates/category/a/page/2/?ical=1&tribe_paged=02", "/dates/list/?page=2&ical=1": "", "/date/fair?ical=1": "/date/fair/?ical=1", "/date/fair/2/?ical=1": "/date/fair/?ical=1",
		"/date/fair/?ical=1&page=2": "/date/fair/?ical=1", "/dates/xyz?ical=1": "", "/venue/mill?ical=1": "/venue/mill/?ical=1",
	} {
		r, ok := parse(village(), target)
		if !ok {
			t.Errorf("%s: no export", target)
		} else if r.Canonical != want {
			t.Errorf("%s: %q, want %q", target, r.Canonical, want)
		} else if overrun := strings.Contains(target, "fair/2/") || strings.Contains(target, "&page=2"); r.Overrun != overrun {
			t.Errorf("%s overruns the pages of the event: %t", target, r.Overrun)
		}
	}
	bare := village()
	bare.Slash = false
	if r, _ := parse(bare, "/dates/?ical=1"); r.Canonical != "/dates?ical=1" {
		t.Errorf("without slash: %q", r.Canonical)
	}
	plain := village()
	plain.Pretty = false
	if r, ok := parse(plain, "/dates/?ical=1&paged=2"); !ok || r.Canonical != "" || r.Kind != Home {
		t.Errorf("plain: %+v, %v", r, ok)
	}
	for target, want := range map[string]Redirect{"/?p=7&ical=1": ToPost, "/?p=7&post_type=tribe_events&ical=1": NoRedirect, "/?tribe_events=fair&ical=1": NoRedirect} {
		if r, ok := parse(plain, target); !ok || r.Redirect != want {
			t.Errorf("plain %s: %+v, %v", target, r, ok)
		}
	}
	english := village()
	english.Root = "/en"
	if r, ok := parse(english, "/en?ical=1"); !ok || r.Canonical != "/?ical=1" {
		t.Errorf("root: %+v, %v", r, ok)
	}
}

// TestIDs: events may be named.
func TestIDs(t *testing.T) {
	for query, want := range map[string]string{
		"event_ids=45,46": "[45 46]", "event_ids=45;46": "[45]", "event_ids= 45 ,,46": "[45 46]", "event_ids=": "[]", "event_ids=0": "[]",
		"event_ids[]=5&event_ids[]=5": "[5 5]", "event_ids=5,x": "unclear", "event_ids=-5": "unclear",
	} {
		r, _ := parse(village(), "/?ical=1&"+strings.ReplaceAll(query, " ", "%20"))
		got := fmt.Sprint(r.IDs)
		if r.Unclear {
			got = "unclear"
		}
		if got != want {
			t.Errorf("%s: %s", query, got)
		}
	}
}

// FuzzParse: any request is read, and a canonical address is that of an export of its own.
func FuzzParse(f *testing.F) {
	f.Add("/dates/category/a/list/page/2/", "ical=1&paged=2")
	f.Add("/dates//ical", "outlook-ical&event_ids[][]=1")
	f.Add("/date/%30/feed/", "ical[x]=1&eventDisplay[][]=day&page=1e99")
	f.Fuzz(func(t *testing.T, path, query string) {
		s := village()
		if strings.Contains(query, "%") || strings.Contains(path, "?") || !strings.HasPrefix(path, "/") {
			return
		}
		r, ok := Parse(s, path, query, phpform.Parse(query, phpform.Limits{}))
		if !ok {
			return
		}
		if r.Offset < 0 || !known(r.View) {
			t.Errorf("%+v", r)
		}
		if r.Canonical == "" || r.Kind == Missing {
			return
		}
		again, ok := parse(s, r.Canonical)
		if !ok || again.Canonical != "" {
			t.Errorf("%s leads to %s and on to %+v", path, r.Canonical, again)
		}
	})
}
