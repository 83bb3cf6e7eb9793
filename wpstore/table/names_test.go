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
