package rowedit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"calbridge/wpstore/invalidation"
)

func TestTags(t *testing.T) {
	sets := map[string][]invalidation.Kind{}
	for _, table := range Tables() {
		sets["wp_"+table.Name] = table.Sets
	}
	tag := func(kind invalidation.Kind, id int64) string { return fmt.Sprint(invalidation.Tag{Kind: kind, ID: id}) }
	for _, c := range []struct {
		name    string
		written string
		note    func(*ChangeSet)
		changes Changes
		want    []string // nil: all cached data
	}{
		{"an option that no fact comes from", "wp_options", func(*ChangeSet) {}, Changes{Options: []string{"cron"}}, []string{}},
		{"an option of the site", "wp_options", func(*ChangeSet) {}, Changes{Options: []string{"cron", "blogname"}}, []string{tag(invalidation.Site, 0)}},
		{"a post", "wp_posts wp_postmeta", func(*ChangeSet) {}, Changes{Posts: []int64{5}}, []string{tag(invalidation.Post, 5), tag(invalidation.Posts, 0)}},
		{"a term", "wp_terms", func(*ChangeSet) {}, Changes{Terms: []int64{3}}, []string{tag(invalidation.Term, 3), tag(invalidation.Terms, 0)}},
		{"an account", "wp_comments", func(s *ChangeSet) { s.User(7) }, Changes{}, []string{tag(invalidation.User, 7)}},
		{"a post of nobody", "wp_posts", func(*ChangeSet) {}, Changes{}, nil},
		{"a table of nobody", "wp_links", func(*ChangeSet) {}, Changes{}, nil},
		{"more than is listed", "wp_terms", func(s *ChangeSet) { s.Beyond() }, Changes{Terms: []int64{3}}, nil},
	} {
		s := NewChangeSet()
		c.note(s)
		tags, known := s.Tags(c.changes, slices.Values(strings.Fields(c.written)), sets, []string{"blogname"})
		got := []string{}
		for _, tag := range tags {
			got = append(got, fmt.Sprint(tag))
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if known != (c.want != nil) || known && !slices.Equal(got, c.want) {
			t.Errorf("%s: %v %v, want %v", c.name, got, known, c.want)
		}
	}
	if !(Changes{}).Empty() || (Changes{Options: []string{"cron"}}).Empty() {
		t.Error("Empty is wrong")
	}
}
