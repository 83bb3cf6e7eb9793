package rest

import (
	"fmt"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
)

// TestHiddenContentsDoNotShow: what a client can't read by itself, it can't learn by a link,
// a search, a count, a filter, an order or an error. Two worlds have posts with the same ids,
// slugs, types and statuses, and differ in the contents and links of what the client can't
// read. All its requests have the same answers in both, headers too, and run the same
// statements. CALBRIDGE_WORLDS_REQUESTS is how many requests are made,
// CALBRIDGE_WORLDS_SEED the first of the seeds. Two worlds of three have a language plugin.
func TestHiddenContentsDoNotShow(t *testing.T) {
	usual := 600
	if testing.Short() { // for the race detector
		usual = 200
	}
	requests, seed := envNumber(t, "CALBRIDGE_WORLDS_REQUESTS", usual), envNumber(t, "CALBRIDGE_WORLDS_SEED", 1)
	const each = 100
	worlds := 0
	for made := 0; made < requests; made += each {
		if differ := askBothWorlds(t, uint64(seed), each, api.Safe); differ != "" {
			t.Fatalf("seed %d: %s", seed, differ)
		}
		worlds += 2
		seed++
	}
	t.Logf("%d worlds", worlds)
}

// TestHiddenContentsShowUnderExact: the test above finds what the reference shows.
func TestHiddenContentsShowUnderExact(t *testing.T) {
	found, seeds := 0, uint64(10)
	if testing.Short() { // for the race detector
		seeds = 5
	}
	for seed := range seeds {
		if askBothWorlds(t, seed+1, 50, api.Exact) != "" {
			found++
		}
	}
	if uint64(found) < seeds/2 {
		t.Errorf("the worlds of %d seeds of %d differ", found, seeds)
	}
}

func envNumber(t *testing.T, name string, otherwise int) int {
	n := os.Getenv(name)
	if n == "" {
		return otherwise
	}
	out, err := strconv.Atoi(n)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// askBothWorlds makes the worlds of a seed for one client and asks both. It returns the first
// difference.
func askBothWorlds(t *testing.T, seed uint64, requests int, compat api.Compat) string {
	m := newMaker(seed)
	c := worldClients[int(seed)%len(worldClients)]
	if m.chance(30) {
		c.password = "sesame"
	}
	if m.chance(25) {
		c.cookie = oneOf(m, "sesame", "tulip")
	}
	plugin := oneOf(m, "", "wpml", "polylang")
	posts := m.posts()
	m.file(posts)
	other := make([]*worldPost, len(posts))
	cached, byMeta := m.chance(50), m.chance(30)
	for i, p := range posts {
		q := m.unlike(p, &c)
		if cached { // reading an unreadable translation costs a statement unless it is in memory
			q.filed, q.group, q.lang = p.filed, p.group, p.lang
		}
		other[i] = q
	}
	m.file(other)
	if compat == api.Safe && m.chance(30) {
		compat = api.Fixed
	}
	var statements [2][]string
	var sites [2]*testSite
	for i, posts := range [][]*worldPost{posts, other} {
		tracker := invalidation.NewTracker()
		tracker.Resume(true)
		sites[i] = world(t, posts, &statements[i], func(cfg *Config) {
			cfg.Compat = compat
			if cached {
				cfg.Tracker, cfg.CacheBytes = tracker, 4<<20
			}
		})
		if cached {
			sites[i].CacheRows(tracker, 4<<20)
		}
		sites[i].useLanguages(plugin, posts)
		if byMeta {
			sites[i].setOption("tec_ct1_migration_state", "")
		}
	}
	defer func() {
		for _, s := range sites {
			s.srv.Close()
			_ = s.Close()
		}
	}()
	for range requests {
		a := m.request(&c, plugin)
		var got [2]answer
		for i, s := range sites {
			statements[i] = nil
			got[i] = s.do(a)
			slices.Sort(statements[i])
		}
		what := fmt.Sprintf("%s, plugin %q: %s %s\n", &c, plugin, a.method, a.target)
		switch {
		case got[0].status != got[1].status:
			return fmt.Sprintf("%s%d %.300s\n%d %.300s", what, got[0].status, got[0].body, got[1].status, got[1].body)
		case got[0].body != got[1].body:
			return what + cmp.Diff(strings.Split(got[0].body, ","), strings.Split(got[1].body, ","))
		case !cmp.Equal(got[0].header, got[1].header):
			return what + cmp.Diff(got[0].header, got[1].header)
		case !slices.Equal(statements[0], statements[1]):
			return what + cmp.Diff(statements[0], statements[1])
		case got[0].status >= 500:
			return fmt.Sprintf("%s%d %.300s", what, got[0].status, got[0].body)
		}
	}
	return ""
}

// request returns a random request to a route that reads.
func (m maker) request(c *client, plugin string) ask {
	q := url.Values{}
	add := func(percent int, name string, value any) {
		if m.chance(percent) {
			q.Set(name, fmt.Sprint(value))
		}
	}
	if c.password != "" {
		add(50, "password", c.password)
	}
	add(20, "context", "edit")
	add(5, "_fields", oneOf(m, "id,venue", "total", "id,json_ld", "events"))
	add(3, "_envelope", 1)
	add(3, "_embed", "up")
	kind := oneOf(m, api.Events, api.Events, api.Venues, api.Organizers)
	path := tribev1.Collection(kind)
	switch m.IntN(10) {
	case 0, 1:
		path += fmt.Sprint("/", m.idOf(kind.PostType))
	case 2:
		path += fmt.Sprint("/by-slug/", oneOf(m, "mill", "dance", kind.PostType), oneOf(m, "", fmt.Sprint(m.idOf(kind.PostType))))
	case 3:
		path = oneOf(m, "categories", "tags")
		m.termArgs(add)
	case 4:
		path = oneOf(m, "", "doc", fmt.Sprint("categories/", 31+m.IntN(5)), fmt.Sprint("tags/", 41+m.IntN(3)))
	default:
		m.listArgs(c, kind, add)
	}
	if plugin != "" {
		add(20, "language_code", oneOf(m, "cs", "en", "de"))
		add(10, "lang", oneOf(m, "cs", "en", "de"))
		path = oneOf(m, "", "", "/en", "/de") + testBase + "/" + path
	}
	target := path
	if len(q) > 0 {
		target += "?" + q.Encode()
	}
	return ask{method: oneOf(m, "GET", "GET", "GET", "GET", "GET", "GET", "HEAD", "OPTIONS"), target: target, as: c.login, header: c.header()}
}

func (m maker) termArgs(add func(int, string, any)) {
	add(40, "event", m.idOf(wpstore.EventType))
	add(20, "post", m.idOf(wpstore.EventType))
	add(20, "hide_empty", oneOf(m, "0", "1"))
	add(20, "orderby", oneOf(m, "count", "name", "term_order", "none"))
	add(20, "search", oneOf(m, "jazz", "o"))
	add(20, "per_page", 1+m.IntN(4))
	add(20, "page", 1+m.IntN(2))
}

func (m maker) listArgs(c *client, kind *api.PostKind, add func(int, string, any)) {
	add(30, "search", strings.ToUpper(m.words(1 + m.IntN(2))[:3])+oneOf(m, "", " "+m.words(1)))
	add(30, "search", m.words(1))
	add(20, "per_page", 1+m.IntN(4))
	add(20, "page", 1+m.IntN(3))
	if c.id > 3 || c.id == 0 {
		add(20, "status", "publish")
	} else {
		add(40, "status", oneOf(m, "publish", "draft", "private", "draft,private,trash", "trash", "pending,future", "auto-draft,inherit", "tribe-ea-success", ","))
	}
	if kind != api.Events {
		add(25, "event", m.idOf(wpstore.EventType))
		add(25, "has_events", oneOf(m, "0", "1"))
		add(25, "only_with_upcoming", "1")
		return
	}
	add(20, "venue", m.idOf(wpstore.VenueType))
	add(15, "organizer", fmt.Sprint(m.idOf(wpstore.OrganizerType), ",", m.idOf(wpstore.OrganizerType)))
	add(15, "categories", oneOf(m, "31", "music", "33,34", "talks"))
	add(15, "tags", oneOf(m, "41", "outdoors", "42,43"))
	add(10, "include", fmt.Sprint(m.idOf(wpstore.EventType), ",", m.idOf(wpstore.EventType)))
	add(10, "post_parent", m.idOf(wpstore.EventType))
	add(15, "featured", oneOf(m, "true", "false"))
	add(30, "start_date", "2026-01-01")
	add(10, "ends_before", "2026-12-20")
	add(10, "starts_after", "2026-12-01")
}
