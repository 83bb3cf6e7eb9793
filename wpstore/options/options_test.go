package options_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/options"
	"calbridge/wpstore/php"
	"calbridge/wpstore/wpml"
	"calbridge/wpstore/wptest/rowtest"
)

func newStore(s *rowtest.Site) options.Store { return options.New(s.Run, s.Tables, nil, false) }

func TestOptions(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		s.Option("home", "https://example.org")
		s.Option("gmt_offset", "")
		store := newStore(s)
		for _, c := range []struct {
			name, statements string
			names            []string
			want             map[string]string
		}{
			{"some", "options.read", []string{"home", "gmt_offset", "blogname", "x' OR 1=1 -- "}, map[string]string{"home": "https://example.org", "gmt_offset": ""}},
			// As in WordPress, the collation decides which row a name finds.
			{"other case", "options.read", []string{"HOME"}, map[string]string{"HOME": "https://example.org"}},
			{"missing", "options.read", []string{"blogname"}, map[string]string{}},
			{"none", "", nil, map[string]string{}},
		} {
			t.Run(c.name, func(t *testing.T) {
				s.Runs(c.statements, func(ctx context.Context) {
					if got, err := store.Options(ctx, c.names); err != nil || got == nil || !maps.Equal(got, c.want) {
						t.Errorf("%v, want %v: %v", got, c.want, err)
					}
				})
			})
		}
	})
}

func TestSiteFacts(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		for name, value := range map[string]string{
			"home": "https://example.org", "siteurl": "https://example.org/wp", "posts_per_page": "12",
			"use_smilies": "1", "use_balanceTags": "0", "page_on_front": "7", "wp_page_for_privacy_policy": "3",
			"active_plugins":                `a:2:{i:0;s:7:"a/a.php";i:3;s:7:"b/b.php";}`,
			"tribe_events_calendar_options": `a:1:{s:10:"eventsSlug";s:5:"akce!";}`,
			"tec_ct1_migration_state":       `a:1:{s:5:"phase";s:22:"migration-not-required";}`,
			"wp_user_roles":                 `a:1:{s:6:"editor";a:0:{}}`,
			"auth_key":                      "pepper",
		} {
			s.Option(name, value)
		}
		statements := "options.read site.tables site.indexes site.charsets"
		if s.Servers.Dialect().Embedded() { // which has one character set, and looks for no index
			statements = "options.read site.tables"
		}
		store := newStore(s)
		s.Runs(statements, func(ctx context.Context) {
			facts, err := store.SiteFacts(ctx)
			s.OK(err)
			if len(facts.Charsets) > 0 {
				t.Errorf("character sets: %v", facts.Charsets)
			}
			if facts.Home != "https://example.org" || facts.SiteURL != "https://example.org/wp" || facts.PostsPerPage != "12" ||
				!facts.UseSmilies || facts.UseBalanceTags || facts.PageOnFront != 7 || facts.PrivacyPage != 3 ||
				!facts.Occurrences || facts.Multisite || facts.SuperAdmins != nil || facts.Raw["auth_key"] != "pepper" {
				t.Errorf("facts: %+v", facts)
			}
			if !slices.Equal(facts.ActivePlugins, []string{"a/a.php", "b/b.php"}) {
				t.Errorf("plugins: %q", facts.ActivePlugins)
			}
			if facts.Calendar.At("eventsSlug") != "akce!" {
				t.Errorf("calendar options: %v", facts.Calendar)
			}
			if roles, ok := facts.Roles.(*php.Array); !ok || roles.Len() != 1 {
				t.Errorf("roles: %v", facts.Roles)
			}
		})
		off := options.New(s.Run, s.Tables, nil, true)
		if facts, err := off.SiteFacts(t.Context()); err != nil || facts.Occurrences {
			t.Errorf("with the calendar's tables off: %v, %v", facts.Occurrences, err)
		}
	})
}

// TestSiteFactsBroken: options that cannot be read are as good as missing.
func TestSiteFactsBroken(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		for _, name := range []string{"active_plugins", "tribe_events_calendar_options", "wp_user_roles", "tec_ct1_migration_state"} {
			s.Option(name, `a:2:{i:0;s:99:"cut`)
		}
		store := newStore(s)
		facts, err := store.SiteFacts(t.Context())
		s.OK(err)
		if facts.ActivePlugins != nil || facts.Calendar != nil || facts.Occurrences || facts.Home != "" || facts.Calendar.At("x") != nil {
			t.Errorf("facts: %+v", facts)
		}
	})
}

// TestOccurrences: the occurrence tables have the dates after the migration, if they exist.
func TestOccurrences(t *testing.T) {
	for phase, want := range map[string]bool{
		"migration-not-required": true, "migration-complete": true, "migration-prompt": false, "": false,
	} {
		t.Run(phase, func(t *testing.T) {
			s := rowtest.NewSite(t, "sqlite")
			s.Option("tec_ct1_migration_state", fmt.Sprintf(`a:1:{s:5:"phase";s:%d:"%s";}`, len(phase), phase))
			store := newStore(s)
			facts, err := store.SiteFacts(t.Context())
			s.OK(err)
			if facts.Occurrences != want {
				t.Errorf("%v, want %v", facts.Occurrences, want)
			}
			s.Exec("DROP TABLE wp_tec_occurrences")
			if facts, err = store.SiteFacts(t.Context()); err != nil || facts.Occurrences {
				t.Errorf("without the table: %v, %v", facts.Occurrences, err)
			}
		})
	}
}

// TestNetwork: the network's keys replace the site's, and its plugins are active besides.
func TestNetwork(t *testing.T) {
	s := rowtest.NewSite(t, "sqlite")
	s.Exec("CREATE TABLE wp_sitemeta (meta_id INTEGER PRIMARY KEY, site_id INTEGER, meta_key TEXT, meta_value TEXT)")
	for _, r := range []rowtest.Row{
		{"site_id": 2, "meta_key": "auth_key", "meta_value": "another network"},
		{"site_id": 1, "meta_key": "site_admins", "meta_value": `a:2:{i:0;s:5:"admin";i:1;s:4:"jana";}`},
		{"site_id": 1, "meta_key": "active_sitewide_plugins", "meta_value": `a:1:{s:7:"n/n.php";i:1;}`},
		{"site_id": 1, "meta_key": "auth_key", "meta_value": "network"},
		{"site_id": 1, "meta_key": "WPLANG", "meta_value": nil},
	} {
		s.Insert("sitemeta", r)
	}
	s.Option("auth_key", "site")
	s.Option("wp_user_roles", `a:0:{}`)
	store := newStore(s)
	s.Runs("options.read site.tables options.read_network", func(ctx context.Context) {
		facts, err := store.SiteFacts(ctx)
		s.OK(err)
		if !facts.Multisite || !slices.Equal(facts.SuperAdmins, []string{"admin", "jana"}) || facts.Roles == nil ||
			!slices.Equal(facts.ActivePlugins, []string{"n/n.php"}) || facts.Raw["auth_key"] != "network" || facts.WPLang != "" {
			t.Errorf("facts: %+v", facts)
		}
	})
}

func TestExisting(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		store := newStore(s)
		s.Runs("site.tables", func(ctx context.Context) {
			got, err := store.Existing(ctx, "posts", "tec_events", "sitemeta", "x' OR 1=1 -- ")
			if err != nil || !maps.Equal(got, map[string]bool{"posts": true, "tec_events": true}) {
				t.Errorf("%v, %v", got, err)
			}
		})
	})
}

// TestCharsets: columns of utf8mb4 are not among them, nor are those of tables that nothing is
// written to, and those of other tables are, also if a known column is missing.
func TestCharsets(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		if s.Servers.Dialect().Embedded() {
			store := newStore(s)
			if facts, err := store.SiteFacts(t.Context()); err != nil || len(facts.Charsets) > 0 {
				t.Errorf("%v: %v", facts.Charsets, err)
			}
			return
		}
		want := map[string]string{"posts.post_title": "latin1", "usermeta.meta_key": "ascii"}
		s.Exec("ALTER TABLE wp_posts MODIFY post_title text CHARACTER SET latin1 NOT NULL, MODIFY guid varbinary(255)")
		s.Exec("ALTER TABLE wp_users MODIFY display_name varchar(250) CHARACTER SET latin1 NOT NULL")
		s.Exec("ALTER TABLE wp_usermeta MODIFY meta_key varchar(255) CHARACTER SET ascii")
		check := func(name string) {
			t.Run(name, func(t *testing.T) {
				store := options.New(s.Run, s.Tables, langplugin.Plugins{wpml.New(s.Tables, s.Servers.Dialect())}, false)
				if facts, err := store.SiteFacts(t.Context()); err != nil || !maps.Equal(facts.Charsets, want) {
					t.Errorf("%v, want %v: %v", facts.Charsets, want, err)
				}
			})
		}
		check("known columns")
		s.Exec("ALTER TABLE wp_icl_translate MODIFY field_type varchar(128) CHARACTER SET latin1")
		want["icl_translate.field_type"] = "latin1"
		check("tables of a plugin")
		s.Exec("ALTER TABLE wp_commentmeta DROP COLUMN meta_value")
		check("a missing column")
	})
}
