package authz

import (
	"fmt"
	"slices"
	"testing"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpcap"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// roles are invented: a guest may log in, a writer may edit own events, a publisher
// publish them too, an editor edit all.
var roles = map[string][]string{
	"guest":     {"read"},
	"writer":    {"read", "edit_tribe_events", "edit_published_tribe_events", "delete_tribe_events"},
	"publisher": {"read", "edit_tribe_events", "publish_tribe_events"},
	"editor": {
		"read", "edit_tribe_events", "edit_published_tribe_events", "edit_others_tribe_events", "edit_private_tribe_events", "publish_tribe_events",
		"read_private_tribe_events", "read_private_posts", "manage_categories", "delete_tribe_events",
	},
}

func viewer(compat api.Compat, role string) *Viewer {
	all := &php.Array{}
	for name, caps := range roles {
		granted := &php.Array{}
		for _, c := range caps {
			granted.SetString(c, true)
		}
		all.SetString(name, api.Object("name", name, "capabilities", granted))
	}
	facts := &wpstore.SiteFacts{Roles: all, SiteAddresses: wpstore.SiteAddresses{Home: "https://village.example"}}
	site := wpsite.NewBuilder(&wpsite.Settings{Compat: compat}).Site(facts)
	user := wpcap.Anonymous()
	if role != "" {
		user = wpcap.NewUser(7, role, site.Roles, api.Object(role, true), false)
	}
	return &Viewer{User: user, Site: site}
}

func event(status string, author int64, password string) *wpstore.Post {
	return &wpstore.Post{ID: 1, Type: "tribe_events", Status: status, Author: author, Password: password}
}

// TestRights: what a client sees follows from WordPress's capabilities.
func TestRights(t *testing.T) {
	for _, c := range []struct {
		role, status             string
		author                   int64
		read, edit, viewable, in bool
	}{
		{"", "publish", 7, true, false, true, false},
		{"", "private", 7, false, false, false, false},
		{"guest", "private", 8, false, false, false, true},
		{"writer", "publish", 7, true, true, true, true},
		{"writer", "publish", 8, true, false, true, true},
		{"editor", "private", 8, true, true, true, true},
		{"editor", "draft", 8, true, true, false, true},
	} {
		v, p := viewer(api.Safe, c.role), event(c.status, c.author, "")
		if got := [4]bool{v.MayRead(p) || p.Status == "publish", v.MayEdit(p), v.Viewable(p), v.Known()}; got != [4]bool{c.read, c.edit, c.viewable, c.in} {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestPasswords(t *testing.T) {
	for _, c := range []struct {
		role, stored string
		given        php.Value
		edit, locked bool
	}{
		{"", "", nil, false, false}, {"", "sesame", nil, false, true}, {"", "sesame", "sesame", false, false}, {"", "sesame", "Sesame", false, true},
		{"", "5", int64(5), false, true}, {"editor", "sesame", nil, false, true}, {"editor", "sesame", nil, true, false}, {"guest", "sesame", nil, true, true},
	} {
		v := viewer(api.Safe, c.role)
		v.Password, v.EditContext = c.given, c.edit
		if got := v.Locked(event("publish", 8, c.stored)); got != c.locked {
			t.Errorf("%+v: %v", c, got)
		}
	}
	v := viewer(api.Safe, "editor")
	v.Password = "sesame"
	if !v.PasswordRequired(event("publish", 7, "sesame")) || v.PasswordRequired(event("publish", 7, "")) {
		t.Error("only the cookie opens structured data")
	}
}

// TestWrites: the status after a write, authors (S4) and taxonomies.
func TestWrites(t *testing.T) {
	const refused = ""
	for _, c := range []struct{ role, requested, want string }{
		{"editor", "", "publish"}, {"writer", "", "draft"}, {"writer", "publish", "pending"}, {"writer", "future", "pending"},
		{"editor", "future", "future"}, {"writer", "draft", "draft"}, {"editor", "private", "private"},
		{"writer", "private", refused}, {"writer", "inherit", refused}, {"writer", "auto-draft", refused}, {"writer", "trash", refused},
		{"writer", "tribe-ea-success", refused}, {"writer", "tribe-ignored", refused},
	} {
		if got, err := viewer(api.Safe, c.role).Status(c.requested, nil); got != c.want || (err == nil) != (c.want != refused) {
			t.Errorf("%s asks for %q: %s, %v, want %s", c.role, c.requested, got, err, c.want)
		}
		if got, err := viewer(api.Exact, c.role).Status(c.requested, nil); err != nil || c.want == refused && got != c.requested {
			t.Errorf("exact: %s asks for %q: %s, %v", c.role, c.requested, got, err)
		}
	}
	// A status that a post has already may stay, and the trash is for those who may delete.
	for _, c := range []struct {
		role, requested, status string
		author                  int64
		want                    bool
	}{
		{"writer", "trash", "draft", 7, true}, {"writer", "trash", "publish", 7, false}, {"writer", "private", "private", 7, true},
		{"writer", "private", "draft", 7, false}, {"editor", "trash", "publish", 8, false}, {"editor", "private", "draft", 8, true},
	} {
		_, err := viewer(api.Safe, c.role).Status(c.requested, event(c.status, c.author, ""))
		if (err == nil) != c.want {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, c := range []struct {
		compat          api.Compat
		role            string
		author, current int64
		want            bool
	}{
		{api.Exact, "writer", 9, 7, true}, {api.Safe, "writer", 9, 7, false}, {api.Safe, "writer", 9, 9, true}, {api.Safe, "writer", 7, 9, true}, {api.Safe, "editor", 9, 7, true},
	} {
		if got := viewer(c.compat, c.role).MayAssign(api.Events, c.author, c.current); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	for role, want := range map[string][2]bool{"editor": {true, true}, "writer": {false, false}, "": {false, false}} {
		v := viewer(api.Safe, role)
		if got := [2]bool{v.MayManage(api.Categories), v.MayManage(api.Tags)}; got != want {
			t.Errorf("%s manages %v", role, got)
		}
	}
	if a, b := viewer(api.Safe, "").Forbidden(), viewer(api.Safe, "guest").Forbidden(); a.Status != 401 || b.Status != 403 {
		t.Errorf("forbidden: %d, %d", a.Status, b.Status)
	}
}

// TestVisibility compares the posts that lists show at each level (known differences S1 and S2).
func TestVisibility(t *testing.T) {
	text := func(v Visibility) string {
		own := ""
		if v.Own != nil {
			own = fmt.Sprint(v.Own.Author, v.Own.Statuses)
		}
		slices.Sort(v.Statuses)
		return fmt.Sprint(v.Statuses, " own ", own, " passwords ", v.Passwords == nil, len(v.Passwords), " for ", v.UnlockedFor, " shows ", string(phpjson.Append(nil, v.Shown)))
	}
	for _, c := range []struct {
		compat    api.Compat
		role      string
		status    php.Value
		kind      *api.PostKind
		password  php.Value
		edit      bool
		wantShown string
	}{
		{api.Exact, "", nil, api.Events, nil, false, `[publish] own  passwords true 0 for 0 shows "publish"`},
		{api.Exact, "writer", nil, api.Events, nil, false, `[] own  passwords true 0 for 0 shows "any"`},
		{api.Exact, "writer", "draft,trash", api.Events, nil, false, `[draft trash] own  passwords true 0 for 0 shows "draft,trash"`},
		{api.Exact, "editor", "", api.Events, nil, false, `[private publish] own  passwords true 0 for 0 shows []`},
		{api.Exact, "guest", "", api.Events, nil, false, `[publish] own 7 [publish private] passwords true 0 for 0 shows []`},
		{api.Safe, "", nil, api.Events, nil, false, `[publish] own  passwords false 0 for 0 shows "publish"`},
		{api.Safe, "", nil, api.Events, "sesame", false, `[publish] own  passwords false 1 for 0 shows "publish"`},
		{api.Safe, "", nil, api.Venues, nil, false, `[publish] own  passwords true 0 for 0 shows "publish"`},
		{api.Safe, "writer", "publish,draft", api.Events, nil, false, `[publish] own 7 [publish draft] passwords false 0 for 0 shows "publish,draft"`},
		{api.Safe, "writer", "publish", api.Events, nil, true, `[publish] own 7 [publish] passwords false 0 for 7 shows "publish"`},
		{api.Safe, "editor", "publish", api.Events, nil, true, `[publish] own 7 [publish] passwords true 0 for 0 shows "publish"`},
		{api.Safe, "guest", "", api.Events, nil, false, `[publish] own 7 [publish private] passwords false 0 for 0 shows []`},
	} {
		v := viewer(c.compat, c.role)
		v.Password, v.EditContext = c.password, c.edit
		if got := text(v.Visibility(c.kind, c.status)); got != c.wantShown {
			t.Errorf("%s %s %v: %s, want %s", c.compat, c.role, c.status, got, c.wantShown)
		}
	}
	any := viewer(api.Safe, "editor").Visibility(api.Events, nil)
	for _, hidden := range []string{"trash", "auto-draft"} {
		if slices.Contains(any.Statuses, hidden) || slices.Contains(any.Own.Statuses, hidden) {
			t.Errorf("any shows %s", hidden)
		}
	}
	if !slices.Contains(any.Statuses, "draft") || !slices.Contains(any.Own.Statuses, "private") {
		t.Errorf("any shows an editor %v, own %v", any.Statuses, any.Own.Statuses)
	}
}
