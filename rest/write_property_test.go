package rest

import (
	"database/sql"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/rest/wpcap"
)

var writeRequests = flag.Int("write-requests", 1500, "requests of TestWritesChangeOnlyWhatTheyMay")

// TestWritesChangeOnlyWhatTheyMay: after any write of any role under safe, no row of a post
// that the user may not edit differs, nor of its metadata, comments and dates. What a write
// changes for everyone, as in the reference, is elsewhere: counts of terms, relations to a
// term that is deleted, options. Relations to terms are compared where no term is deleted.
func TestWritesChangeOnlyWhatTheyMay(t *testing.T) {
	oneAtATime(t)
	random := rand.New(rand.NewPCG(14, 3))
	requests, worlds, changed := 0, 0, 0
	for requests < *writeRequests {
		worlds++
		s := randomWorld(t, random)
		for range 150 {
			as := pick(random, "", "sona", "karel", "alois", "otto", "edita")
			before := s.postRows()
			mayEdit := s.editable(as)
			a := s.randomWrite(random, as)
			got := s.do(a)
			if got.status >= 500 && !known500[s.seen.Code] {
				t.Fatalf("%s /%s as %q %s: %d %v", a.method, a.target, as, a.body, got.status, s.seen.Err)
			}
			requests++
			if got.status < 300 {
				changed++
			}
			after := s.postRows()
			deletesTerm := a.method == "DELETE" && (strings.HasPrefix(a.target, "tags") || strings.HasPrefix(a.target, "categories"))
			for id, row := range before {
				if now := after[id]; now != row && !mayEdit[id] && !(deletesTerm && now.content == row.content) {
					t.Fatalf("%s /%s as %q %s: %s: post %d differs:\n%s\n%s", a.method, a.target, as, a.body, got.outcome(), id, row, now)
				}
			}
		}
	}
	t.Logf("%d requests in %d worlds, %d of them changed something", requests, worlds, changed)
}

func pick[T any](random *rand.Rand, values ...T) T { return values[random.IntN(len(values))] }

// randomWorld returns a site with posts of every kind, status and owner, that link to each other.
func randomWorld(t *testing.T, random *rand.Rand) *testSite {
	s := newTestSite(t, func(c *Config) { c.Compat, c.SiteRefresh = pick(random, api.Safe, api.Fixed), 1<<60 })
	for i := range 40 {
		id := 1000 + i
		kind := matrixKinds[i%3]
		status := pick(random, "publish", "publish", "future", "draft", "pending", "private", "trash", "inherit", "auto-draft", "tribe-ea-success")
		s.insert("posts", row{
			"ID": id, "post_type": kind.PostType, "post_status": status, "post_author": 1 + random.IntN(6), "post_title": fmt.Sprint("Title ", i%12),
			"post_name": fmt.Sprint("slug-", id), "post_password": pick(random, "", "", "secret"), "post_content": "c", "post_date_gmt": "2026-01-01 00:00:00",
		})
		if status == "trash" {
			s.addMeta(int64(id), "_wp_trash_meta_status", pick(random, "publish", "draft", "private"))
		}
		if kind == api.Events {
			start := fmt.Sprintf("%d-0%d-01 10:00:00", 2026+random.IntN(3), 1+random.IntN(9))
			s.addDates(int64(id), start, start, "Europe/Prague")
			for range random.IntN(4) {
				s.addMeta(int64(id), pick(random, "_EventVenueID", "_EventOrganizerID"), fmt.Sprint(1000+random.IntN(40)))
			}
			s.insert("term_relationships", row{"object_id": id, "term_taxonomy_id": 534})
		}
	}
	return s
}

// postState is a post with all that belongs to it.
type postState struct{ content, terms string }

// postRows returns the posts that are no revisions.
func (s *testSite) postRows() map[int64]postState {
	s.t.Helper()
	content := s.joined(`SELECT ID, post_author || '|' || post_date || '|' || post_date_gmt || '|' || post_modified || '|' || post_title || '|' || post_content || '|' || post_excerpt ||
		'|' || post_status || '|' || post_name || '|' || post_password || '|' || menu_order || '|' || post_parent || '|' || guid FROM wp_posts WHERE post_type <> 'revision'
		UNION ALL SELECT post_id, meta_id || '|' || meta_key || '|' || COALESCE(meta_value, '') FROM wp_postmeta
		UNION ALL SELECT post_parent, 'revision ' || ID FROM wp_posts WHERE post_type = 'revision'
		UNION ALL SELECT post_id, 'occurrence ' || occurrence_id || '|' || start_date || '|' || end_date FROM wp_tec_occurrences`)
	terms := s.joined("SELECT object_id, term_taxonomy_id FROM wp_term_relationships")
	out := map[int64]postState{}
	for id, text := range content {
		out[id] = postState{text, terms[id]}
	}
	return out
}

// joined returns the texts of a query of ids and texts, those of an id in one.
func (s *testSite) joined(query string) map[int64]string {
	s.t.Helper()
	rows, err := s.SQL().Query(query)
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	out := map[int64]string{}
	for rows.Next() {
		var id int64
		var text sql.NullString
		if err := rows.Scan(&id, &text); err != nil {
			s.t.Fatal(err)
		}
		out[id] += text.String + "\n"
	}
	return out
}

// editable returns the posts that a user may edit or delete as they are.
func (s *testSite) editable(as string) map[int64]bool {
	s.t.Helper()
	x := s.exchange(as)
	was := s.joined("SELECT post_id, meta_value FROM wp_postmeta WHERE meta_key = '_wp_trash_meta_status' GROUP BY post_id")
	rows, err := s.SQL().Query("SELECT ID, post_author, post_type, post_status FROM wp_posts")
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	out := map[int64]bool{}
	for rows.Next() {
		var p wpcap.Post
		if err := rows.Scan(&p.ID, &p.Author, &p.Type, &p.Status); err != nil {
			s.t.Fatal(err)
		}
		p.TrashStatus = strings.TrimSpace(was[p.ID])
		out[p.ID] = wpcap.EditPost(x.viewer.User, &p, x.viewer.Site.Caps) || wpcap.DeletePost(x.viewer.User, &p, x.viewer.Site.Caps)
	}
	return out
}

// randomWrite returns any write of a user.
func (s *testSite) randomWrite(random *rand.Rand, as string) ask {
	id := func(kind int) int { return 1000 + 3*random.IntN(14) + kind } // the last ones are missing
	status := func() string {
		return pick(random, "publish", "draft", "private", "pending", "trash", "inherit", "tribe-ea-success", "future")
	}
	linked := func(kind string) string {
		return fmt.Sprintf(`{"%s":"Title %d","status":"%s","author":%d,"phone":"%d"}`, kind, random.IntN(14), status(), 1+random.IntN(6), random.IntN(9))
	}
	k := pick(random, 0, 0, 1, 2)
	kind := tribev1.Collection(matrixKinds[k])
	target := fmt.Sprint(kind, "/", id(k))
	if random.IntN(4) == 0 {
		target = fmt.Sprint(kind, "/by-slug/slug-", id(k))
	}
	parts := map[string]string{
		"status": `"` + status() + `"`, "author": fmt.Sprint(1 + random.IntN(6)), "slug": fmt.Sprintf(`"slug-%d"`, id(k)),
		"venue": pick(random, fmt.Sprint(id(1)), linked("venue")), "organizer": pick(random, fmt.Sprintf("[%d,%d]", id(2), id(2)), fmt.Sprintf("[%s,%d]", linked("organizer"), id(2))),
		"tags": `["outdoors","t` + fmt.Sprint(random.IntN(5)) + `"]`, "categories": pick(random, "[34]", `["fresh"]`), "title": `"Title"`, "description": `"d"`, "image": `"401"`,
	}
	maps.DeleteFunc(parts, func(name, _ string) bool { return random.IntN(2) == 0 })
	if random.IntN(8) == 0 {
		parts["id"] = fmt.Sprint(id(k))
	}
	if kind != "events" && random.IntN(2) == 0 {
		parts[strings.TrimSuffix(kind, "s")] = fmt.Sprintf(`"Title %d"`, random.IntN(14))
	}
	a := ask{as: as, contentType: jsonType, target: target, method: pick(random, "PUT", "PUT", "DELETE")}
	switch random.IntN(12) {
	case 0, 1, 2:
		a.method, a.target = "POST", kind
		parts["title"], parts["start_date"], parts["end_date"] = `"New"`, `"2027-01-01 10:00"`, `"2027-01-01 11:00"`
	case 3:
		a.method, a.target = pick(random, "PUT", "DELETE"), pick(random, "tags/41", "tags/42", "categories/34")
		parts = map[string]string{"name": `"n"`}
	}
	if a.method != "DELETE" {
		var members []string
		for name, value := range parts {
			members = append(members, `"`+name+`":`+value)
		}
		a.body = "{" + strings.Join(members, ",") + "}"
	}
	return a
}
