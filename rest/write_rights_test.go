package rest

import (
	"fmt"
	"strings"
	"testing"

	"calbridge/rest/api"
)

func atLevel(level api.Compat) func(*Config) { return func(c *Config) { c.Compat = level } }

const plainEvent = `"title":"x","start_date":"2027-03-01 10:00","end_date":"2027-03-01 11:00"`

// addLinked adds a venue or an organizer of a user.
func (s *testSite) addLinked(id int, kind *api.PostKind, author int, status string) {
	s.t.Helper()
	s.insert("posts", row{"ID": id, "post_type": kind.PostType, "post_status": status, "post_author": author, "post_title": fmt.Sprint("Linked ", id), "post_name": fmt.Sprint("linked-", id)})
	if status == "trash" {
		s.addMeta(int64(id), "_wp_trash_meta_status", "publish")
	}
}

func (s *testSite) statuses(ids ...int) string {
	s.t.Helper()
	var out []string
	for _, id := range ids {
		out = append(out, s.column("SELECT post_status FROM wp_posts WHERE ID = ?", id))
	}
	return strings.Join(out, " ")
}

// TestLinksPublishOwnPosts: an event that links to others' drafts and to others' posts in
// the trash leaves them there, however often it is saved. One's own drafts are published,
// and the reference publishes all (known difference S11).
func TestLinksPublishOwnPosts(t *testing.T) {
	for _, c := range []struct {
		level      api.Compat
		as, status string
	}{
		{api.Safe, "alois", "draft draft trash publish publish"},
		{api.Fixed, "alois", "draft draft trash publish publish"},
		{api.Safe, "edita", "publish publish publish publish publish"},
		{api.Exact, "alois", "publish publish publish publish publish"},
	} {
		s := newTestSite(t, atLevel(c.level))
		author := s.column("SELECT ID FROM wp_users WHERE user_login = 'alois'")
		var own int
		fmt.Sscan(author, &own)
		s.addLinked(9001, api.Venues, 1, "draft")
		s.addLinked(9002, api.Organizers, 1, "draft")
		s.addLinked(9003, api.Organizers, 1, "trash")
		s.addLinked(9004, api.Organizers, own, "draft")
		s.addLinked(9005, api.Organizers, own, "trash")
		body := `{` + plainEvent + `,"venue":9001,"organizer":[9002,9003,9004,9005]}`
		a := s.send(c.as, "POST", "events", body)
		if a.status != 201 {
			t.Fatalf("%s: %s", a.outcome(), a.body)
		}
		for range 2 {
			if b := s.send(c.as, "PUT", "events/"+a.json("id"), body); b.status != 200 {
				t.Fatalf("%s: %s", b.outcome(), b.body)
			}
		}
		if got := s.statuses(9001, 9002, 9003, 9004, 9005); got != c.status {
			t.Errorf("%v as %s: %s, want %s", c.level, c.as, got, c.status)
		}
	}
}

// TestStatusesOfContributors: who may not publish sets no status but those of work in
// progress, for what they save and for what they make along with it (known difference
// S10).
func TestStatusesOfContributors(t *testing.T) {
	oneAtATime(t)
	for _, status := range []string{"private", "inherit", "auto-draft", "trash", "tribe-ea-success", "tribe-ignored", "request-completed"} {
		for level, want := range map[api.Compat]string{api.Exact: "201", api.Safe: "403 rest_forbidden", api.Fixed: "403 rest_forbidden"} {
			s := newTestSite(t, atLevel(level))
			before := s.fingerprint()
			for target, body := range map[string]string{
				"events":     `{` + plainEvent + `,"status":"` + status + `"}`,
				"venues":     `{"venue":"v","status":"` + status + `"}`,
				"organizers": `{"organizer":"o","status":"` + status + `"}`,
			} {
				if a := s.send("karel", "POST", target, body); a.outcome() != want {
					t.Errorf("%v %s: POST %s: %s", level, status, target, a.outcome())
				}
			}
			inline := `{` + plainEvent + `,"venue":{"venue":"v2","status":"` + status + `"},"tags":["new"],"organizer":[{"organizer":"o2"},{"organizer":"o3","status":"` + status + `"}]}`
			if a := s.send("karel", "POST", "events", inline); a.outcome() != want {
				t.Errorf("%v %s: along with an event: %s", level, status, a.outcome())
			}
			if level != api.Exact && s.fingerprint() != before {
				t.Errorf("%v %s: rows have changed", level, status)
			}
		}
	}
	s := newTestSite(t, atLevel(api.Safe))
	for _, step := range []struct{ as, status, want string }{
		{"karel", "draft", "201"}, {"karel", "pending", "201"}, {"karel", "publish", "201"}, {"alois", "private", "201"}, {"edita", "inherit", "201"},
	} {
		if a := s.send(step.as, "POST", "events", `{`+plainEvent+`,"status":"`+step.status+`"}`); a.outcome() != step.want {
			t.Errorf("%+v: %s", step, a.outcome())
		}
	}
	// The trash is for those who may delete the post.
	a := s.send("karel", "POST", "events", `{`+plainEvent+`}`)
	if a := s.send("karel", "PUT", "events/"+a.json("id"), `{"status":"trash"}`); a.outcome() != "200" || a.json("status") != "trash" {
		t.Errorf("own draft into the trash: %s", a.body)
	}
}

// TestTrashUnlinksWithoutCalendarTables: where dates are read from post meta, a venue that
// goes to the trash loses the links of coming events, and keeps those of past ones. Events
// that the user may not edit keep theirs too (known difference S11).
func TestTrashUnlinksWithoutCalendarTables(t *testing.T) {
	for _, c := range []struct {
		level    api.Compat
		as, want string
	}{{api.Exact, "edita", "past"}, {api.Safe, "edita", "past"}, {api.Exact, "alois", "past"}, {api.Safe, "alois", "foreign past"}} {
		for _, off := range []bool{false, true} {
			s := newTestSite(t, atLevel(c.level))
			if off {
				s.setOption("tec_custom_tables_v1_active", "0")
				s.exec("DELETE FROM wp_tec_occurrences")
			}
			var own int
			fmt.Sscan(s.column("SELECT ID FROM wp_users WHERE user_login = 'alois'"), &own)
			s.addLinked(9001, api.Venues, own, "publish")
			for i, e := range []struct {
				name, start string
				author      int
			}{{"own", "2027-03-01", own}, {"foreign", "2027-03-02", 1}, {"past", "2025-03-01", own}} {
				id := int64(9100 + i)
				s.insert("posts", row{"ID": id, "post_type": api.Events.PostType, "post_status": "publish", "post_author": e.author, "post_title": e.name, "post_name": e.name})
				s.addDates(id, e.start+" 10:00:00", e.start+" 11:00:00", "Europe/Prague")
				s.addMeta(id, "_EventVenueID", "9001")
			}
			if off {
				s.exec("DELETE FROM wp_tec_occurrences")
			}
			if a := s.send(c.as, "DELETE", "venues/9001", ""); a.status != 200 {
				t.Fatalf("%s: %s", a.outcome(), a.body)
			}
			got := s.column("SELECT COALESCE(GROUP_CONCAT(post_title, ' '), '') FROM (SELECT post_title FROM wp_posts p JOIN wp_postmeta m ON m.post_id = p.ID WHERE meta_key = '_EventVenueID' AND meta_value = '9001' ORDER BY post_title)")
			if got != c.want {
				t.Errorf("%v as %s, tables off %v: %q still linked, want %q", c.level, c.as, off, got, c.want)
			}
		}
	}
}

// TestTagsWithoutCalendarTables: several tags mean any of them where dates are read from post
// meta, and the first one alone elsewhere.
func TestTagsWithoutCalendarTables(t *testing.T) {
	s := newTestSite(t)
	total := func(tags string) string { return s.get("events?start_date=2000-01-01&tags=" + tags).json("total") }
	one, other, both := total("41"), total("42"), total("41,42")
	if one == "0" || other == "0" || both != one {
		t.Errorf("with tables: %s, %s, both %s", one, other, both)
	}
	s.setOption("tec_custom_tables_v1_active", "0")
	if got := total("41,42"); got == one || got == "" || total("41") != one {
		t.Errorf("without tables: %s, both %s", total("41"), got)
	}
}

// TestTrashTakesTheJobOff: a scheduled event that is trashed is not published later.
func TestTrashTakesTheJobOff(t *testing.T) {
	s := newTestSite(t)
	scheduled := func() bool {
		return strings.Contains(s.column("SELECT option_value FROM wp_options WHERE option_name = 'cron'"), "publish_future_post")
	}
	a := s.send("edita", "POST", "events", `{`+plainEvent+`,"status":"future","date":"+1 week"}`)
	if a.status != 201 || !scheduled() {
		t.Fatalf("%s: %s", a.outcome(), a.body)
	}
	if a := s.send("edita", "DELETE", "events/"+a.json("id"), ""); a.status != 200 || scheduled() {
		t.Errorf("%s, scheduled %t", a.outcome(), scheduled())
	}
}
