package wpcap

import (
	"slices"
	"testing"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

func TestCan(t *testing.T) {
	option := &php.Array{}
	option.SetString("first", stored("First", capMap("read", "a", "-b", "c")))
	option.SetString("second", stored("Second", capMap("-a", "b")))
	option.SetString("empty", stored("Empty", nil))
	option.SetString("broken", "text")
	roles := ParseRoles(option)

	tests := []struct {
		name string
		own  php.Value
		can  []string
		not  []string
	}{
		{"one role", capMap("first"), []string{"read", "a", "c", "first", "exist"}, []string{"b", "second", "do_not_allow"}},
		{"order of roles", capMap("first", "second"), []string{"read", "b", "c"}, []string{"a"}},
		{"other order", capMap("second", "first"), []string{"read", "a", "c"}, []string{"b"}},
		{"role with false", capMap("-first"), []string{"read", "a", "c"}, []string{"b", "first"}},
		{"single capability", capMap("first", "x"), []string{"a", "x"}, []string{"y"}},
		{"revoked", capMap("first", "-a"), []string{"read", "c"}, []string{"a"}},
		{"revoked before the role", capMap("-a", "first"), []string{"read", "c"}, []string{"a"}},
		{"unknown role", capMap("gone"), []string{"gone", "exist"}, []string{"read"}},
		{"role without capabilities", capMap("empty", "broken"), []string{"empty", "broken"}, []string{"read"}},
		{"exist cannot be revoked", capMap("-exist"), []string{"exist"}, nil},
		{"do_not_allow cannot be granted", capMap("do_not_allow"), nil, []string{"do_not_allow"}},
		{"nothing stored", nil, []string{"exist"}, []string{"read"}},
		{"no map stored", "x", []string{"exist"}, []string{"read"}},
		{"numeric key", func() php.Value { a := &php.Array{}; a.Set(php.IntKey(7), "1"); return a }(), []string{"7"}, []string{"read"}},
		{"null value", func() php.Value { a := &php.Array{}; a.SetString("x", nil); return a }(), nil, []string{"x"}},
		{"value zero", func() php.Value { a := &php.Array{}; a.SetString("x", "0"); return a }(), nil, []string{"x"}},
	}
	for _, tt := range tests {
		u := NewUser(5, "x", roles, tt.own, false)
		for _, cap := range tt.can {
			if !u.Can(cap) {
				t.Errorf("%s: lacks %s", tt.name, cap)
			}
		}
		for _, cap := range tt.not {
			if u.Can(cap) {
				t.Errorf("%s: has %s", tt.name, cap)
			}
		}
		if !u.LoggedIn() {
			t.Errorf("%s: not logged in", tt.name)
		}
	}
	if got := NewUser(5, "x", roles, capMap("second", "x", "-first"), false).RoleKeys(); !slices.Equal(got, []string{"second", "first"}) {
		t.Errorf("role keys %q", got)
	}
	if got := roles.Keys(); !slices.Equal(got, []string{"first", "second", "empty", "broken"}) {
		t.Errorf("roles %q", got)
	}
	if roles.Get("first").Name != "First" || roles.Get("none") != nil {
		t.Error("Get")
	}
}

func TestAnonymous(t *testing.T) {
	for _, u := range []*User{nil, Anonymous(), NewUser(0, "", defaultRoles(), capMap("administrator"), true)} {
		if u.LoggedIn() || u.Can("read") || !u.Can("exist") || u.Can("do_not_allow") || len(u.RoleKeys()) != 0 {
			t.Errorf("%+v", u)
		}
		if !u.CanAll(nil) {
			t.Error("an empty list is granted")
		}
	}
}

func TestSuperAdmin(t *testing.T) {
	network := Site{Multisite: true}
	super := NewUser(9, "root", defaultRoles(), nil, true)
	if !super.Can("anything") || super.Can("do_not_allow") || !network.IsSuperAdmin(super) {
		t.Error("super admin")
	}
	if !EditPost(super, &Post{ID: 1, Type: "tribe_events", Status: "private"}, network) {
		t.Error("edits other's private event")
	}
	if DeletePost(super, &Post{ID: 1, Type: "revision"}, network) {
		t.Error("deletes a revision")
	}
	if got := who(func(u *User) bool { return Site{}.IsSuperAdmin(u) }); got != "a" {
		t.Errorf("single site: %q", got)
	}
	if got := who(network.IsSuperAdmin); got != "" {
		t.Errorf("network: %q", got)
	}

	list := php.Strings("admin", "root")
	if !IsSuperAdminLogin(list, "root") || IsSuperAdminLogin(list, "ROOT") || IsSuperAdminLogin(list, "") ||
		IsSuperAdminLogin(nil, "root") || IsSuperAdminLogin("root", "root") || IsSuperAdminLogin(php.List(int64(1)), "1") {
		t.Error("IsSuperAdminLogin")
	}
}

// The grants that The Events Calendar makes on activation.
func TestRoleGrants(t *testing.T) {
	for _, plural := range []string{"tribe_events", "tribe_venues", "tribe_organizers", "aggregator-records"} {
		for prefix, want := range map[string]string{
			"edit_": "aeuoc", "delete_": "aeuoc",
			"publish_": "aeuo", "edit_published_": "aeuo", "delete_published_": "aeuo",
			"edit_others_": "ae", "delete_others_": "ae", "edit_private_": "ae", "delete_private_": "ae", "read_private_": "ae",
		} {
			if got := who(func(u *User) bool { return Check(u, prefix+plural, Site{}) }); got != want {
				t.Errorf("%s%s: %q, want %q", prefix, plural, got, want)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		cap  string
		site Site
		want string
	}{
		{"read", Site{}, "aeuocs"},
		{"exist", Site{}, "aeuocsn"},
		{"do_not_allow", Site{}, ""},
		{"upload_files", Site{}, "aeuo"},
		{"manage_options", Site{}, "a"},
		{"unknown", Site{}, ""},
		{"edit_post", Site{}, ""},
		{"edit_tribe_event", Site{}, ""},
		{"read_post", Site{}, ""},
		{"edit_term", Site{}, ""},
		{"manage_post_tags", Site{}, "ae"},
		{"edit_post_tags", Site{}, "ae"},
		{"delete_post_tags", Site{}, "ae"},
		{"assign_post_tags", Site{}, "aeuoc"},
		{"manage_categories", Site{}, "ae"},
		{"unfiltered_html", Site{}, "ae"},
		{"unfiltered_html", Site{DisallowUnfilteredHTML: true}, ""},
		{"unfiltered_html", Site{Multisite: true}, ""},
	}
	for _, tt := range tests {
		if got := who(func(u *User) bool { return Check(u, tt.cap, tt.site) }); got != tt.want {
			t.Errorf("%s %+v: %q, want %q", tt.cap, tt.site, got, tt.want)
		}
	}
	super := NewUser(9, "root", Roles{}, nil, true)
	if !UnfilteredHTML(super, Site{Multisite: true}) || UnfilteredHTML(super, Site{Multisite: true, DisallowUnfilteredHTML: true}) {
		t.Error("unfiltered_html of a super admin")
	}
	if got := who(func(u *User) bool { return EditUser(u, contributorID) }); got != "ac" {
		t.Errorf("edit user: %q", got)
	}
	if EditUser(Anonymous(), 0) {
		t.Error("nobody edits user 0")
	}
}

func TestTerms(t *testing.T) {
	site := Site{DefaultTerms: map[string][]int64{"tribe_events_cat": {3}}}
	tests := []struct{ taxonomy, manage, edit, remove, assign string }{
		{"tribe_events_cat", "aeuo", "aeuo", "aeuo", "aeuoc"},
		{"post_tag", "ae", "ae", "ae", "aeuoc"},
		{"category", "ae", "ae", "ae", "aeuoc"},
		{"unknown", "", "", "", ""},
	}
	for _, tt := range tests {
		term := &Term{ID: 4, Taxonomy: tt.taxonomy}
		for _, c := range []struct {
			name, want string
			check      func(*User) bool
		}{
			{"manage", tt.manage, func(u *User) bool { return ManageTerms(u, tt.taxonomy) }},
			{"edit", tt.edit, func(u *User) bool { return EditTerm(u, term) }},
			{"delete", tt.remove, func(u *User) bool { return DeleteTerm(u, term, site) }},
			{"assign", tt.assign, func(u *User) bool { return AssignTerms(u, tt.taxonomy) }},
			{"assign one", tt.assign, func(u *User) bool { return AssignTerm(u, term) }},
		} {
			if got := who(c.check); got != c.want {
				t.Errorf("%s %s: %q, want %q", c.name, tt.taxonomy, got, c.want)
			}
		}
	}
	super := NewUser(9, "root", Roles{}, nil, true)
	if DeleteTerm(super, &Term{ID: 3, Taxonomy: "tribe_events_cat"}, site) {
		t.Error("deleted a default term")
	}
	if EditTerm(super, nil) || DeleteTerm(super, nil, site) || AssignTerm(super, nil) {
		t.Error("a missing term")
	}
}

func FuzzUser(f *testing.F) {
	f.Add(`a:1:{s:1:"r";a:2:{s:4:"name";s:1:"R";s:12:"capabilities";a:1:{s:4:"read";b:1;}}}`, `a:1:{s:1:"r";b:0;}`, "read")
	f.Add(`a:1:{i:5;i:5;}`, `a:2:{i:5;b:1;s:5:"exist";b:0;}`, "5")
	f.Fuzz(func(t *testing.T, roles, caps, cap string) {
		parsed := ParseRoles(phpserial.Maybe(roles))
		u := NewUser(1, "x", parsed, phpserial.Maybe(caps), false)
		if u.Can("do_not_allow") || !u.Can("exist") {
			t.Fatal("fixed capabilities")
		}
		granted := false
		for _, key := range append(u.RoleKeys(), "") {
			if key == "" {
				if v, ok := u.own[cap]; ok {
					granted = v
				}
			} else if v, ok := parsed.Get(key).Grants(cap); ok {
				granted = v
			}
		}
		if want := granted || cap == "exist"; cap != "do_not_allow" && u.Can(cap) != want {
			t.Fatalf("%q: %v, want %v", cap, u.Can(cap), want)
		}
	})
}
