package sitedb_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

func TestSiteFacts(t *testing.T) {
	eachEngine(t, func(f fixture) {
		for name, value := range map[string]string{
			"home": "https://example.org", "siteurl": "https://example.org/wp", "posts_per_page": "12",
			"use_smilies": "1", "use_balanceTags": "0", "page_on_front": "7", "wp_page_for_privacy_policy": "3",
			"active_plugins":                `a:2:{i:0;s:7:"a/a.php";i:3;s:7:"b/b.php";}`,
			"tribe_events_calendar_options": `a:1:{s:10:"eventsSlug";s:5:"akce!";}`,
			"tec_ct1_migration_state":       `a:1:{s:5:"phase";s:22:"migration-not-required";}`,
			"wp_user_roles":                 `a:1:{s:6:"editor";a:0:{}}`,
			"auth_key":                      "pepper",
		} {
			f.Option(name, value)
		}
		queries := 4
		if f.db.Dialect().Embedded() { // which has one character set, and looks for no index
			queries = 2
		}
		f.queries(queries, func(ctx context.Context) {
			facts, err := f.Options.SiteFacts(ctx)
			f.OK(err)
			if len(facts.Charsets) > 0 {
				f.t.Errorf("character sets: %v", facts.Charsets)
			}
			if facts.Home != "https://example.org" || facts.SiteURL != "https://example.org/wp" || facts.PostsPerPage != "12" ||
				!facts.UseSmilies || facts.UseBalanceTags || facts.PageOnFront != 7 || facts.PrivacyPage != 3 ||
				!facts.Occurrences || facts.Multisite || facts.SuperAdmins != nil || facts.Raw["auth_key"] != "pepper" {
				f.t.Errorf("facts: %+v", facts)
			}
			if !slices.Equal(facts.ActivePlugins, []string{"a/a.php", "b/b.php"}) {
				f.t.Errorf("plugins: %q", facts.ActivePlugins)
			}
			if facts.Calendar.At("eventsSlug") != "akce!" {
				f.t.Errorf("calendar options: %v", facts.Calendar)
			}
			if roles, ok := facts.Roles.(*php.Array); !ok || roles.Len() != 1 {
				f.t.Errorf("roles: %v", facts.Roles)
			}
		})
	})
}

// Options that cannot be read are as good as missing.
func TestSiteFactsBroken(t *testing.T) {
	eachEngine(t, func(f fixture) {
		for _, name := range []string{"active_plugins", "tribe_events_calendar_options", "wp_user_roles", "tec_ct1_migration_state"} {
			f.Option(name, `a:2:{i:0;s:99:"cut`)
		}
		facts, err := f.Options.SiteFacts(f.t.Context())
		f.OK(err)
		if facts.ActivePlugins != nil || facts.Calendar != nil || facts.Occurrences || facts.Home != "" || facts.Calendar.At("x") != nil {
			f.t.Errorf("facts: %+v", facts)
		}
	})
}

func TestSiteFactsOccurrences(t *testing.T) {
	for phase, want := range map[string]bool{
		"migration-not-required": true, "migration-complete": true, "migration-prompt": false, "": false,
	} {
		f := newSite(t, "sqlite")
		f.Option("tec_ct1_migration_state", fmt.Sprintf(`a:1:{s:5:"phase";s:%d:"%s";}`, len(phase), phase))
		facts, err := f.Options.SiteFacts(t.Context())
		f.OK(err)
		if facts.Occurrences != want {
			t.Errorf("phase %q: %v", phase, facts.Occurrences)
		}
		if _, err := f.db.SQL().Exec("DROP TABLE wp_tec_occurrences"); err != nil {
			t.Fatal(err)
		}
		if facts, err = f.Options.SiteFacts(t.Context()); err != nil || facts.Occurrences {
			t.Errorf("without the table: %v, %v", facts.Occurrences, err)
		}
	}
}

func TestSiteFactsOfNetwork(t *testing.T) {
	f := newSite(t, "sqlite", func(cfg *sitedb.Config) { cfg.Tables.BlogID = 3 })
	if _, err := f.db.SQL().Exec("CREATE TABLE wp_sitemeta (meta_id INTEGER PRIMARY KEY, site_id INTEGER, meta_key TEXT, meta_value TEXT)"); err != nil {
		t.Fatal(err)
	}
	f.Insert("sitemeta", row{"site_id": 1, "meta_key": "site_admins", "meta_value": `a:2:{i:0;s:5:"admin";i:1;s:4:"jana";}`})
	f.Insert("sitemeta", row{"site_id": 1, "meta_key": "active_sitewide_plugins", "meta_value": `a:1:{s:7:"n/n.php";i:1;}`})
	f.Insert("sitemeta", row{"site_id": 1, "meta_key": "auth_key", "meta_value": "network"})
	f.Option("auth_key", "site")
	f.Option("wp_3_user_roles", `a:0:{}`)
	f.queries(3, func(ctx context.Context) {
		facts, err := f.Options.SiteFacts(ctx)
		f.OK(err)
		if !facts.Multisite || !slices.Equal(facts.SuperAdmins, []string{"admin", "jana"}) || facts.Roles == nil ||
			!slices.Equal(facts.ActivePlugins, []string{"n/n.php"}) || facts.Raw["auth_key"] != "network" {
			t.Errorf("facts: %+v", facts)
		}
	})
}

func TestSiteFactsOfDumps(t *testing.T) {
	for _, site := range []string{"mono", "poly", "wpml"} {
		home := wptest.Info(t, site).Home
		onEngines(t, site, func(t *testing.T, db *sitedb.DB) {
			facts, err := db.Session(nil).Options.SiteFacts(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			calendar := func(plugin string) bool { return strings.HasPrefix(plugin, "the-events-calendar/") }
			roles, _ := facts.Roles.(*php.Array)
			if facts.Home != home || facts.SiteURL != home || !facts.Occurrences || facts.Multisite ||
				facts.Calendar.Len() == 0 || roles.Len() < 5 || !slices.ContainsFunc(facts.ActivePlugins, calendar) ||
				facts.TimezoneString != "Europe/Prague" || facts.DBVersion == "" {
				t.Errorf("facts: %+v", facts)
			}
		})
	}
}
