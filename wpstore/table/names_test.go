package table

import (
	"strings"
	"testing"
)

func TestTableNames(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want map[string]string
	}{
		{Config{Prefix: "wp_"}, map[string]string{"posts": "wp_posts", "users": "wp_users"}},
		{Config{Prefix: "wp_", BlogID: 1}, map[string]string{"posts": "wp_posts"}},
		{Config{Prefix: "wp_", BlogID: 3}, map[string]string{"posts": "wp_3_posts", "users": "wp_users", "usermeta": "wp_usermeta", "sitemeta": "wp_sitemeta", "tec_occurrences": "wp_3_tec_occurrences"}},
		{Config{CustomUsers: "people", CustomUserMeta: "people_meta"}, map[string]string{"posts": "posts", "users": "people", "usermeta": "people_meta"}},
	} {
		names, err := New(c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		for table, want := range c.want {
			if got := names.Plain(table); got != want {
				t.Errorf("%s of %+v is %s, want %s", table, c.cfg, got, want)
			}
			if got := names.Quoted(table); got != "`"+want+"`" {
				t.Errorf("%s of %+v is quoted as %s", table, c.cfg, got)
			}
		}
	}
	for blog, want := range map[int64]string{0: "wp_", 1: "wp_", 3: "wp_3_"} {
		if names, err := New(Config{Prefix: "wp_", BlogID: blog}); err != nil || names.Prefix() != want {
			t.Errorf("the prefix of site %d is %s, %v", blog, names.Prefix(), err)
		}
	}
	for _, cfg := range []Config{{Prefix: "wp_\n"}, {Prefix: "wp-"}, {Prefix: "wp`; DROP"}, {Prefix: strings.Repeat("x", 65)}, {BlogID: -1}, {CustomUsers: "a b"}} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%+v is taken", cfg)
		}
	}
}

// TestShort checks which tables belong to which site of a network.
func TestShort(t *testing.T) {
	main, third, single := Config{Prefix: "wp_", Network: true}, Config{Prefix: "wp_", BlogID: 3}, Config{Prefix: "wp_"}
	for _, c := range []struct {
		name     string
		of       Config
		physical string
		want     string
		foreign  bool
	}{
		{"the main site's own", main, "wp_posts", "posts", false},
		{"a plugin's on the main site", main, "wp_plugin", "plugin", false},
		{"another site's", main, "wp_5_posts", "posts", true},
		{"another site's of a plugin", main, "wp_12_plugin_2", "plugin_2", true},
		{"the number 1, which WordPress never writes", main, "wp_1_plugin", "1_plugin", false},
		{"a number with a zero in front", main, "wp_05_plugin", "05_plugin", false},
		{"a number alone", main, "wp_2024", "2024", false},
		{"another program's", main, "forum_5_posts", "forum_5_posts", false},
		{"a name that the server has lowered", Config{Prefix: "WP_", Network: true}, "wp_5_posts", "posts", true},
		{"a site's own", third, "wp_3_plugin", "plugin", false},
		{"another site's beside it", third, "wp_33_plugin", "plugin", true},
		{"the main site's posts", third, "wp_posts", "posts", true},
		{"the main site's comments", third, "wp_comments", "comments", true},
		{"a table that a plugin may have for all sites", third, "wp_plugin", "plugin", false},
		{"the network's own", third, "wp_signups", "signups", false},
		{"a number without a network", single, "wp_5_posts", "5_posts", false},
		{"no prefix", Config{Network: true}, "5_posts", "posts", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			names, err := New(c.of)
			if err != nil {
				t.Fatal(err)
			}
			if got, foreign := names.Short(c.physical); got != c.want || foreign != c.foreign {
				t.Errorf("%s is %s, foreign %t; want %s, %t", c.physical, got, foreign, c.want, c.foreign)
			}
		})
	}
}
