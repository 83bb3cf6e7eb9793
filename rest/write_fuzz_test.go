package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// writeTargets are endpoints that write, with a method each.
var writeTargets = []string{
	"POST events", "PUT events/101", "PATCH events/by-slug/dance", "POST venues", "PUT venues/201", "POST organizers", "PUT organizers/301",
	"POST categories", "PUT categories/34", "POST tags", "PUT tags/41", "DELETE events/101", "DELETE tags/41",
}

var bodyTypes = []string{"application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "application/ld+json", ""}

// FuzzWrite sends any body to the endpoints that write. The response is always one that the
// reference gives too, a refusal leaves the rows alone, and afterwards the rows agree with each
// other.
func FuzzWrite(f *testing.F) {
	const dates = `"start_date": "2027-06-05 19:00", "end_date": "2027-06-05 21:00"`
	for i, body := range []string{
		`{"title": "x", ` + dates + `}`,
		`{"title": "<b>x</b>\\\u0000", ` + dates + `, "categories": ["a", 34, "b,c"], "tags": "41,new", "cost": ["1 Kc", "$2"], "website": "https://a.example/%20"}`,
		`{"title": "x", ` + dates + `, "venue": {"venue": "v", "country": "US", "state": "x"}, "organizer": [301, {"organizer": "o", "email": "e"}], "sticky": true, "status": "future", "date": "+1 week"}`,
		`{"title": "x", "start_date": "last day of february 9pm", "end_date": "@99999999999", "timezone": "UTC+13.75", "all_day": "1"}`,
		`{"venue": "v", "show_map": "yes", "stateprovince": "\ud83d\ude00"}`, `{"organizer": "o", "author": 1, "status": "trash"}`,
		`{"name": "'\"\\<i>&amp;", "slug": "%e2%80%8b", "parent": 34}`, `{"id": 102, "title": "y"}`, `{"slug": "other", "status": "inherit"}`,
		`{"title": "` + strings.Repeat("y", 300) + `", ` + dates + `}`,
	} {
		f.Add(byte(i), byte(0), body)
		f.Add(byte(i*5), byte(3), body)
	}
	f.Add(byte(0), byte(1), "title=x&start_date=now&end_date=tomorrow&venue[venue]=v&organizer[0][organizer]=o&tags[]=a&tags[]=b&cost[x]=1")
	f.Add(byte(1), byte(2), "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nx\r\n--b--\r\n")

	s := newTestSite(f, func(c *Config) { c.SiteRefresh = 1 << 60 })
	logins := []string{"", "adela", "edita", "alois", "karel", "sona"}
	tables := []string{"posts", "postmeta", "terms", "term_taxonomy", "term_relationships", "options", "usermeta"}
	first := map[string]string{}
	for _, table := range tables {
		first[table] = s.column("SELECT COALESCE(MAX(rowid), 0) FROM wp_" + table)
	}
	f.Fuzz(func(t *testing.T, at, how byte, body string) {
		s.t = t
		before := s.fingerprint()
		if postsIn(before) > 400 {
			for _, table := range tables[:5] {
				s.exec("DELETE FROM wp_"+table+" WHERE rowid > ?", first[table])
			}
			before = s.fingerprint()
		}
		method, target, _ := strings.Cut(writeTargets[int(at)%len(writeTargets)], " ")
		a := ask{method: method, target: target, body: body, header: http.Header{}}
		a.contentType = bodyTypes[int(how)%len(bodyTypes)]
		a.as = logins[int(how)/len(bodyTypes)%len(logins)]
		if how < 15 {
			a.as = "adela"
		}
		got := s.do(a)
		if s.seen.Panicked {
			t.Fatalf("panic: %s", got.body)
		}
		if got.status >= 500 && !known500[s.seen.Code] {
			t.Fatalf("%d %s: %v", got.status, s.seen.Code, s.seen.Err)
		}
		if !json.Valid([]byte(got.body)) {
			t.Fatalf("broken JSON: %.500q", got.body)
		}
		if after := s.fingerprint(); got.status >= 400 && after != before {
			t.Fatalf("%d %s, but rows have changed:\n%s\n%s", got.status, s.seen.Code, before, after)
		}
		if n := s.column(`SELECT COUNT(*) FROM wp_term_relationships tr LEFT JOIN wp_term_taxonomy tt ON tt.term_taxonomy_id = tr.term_taxonomy_id
			LEFT JOIN wp_posts p ON p.ID = tr.object_id WHERE tr.object_id > 100000 AND (tt.term_id IS NULL OR p.ID IS NULL)`); n != "0" {
			t.Fatalf("%s relationships lead nowhere", n)
		}
		if n := s.column(`SELECT COUNT(*) FROM (SELECT 1 FROM wp_posts WHERE post_name <> '' AND post_status NOT IN ('draft', 'pending', 'auto-draft')
			AND post_type IN ('tribe_events', 'tribe_venue', 'tribe_organizer') GROUP BY post_type, post_name HAVING COUNT(*) > 1)`); n != "0" {
			t.Fatalf("%s slugs are there twice", n)
		}
	})
}

// fingerprint distinguishes most states of the tables; the number of posts is in
// front.
func (s *testSite) fingerprint() string {
	s.t.Helper()
	var posts, text string
	if err := s.SQL().QueryRow(`SELECT (SELECT COUNT(*) FROM wp_posts), (SELECT COUNT(*) || ' ' || SUM(LENGTH(meta_value)) FROM wp_postmeta) || '|' ||
		(SELECT SUM(LENGTH(post_title || post_content || post_excerpt || post_name || post_status || post_modified) + menu_order + post_author) FROM wp_posts) || '|' ||
		(SELECT COUNT(*) || ' ' || SUM(LENGTH(name || slug)) FROM wp_terms) || '|' || (SELECT COUNT(*) || ' ' || SUM(count) || ' ' || SUM(parent) FROM wp_term_taxonomy) || '|' ||
		(SELECT COUNT(*) FROM wp_term_relationships) || '|' || (SELECT COUNT(*) || ' ' || SUM(LENGTH(option_value)) FROM wp_options)`).Scan(&posts, &text); err != nil {
		s.t.Fatal(err)
	}
	return fmt.Sprintf("%s posts|%s", posts, text)
}

func postsIn(fingerprint string) (n int) {
	_, _ = fmt.Sscan(fingerprint, &n)
	return n
}
