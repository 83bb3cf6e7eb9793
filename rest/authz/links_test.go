package authz

import (
	"slices"
	"testing"

	"calbridge/rest/api"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// TestLearns: a post that a client can't read by itself shows neither contents nor links
// outside exact (S9).
func TestLearns(t *testing.T) {
	for _, c := range []struct {
		role, kind, status, stored          string
		author                              int64
		given                               php.Value
		edit, reads, opens, sealed, asVenue bool
	}{
		{"", "tribe_venue", "publish", "", 8, nil, false, true, true, false, true},
		{"", "tribe_venue", "draft", "", 8, nil, false, false, false, false, false},
		{"", "tribe_organizer", "publish", "", 8, nil, false, true, true, false, false},
		{"", "tribe_events", "publish", "sesame", 8, nil, false, true, false, true, false},
		{"", "tribe_events", "publish", "sesame", 8, "sesame", false, true, true, false, false},
		{"writer", "tribe_events", "publish", "sesame", 7, nil, false, true, false, false, false},
		{"writer", "tribe_events", "publish", "sesame", 7, nil, true, true, true, false, false},
		{"writer", "tribe_events", "trash", "", 7, nil, false, false, false, false, false},
		{"editor", "tribe_events", "private", "", 8, nil, false, true, true, false, false},
	} {
		p := &wpstore.Post{ID: 1, Type: c.kind, Status: c.status, Author: c.author, Password: c.stored}
		v := viewer(api.Safe, c.role)
		v.Password, v.EditContext = c.given, c.edit
		got := [5]bool{v.Reads(p), v.Opens(p), v.Learns(p), v.Sealed(p), v.SeesLink(p, api.Venues)}
		if want := [5]bool{c.reads, c.opens, c.opens, c.sealed, c.asVenue}; got != want {
			t.Errorf("%+v: %v", c, got)
		}
		v.Site = viewer(api.Exact, c.role).Site
		if !v.Learns(p) || !v.SeesLink(p, api.Venues) || v.Sealed(p) {
			t.Errorf("exact hides %+v", c)
		}
	}
}

// TestReadable: what a search looks into is what the viewer may read.
func TestReadable(t *testing.T) {
	if r := viewer(api.Exact, "").Readable(api.Events); r != nil {
		t.Errorf("exact: %+v", r)
	}
	if r := viewer(api.Safe, "").Readable(api.Events); !slices.Equal(r.Statuses, []string{"publish"}) || r.Own != nil || r.Passwords == nil {
		t.Errorf("anonymous: %+v", r)
	}
	if r := viewer(api.Safe, "writer").Readable(api.Events); r.Own.Author != 7 || !slices.Contains(r.Own.Statuses, "draft") || slices.Contains(r.Statuses, "draft") {
		t.Errorf("writer: %+v, own %+v", r, r.Own)
	}
}

// TestLinkedPosts: saving and trashing changes linked posts only with the right to them (S11).
func TestLinkedPosts(t *testing.T) {
	for _, c := range []struct {
		role, kind, status string
		author             int64
		publish, exact     bool
	}{
		{"editor", "tribe_events", "draft", 8, true, true},
		{"publisher", "tribe_events", "draft", 7, true, true},
		{"publisher", "tribe_events", "draft", 8, false, true},
		{"writer", "tribe_events", "draft", 7, false, false},
		{"editor", "tribe_venue", "draft", 8, false, false},
		{"editor", "page", "draft", 8, false, false},
	} {
		head := &wpstore.PostHead{ID: 1, Type: c.kind, Status: c.status, Author: c.author}
		if got := viewer(api.Safe, c.role).MayPublishLinked(head, ""); got != c.publish {
			t.Errorf("%+v: %v", c, got)
		}
		if got := viewer(api.Exact, c.role).MayPublishLinked(head, ""); got != c.exact {
			t.Errorf("exact: %+v: %v", c, got)
		}
	}
	for author, want := range map[int64]bool{7: true, 8: false} {
		p := event("draft", author, "")
		if got := viewer(api.Safe, "writer").MayUnlink(p); got != want {
			t.Errorf("writer unlinks from an event of %d: %v", author, got)
		}
		if !viewer(api.Exact, "writer").MayUnlink(p) {
			t.Errorf("exact: writer doesn't unlink from an event of %d", author)
		}
	}
}
