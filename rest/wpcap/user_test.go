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
}

func TestAnonymous(t *testing.T) {
	for _, u := range []*User{nil, Anonymous(), NewUser(0, "", defaultRoles(), capMap("administrator"), true)} {
		if u.LoggedIn() || u.Can("read") || !u.Can("exist") || u.Can("do_not_allow") {
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
	if !super.Can("anything") || super.Can("do_not_allow") {
		t.Error("super admin")
	}
	if !EditPost(super, &Post{ID: 1, Type: "tribe_events", Status: "private"}, network) {
		t.Error("edits other's private event")
	}
	if DeletePost(super, &Post{ID: 1, Type: "revision"}, network) {
		t.Error("deletes a revision")
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
			if got := who(func(u *User) bool { return u.Can(prefix + plural) }); got != want {
				t.Errorf("%s%s: %q, want %q", prefix, plural, got, want)
			}
		}
	}
}

func TestPrimitives(t *testing.T) {
	for cap, want := range map[string]string{
		"read": "aeuocs", "exist": "aeuocsn", "do_not_allow": "", "upload_files": "aeuo", "manage_options": "a", "manage_categories": "ae", "unknown": "",
	} {
		if got := who(func(u *User) bool { return u.Can(cap) }); got != want {
			t.Errorf("%s: %q, want %q", cap, got, want)
		}
	}
}

func TestUnfilteredHTML(t *testing.T) {
	for site, want := range map[Site]string{{}: "ae", {DisallowUnfilteredHTML: true}: "", {Multisite: true}: ""} {
		if got := who(func(u *User) bool { return UnfilteredHTML(u, site) }); got != want {
			t.Errorf("%+v: %q, want %q", site, got, want)
		}
	}
	super := NewUser(9, "root", Roles{}, nil, true)
	if !UnfilteredHTML(super, Site{Multisite: true}) || UnfilteredHTML(super, Site{Multisite: true, DisallowUnfilteredHTML: true}) {
		t.Error("unfiltered_html of a super admin")
	}
	if UnfilteredHTML(nil, Site{Multisite: true}) {
		t.Error("unfiltered_html of an anonymous user")
	}
}

func TestAssignTerms(t *testing.T) {
	for taxonomy, want := range map[string]string{"tribe_events_cat": "aeuoc", "post_tag": "aeuoc", "category": "aeuoc", "unknown": ""} {
		if got := who(func(u *User) bool { return AssignTerms(u, taxonomy) }); got != want {
			t.Errorf("%s: %q, want %q", taxonomy, got, want)
		}
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
		for _, grants := range append(slices.Clone(u.roles), u.own) {
			if v, ok := grants[cap]; ok {
				granted = v
			}
		}
		if want := granted || cap == "exist"; cap != "do_not_allow" && u.Can(cap) != want {
			t.Fatalf("%q: %v, want %v", cap, u.Can(cap), want)
		}
	})
}
