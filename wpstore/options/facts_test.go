package options

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/wpstore"
)

func TestNames(t *testing.T) {
	site, network := Names("x_3_")
	if site[0] != "x_3_user_roles" || !slices.Contains(site, "home") || !slices.Contains(network, "site_admins") || slices.Contains(site, "site_admins") {
		t.Errorf("%q, %q", site, network)
	}
	if again, _ := Names("y_"); again[0] != "y_user_roles" || site[0] != "x_3_user_roles" {
		t.Error("names share memory")
	}
}

func TestReadSiteFacts(t *testing.T) {
	all := map[string]bool{"tec_events": true, "tec_occurrences": true}
	migrated := `a:1:{s:5:"phase";s:18:"migration-complete";}`
	read := func(raw map[string]string, tables map[string]bool, network map[string]string) *wpstore.SiteFacts {
		return readSiteFacts(raw, "wp_user_roles", tables, network)
	}
	f := read(map[string]string{
		"home": "https://example.org", "siteurl": "https://example.org/wp", "use_smilies": "1", "use_balanceTags": "0", "page_on_front": "17",
		"active_plugins": `a:2:{i:0;s:5:"a/a.p";i:1;s:5:"b/b.p";}`, "tec_ct1_migration_state": migrated,
		"wp_user_roles": `a:1:{s:5:"guide";a:0:{}}`, "WPLANG": "",
	}, all, nil)
	if f.Home != "https://example.org" || f.SiteURL != "https://example.org/wp" || !f.UseSmilies || f.UseBalanceTags || f.PageOnFront != 17 || f.Multisite || f.Roles == nil {
		t.Errorf("%+v", f)
	}
	if diff := cmp.Diff([]string{"a/a.p", "b/b.p"}, f.ActivePlugins); diff != "" {
		t.Error(diff)
	}
	// The dates of the occurrence tables count once the calendar has moved to them.
	for _, used := range []string{"0", "", "1"} {
		raw := map[string]string{"tec_ct1_migration_state": migrated, "tec_custom_tables_v1_active": used}
		if got := read(raw, all, nil).Occurrences; got != (used == "1") {
			t.Errorf("in use %q: %v", used, got)
		}
	}
	for _, c := range []struct {
		state  string
		tables map[string]bool
		want   bool
	}{
		{migrated, all, true},
		{`a:1:{s:5:"phase";s:22:"migration-not-required";}`, all, true},
		{`a:1:{s:5:"phase";s:21:"migration-in-progress";}`, all, false},
		{"", all, false},
		{"a:1:{broken", all, false},
		{migrated, map[string]bool{"tec_events": true}, false},
	} {
		if got := read(map[string]string{"tec_ct1_migration_state": c.state}, c.tables, nil).Occurrences; got != c.want {
			t.Errorf("%q with %v: %v", c.state, c.tables, got)
		}
	}
}

// TestNetworkFacts: the network's keys replace the site's, its locale only where the site
// has none, and its plugins are active besides the site's.
func TestNetworkFacts(t *testing.T) {
	network := map[string]string{
		"site_admins": `a:1:{i:0;s:4:"anna";}`, "active_sitewide_plugins": `a:1:{s:5:"n/n.p";i:1700000000;}`,
		"WPLANG": "cs_CZ", "auth_key": "of the network", "ms_files_rewriting": "1",
	}
	f := readSiteFacts(map[string]string{"active_plugins": `a:1:{i:0;s:5:"a/a.p";}`, "auth_key": "of the site"}, "wp_user_roles", nil, network)
	if !f.Multisite || !f.RewrittenFiles || f.WPLang != "cs_CZ" || f.Raw["auth_key"] != "of the network" {
		t.Errorf("%+v", f)
	}
	if diff := cmp.Diff([]string{"a/a.p", "n/n.p"}, f.ActivePlugins); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"anna"}, f.SuperAdmins); diff != "" {
		t.Error(diff)
	}
	for own, want := range map[string]string{"de_DE": "de_DE", "": ""} {
		if got := readSiteFacts(map[string]string{"WPLANG": own}, "wp_user_roles", nil, network).WPLang; got != want {
			t.Errorf("a site with %q has %q", own, got)
		}
	}
}
