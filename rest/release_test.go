package rest

import (
	"encoding/json"
	"strings"
	"testing"

	"calbridge/rest/api"
	"calbridge/rest/tribev1"
)

// TestTextsOfReleases writes an event and a category as an author of a site with each
// release of WordPress, and reads them: what is stored and shown follows the release. The
// functions behind have their own tests (TestTextByRelease); this is about how they are
// called.
func TestTextsOfReleases(t *testing.T) {
	const (
		link        = `<a href="/x" target="_blank">x</a>`
		description = "<!-- wp:paragraph {\"style\":{\"css\":\"color:red\"}} --><p>" + link + "<wbr><i style='opacity:.5'></i></p><!-- /wp:paragraph -->"
		title       = "GRO\u1e9eER a\u2011b"
	)
	const (
		styled, bare = `<!-- wp:paragraph {"style":{"css":"color:red"}} -->`, "<!-- wp:paragraph -->"
		safe         = `<a href="/x" target="_blank" rel="noopener">x</a>`
	)
	for release, want := range map[string]struct{ content, slug, term, shown string }{
		"6.5.10": {styled + "<p>" + safe + "<i></i></p>", "gro%c3%9fer-a%e2%80%91b", `<a href="/x">x</a>`, "<p>" + safe},
		"6.6.6":  {styled + "<p>" + safe + "<i></i></p>", "gro%c3%9fer-a%e2%80%91b", `<a href="/x">x</a>`, "<p>" + safe},
		"6.7.7":  {styled + "<p>" + link + "<i style='opacity:.5'></i></p>", "gro%c3%9fer-a%e2%80%91b", `<a href="/x">x</a>`, "<p>" + link},
		"6.8.8":  {styled + "<p>" + link + "<i style='opacity:.5'></i></p>", "gro%c3%9fer-a%e2%80%91b", link, "<p>" + link},
		"6.9.7":  {styled + "<p>" + link + "<wbr><i style='opacity:.5'></i></p>", "gro%c3%9fer-a-b", link, "<p>" + link},
		"7.0.4":  {bare + "<p>" + link + `<wbr><i style="opacity:.5"></i></p>`, "grosser-a-b", link, `<p class="wp-block-paragraph">` + link},
		"7.1.0":  {bare + "<p>" + link + `<wbr><i style="opacity:.5"></i></p>`, "grosser-a-b", link, `<p class="wp-block-paragraph">` + link},
	} {
		t.Run(release, func(t *testing.T) {
			s := vectorSite(t, func(c *Config) { c.WordPress = release })
			s.setOption("WPLANG", "de_DE")
			s.addUser(2, "author", "author")
			post := func(as, endpoint string, fields map[string]any) answer {
				t.Helper()
				body, err := json.Marshal(fields)
				if err != nil {
					t.Fatal(err)
				}
				a := s.do(ask{method: "POST", target: vectorBase + endpoint, as: as, contentType: "application/json", body: string(body)})
				if a.status != 201 {
					t.Fatalf("%s: %d: %.300s", endpoint, a.status, a.body)
				}
				return a
			}
			event := post("author", tribev1.Collection(api.Events), map[string]any{
				"title": title, "description": description, "start_date": "2027-06-01 18:00", "end_date": "2027-06-01 20:00", "status": "publish",
			})
			content := s.column("SELECT post_content FROM wp_posts WHERE post_type = 'tribe_events'")
			if stored, _, _ := strings.Cut(content, "<!-- /wp"); stored != want.content {
				t.Errorf("stored %s, want %s", stored, want.content)
			}
			if slug := s.column("SELECT post_name FROM wp_posts WHERE post_type = 'tribe_events'"); slug != want.slug {
				t.Errorf("slug %s, want %s", slug, want.slug)
			}
			if shown := event.json("description"); !strings.HasPrefix(shown, want.shown) {
				t.Errorf("shown %s, want %s", shown, want.shown)
			}
			post("admin", tribev1.TermCollection(api.Categories), map[string]any{"name": "Fair", "description": link})
			if stored := s.column("SELECT description FROM wp_term_taxonomy WHERE taxonomy = 'tribe_events_cat'"); stored != want.term {
				t.Errorf("description of the term %s, want %s", stored, want.term)
			}
		})
	}
}

// TestListsOfLinks: WordPress 7.0 takes a stored list of venues or organizers for the post 1
// in structured data, 7.1 for none.
func TestListsOfLinks(t *testing.T) {
	for release, want := range map[string]string{"7.0.4": `"One"`, "7.1.0": "false"} {
		s := vectorSite(t, func(c *Config) { c.WordPress = release })
		s.insert("posts", row{"ID": 1, "post_type": "post", "post_title": "One", "post_name": "one", "post_status": "publish"})
		s.insert("posts", row{"ID": 18, "post_type": "tribe_venue", "post_title": "Hall", "post_name": "hall", "post_status": "publish"})
		s.insert("posts", row{"ID": 38, "post_type": "tribe_organizer", "post_title": "Club", "post_name": "club", "post_status": "publish"})
		s.insert("posts", row{"ID": 114, "post_type": "tribe_events", "post_title": "Fair", "post_name": "fair", "post_status": "publish"})
		s.addMeta(114, "_EventVenueID", `a:1:{i:0;s:2:"18";}`)
		s.addMeta(114, "_EventOrganizerID", `a:1:{i:0;s:2:"38";}`)
		var event struct {
			Venue     struct{ ID int64 }
			Organizer []struct{ ID int64 }
			LD        struct{ Location, Organizer json.RawMessage } `json:"json_ld"`
		}
		if err := json.Unmarshal([]byte(s.get(vectorBase+"events/114").body), &event); err != nil {
			t.Fatal(err)
		}
		if event.Venue.ID != 18 || len(event.Organizer) != 1 || event.Organizer[0].ID != 38 {
			t.Errorf("%s: linked %+v", release, event)
		}
		for _, got := range []json.RawMessage{event.LD.Location, event.LD.Organizer} {
			var named struct{ Name json.RawMessage }
			if string(got) != "false" {
				if err := json.Unmarshal(got, &named); err != nil {
					t.Fatal(err)
				}
				got = named.Name
			}
			if string(got) != want {
				t.Errorf("%s: %s, want %s", release, got, want)
			}
		}
	}
}
