package wpcap

import (
	"slices"
	"testing"
)

// The expectations of this file are written by hand: the letters of those who
// may, as listed in helper_test.go.

func TestPostsOfAnAuthor(t *testing.T) {
	tests := []struct {
		status, trashStatus string
		edit, remove, read  string
	}{
		{"publish", "", "aeu", "aeu", "aeuocs"},
		{"future", "", "aeu", "aeu", "aeu"},
		{"draft", "", "aeu", "aeu", "aeu"},
		{"pending", "", "aeu", "aeu", "aeu"},
		{"private", "", "aeu", "aeu", "aeu"},
		{"auto-draft", "", "aeu", "aeu", "aeu"},
		{"inherit", "", "aeu", "aeu", "aeu"},
		{"trash", "publish", "aeu", "aeu", "aeu"},
		{"trash", "draft", "aeu", "aeu", "aeu"},
		{"trash", "", "aeu", "aeu", "aeu"},
		{"tribe-ignored", "", "aeu", "aeu", "aeu"},
		{"tribe-ea-success", "", "aeu", "aeu", "aeuocs"},
		{"unknown", "", "aeu", "aeu", "ae"},
	}
	for _, typ := range []string{"tribe_events", "tribe_venue", "tribe_organizer", "tribe-ea-record", "post"} {
		for _, tt := range tests {
			p := &Post{ID: 10, Author: authorID, Type: typ, Status: tt.status, TrashStatus: tt.trashStatus}
			for _, c := range []struct {
				name, want string
				check      func(*User, *Post, Site) bool
			}{
				{"edit", tt.edit, EditPost},
				{"delete", tt.remove, DeletePost},
				{"read", tt.read, ReadPost},
			} {
				if got := who(func(u *User) bool { return c.check(u, p, Site{}) }); got != c.want {
					t.Errorf("%s %s %s%s: %q, want %q", c.name, typ, tt.status, tt.trashStatus, got, c.want)
				}
			}
		}
	}
}

func TestPostsOfAContributor(t *testing.T) {
	tests := []struct{ status, trashStatus, edit, read string }{
		{"publish", "", "ae", "aeuocs"},
		{"future", "", "ae", "aec"},
		{"draft", "", "aec", "aec"},
		{"pending", "", "aec", "aec"},
		{"private", "", "aec", "aec"},
		{"trash", "publish", "ae", "aec"},
		{"trash", "future", "ae", "aec"},
		{"trash", "pending", "aec", "aec"},
		{"trash", "", "aec", "aec"},
	}
	for _, tt := range tests {
		p := &Post{ID: 10, Author: contributorID, Type: "tribe_events", Status: tt.status, TrashStatus: tt.trashStatus}
		for _, check := range []func(*User, *Post, Site) bool{EditPost, DeletePost} {
			if got := who(func(u *User) bool { return check(u, p, Site{}) }); got != tt.edit {
				t.Errorf("change %s %s: %q, want %q", tt.status, tt.trashStatus, got, tt.edit)
			}
		}
		if got := who(func(u *User) bool { return ReadPost(u, p, Site{}) }); got != tt.read {
			t.Errorf("read %s %s: %q, want %q", tt.status, tt.trashStatus, got, tt.read)
		}
	}
}

// What exactly is asked, for roles that grant less than usual.
func TestPostCaps(t *testing.T) {
	author := testUsers()['u']
	event := func(owner int64, status, trashStatus string) *Post {
		return &Post{ID: 7, Author: owner, Type: "tribe_events", Status: status, TrashStatus: trashStatus}
	}
	page := func(id int64, status string) *Post {
		return &Post{ID: id, Author: authorID, Type: "page", Status: status}
	}
	revision := &Post{ID: 9, Author: authorID, Type: "revision", Status: "inherit", Parent: event(adminID, "private", "")}
	site := Site{PageOnFront: 100, PageForPosts: 101, PrivacyPolicy: 102}
	network := Site{Multisite: true, PrivacyPolicy: 102}

	edit := func(p *Post, s Site) []string { return editPostCaps(author, p, s) }
	remove := func(p *Post, s Site) []string { return deletePostCaps(author, p, s) }
	read := func(p *Post, s Site) []string { return readPostCaps(author, p, s) }
	tests := []struct {
		name string
		caps func(*Post, Site) []string
		post *Post
		site Site
		want []string
	}{
		{"edit own published", edit, event(authorID, "publish", ""), site, []string{"edit_published_tribe_events"}},
		{"edit own scheduled", edit, event(authorID, "future", ""), site, []string{"edit_published_tribe_events"}},
		{"edit own private", edit, event(authorID, "private", ""), site, []string{"edit_tribe_events"}},
		{"edit own draft", edit, event(authorID, "draft", ""), site, []string{"edit_tribe_events"}},
		{"edit own of odd status", edit, event(authorID, "odd", ""), site, []string{"edit_tribe_events"}},
		{"edit own trashed, published before", edit, event(authorID, "trash", "publish"), site, []string{"edit_published_tribe_events"}},
		{"edit own trashed, draft before", edit, event(authorID, "trash", "draft"), site, []string{"edit_tribe_events"}},
		{"edit other's published", edit, event(adminID, "publish", ""), site, []string{"edit_others_tribe_events", "edit_published_tribe_events"}},
		{"edit other's scheduled", edit, event(adminID, "future", ""), site, []string{"edit_others_tribe_events", "edit_published_tribe_events"}},
		{"edit other's private", edit, event(adminID, "private", ""), site, []string{"edit_others_tribe_events", "edit_private_tribe_events"}},
		{"edit other's draft", edit, event(adminID, "draft", ""), site, []string{"edit_others_tribe_events"}},
		{"edit other's trashed", edit, event(adminID, "trash", "publish"), site, []string{"edit_others_tribe_events"}},
		{"edit nobody's", edit, event(0, "draft", ""), site, []string{"edit_others_tribe_events"}},
		{"edit revision", edit, revision, site, []string{"edit_others_tribe_events", "edit_private_tribe_events"}},
		{"edit revision of nothing", edit, &Post{ID: 9, Author: authorID, Type: "revision"}, site, []string{"do_not_allow"}},
		{"edit nothing", edit, nil, site, []string{"do_not_allow"}},
		{"edit unknown type", edit, &Post{ID: 9, Author: authorID, Type: "x", Status: "draft"}, site, []string{"edit_others_posts"}},
		{"edit front page", edit, page(100, "publish"), site, []string{"edit_published_pages"}},
		{"edit privacy page", edit, page(102, "publish"), site, []string{"edit_published_pages", "manage_options"}},
		{"edit privacy page in a network", edit, page(102, "draft"), network, []string{"edit_pages", "manage_network"}},
		{"edit attachment", edit, &Post{ID: 9, Author: authorID, Type: "attachment", Status: "inherit"}, site, []string{"edit_posts"}},
		{"edit other's attachment", edit, &Post{ID: 9, Author: adminID, Type: "attachment", Status: "inherit"}, site, []string{"edit_others_posts"}},
		{"edit template", edit, &Post{ID: 9, Author: adminID, Type: "wp_template", Status: "draft"}, site, []string{"edit_theme_options"}},

		{"delete own published", remove, event(authorID, "publish", ""), site, []string{"delete_published_tribe_events"}},
		{"delete own trashed", remove, event(authorID, "trash", "future"), site, []string{"delete_published_tribe_events"}},
		{"delete other's private", remove, event(adminID, "private", ""), site, []string{"delete_others_tribe_events", "delete_private_tribe_events"}},
		{"delete revision", remove, revision, site, []string{"do_not_allow"}},
		{"delete nothing", remove, nil, site, []string{"do_not_allow"}},
		{"delete unknown type", remove, &Post{ID: 9, Type: "x"}, site, []string{"edit_others_posts"}},
		{"delete front page", remove, page(100, "publish"), site, []string{"manage_options"}},
		{"delete page of posts", remove, page(101, "draft"), site, []string{"manage_options"}},
		{"delete privacy page", remove, page(102, "publish"), site, []string{"delete_published_pages", "manage_options"}},
		{"delete other page", remove, page(103, "publish"), site, []string{"delete_published_pages"}},
		{"delete without an id", remove, page(0, "publish"), Site{}, []string{"delete_published_pages"}},

		{"read published", read, event(adminID, "publish", ""), site, []string{"read"}},
		{"read own draft", read, event(authorID, "draft", ""), site, []string{"read"}},
		{"read own trashed", read, event(authorID, "trash", ""), site, []string{"read"}},
		{"read other's private", read, event(adminID, "private", ""), site, []string{"read_private_tribe_events"}},
		{"read other's draft", read, event(adminID, "draft", ""), site, []string{"edit_others_tribe_events"}},
		{"read other's scheduled", read, event(adminID, "future", ""), site, []string{"edit_others_tribe_events", "edit_published_tribe_events"}},
		{"read own of odd status", read, event(authorID, "odd", ""), site, []string{"edit_others_posts"}},
		{"read ignored", read, event(adminID, "tribe-ignored", ""), site, []string{"edit_others_tribe_events"}},
		{"read import", read, &Post{ID: 9, Author: adminID, Type: "tribe-ea-record", Status: "tribe-ea-failed"}, site, []string{"read"}},
		{"read revision", read, revision, site, []string{"read_private_tribe_events"}},
		{"read loose attachment", read, &Post{ID: 9, Author: adminID, Type: "attachment", Status: "inherit"}, site, []string{"read"}},
		{"read attachment of a private event", read, &Post{ID: 9, Author: adminID, Type: "attachment", Status: "inherit", Parent: event(adminID, "private", "")}, site, []string{"read_private_posts"}},
		{"read attachment of a draft", read, &Post{ID: 9, Author: adminID, Type: "attachment", Status: "inherit", Parent: event(adminID, "draft", "")}, site, []string{"edit_others_posts"}},
		{"read private attachment", read, &Post{ID: 9, Author: adminID, Type: "attachment", Status: "private"}, site, []string{"read_private_posts"}},
		{"read nothing", read, nil, site, []string{"do_not_allow"}},
		{"read unknown type", read, &Post{ID: 9, Type: "x", Status: "publish"}, site, []string{"edit_others_posts"}},
	}
	for _, tt := range tests {
		if got := tt.caps(tt.post, tt.site); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestNobodyOwnsNothing(t *testing.T) {
	p := &Post{ID: 9, Author: 0, Type: "tribe_events", Status: "draft"}
	if EditPost(Anonymous(), p, Site{}) || EditPost(nil, p, Site{}) || ReadPost(nil, p, Site{}) {
		t.Error("the anonymous user owns posts without author")
	}
}

func TestMissingPost(t *testing.T) {
	for _, u := range testUsers() {
		if EditPost(u, nil, Site{}) || DeletePost(u, nil, Site{}) || ReadPost(u, nil, Site{}) {
			t.Errorf("%s may do something with no post", u.Login)
		}
	}
	super := NewUser(9, "root", Roles{}, nil, true)
	if EditPost(super, nil, Site{Multisite: true}) {
		t.Error("a super admin edits no post")
	}
}
