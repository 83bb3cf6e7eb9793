package rowtags_test

import (
	"slices"
	"testing"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/changefeed/rowtags"
)

// TestHides checks which changes of rows may hide something from somebody.
func TestHides(t *testing.T) {
	number := func(n int64) binlog.Value { return binlog.Value{Kind: binlog.Integer, Int: n} }
	text := func(s string) binlog.Value { return binlog.Value{Kind: binlog.Bytes, Bytes: []byte(s)} }
	absent := binlog.Value{Kind: binlog.Absent}
	post := func(status, password binlog.Value) rowtags.Row {
		return rowtags.Row{number(7), text("page"), status, password, number(7)}
	}
	meta := func(key string) rowtags.Row { return rowtags.Row{number(5), text(key), number(50)} }
	term := rowtags.Row{number(3), number(3), number(3), number(3)}
	for _, c := range []struct {
		name, table string
		action      binlog.Action
		change      []rowtags.Row
		want        bool
	}{
		{"a new post", "posts", binlog.Insert, []rowtags.Row{post(text("publish"), text(""))}, false},
		{"another title", "posts", binlog.Update, []rowtags.Row{post(text("publish"), text("")), post(text("publish"), text(""))}, false},
		{"unpublished", "posts", binlog.Update, []rowtags.Row{post(text("publish"), text("")), post(text("draft"), text(""))}, true},
		{"protected", "posts", binlog.Update, []rowtags.Row{post(text("publish"), text("")), post(text("publish"), text("x"))}, true},
		{"a short image of another title", "posts", binlog.Update, []rowtags.Row{post(absent, absent), post(absent, absent)}, false},
		{"a short image of another status", "posts", binlog.Update, []rowtags.Row{post(absent, absent), post(text("draft"), absent)}, true},
		{"a deleted post", "posts", binlog.Delete, []rowtags.Row{post(text("publish"), text(""))}, true},
		{"a changed term", "terms", binlog.Update, []rowtags.Row{term, term}, false},
		{"a deleted term", "terms", binlog.Delete, []rowtags.Row{term}, true},
		{"a term removed from a post", "term_relationships", binlog.Delete, []rowtags.Row{term}, true},
		{"a deleted user", "users", binlog.Delete, []rowtags.Row{{number(5), number(5)}}, true},
		{"a login", "usermeta", binlog.Update, []rowtags.Row{meta("session_tokens"), meta("session_tokens")}, false},
		{"another role", "usermeta", binlog.Update, []rowtags.Row{meta("wp_capabilities"), meta("wp_capabilities")}, true},
		{"a removed role", "usermeta", binlog.Delete, []rowtags.Row{meta("wp_2_capabilities")}, true},
		{"a short image of metadata", "usermeta", binlog.Update, []rowtags.Row{{absent, absent, number(50)}, {absent, absent, absent}}, true},
		{"deleted metadata", "postmeta", binlog.Delete, []rowtags.Row{{number(7), text("_a"), number(70)}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			tables := rowtags.WordPress{}.Tables()
			table := tables[slices.IndexFunc(tables, func(t rowtags.Table) bool { return t.Name == c.table })]
			changes := rowtags.NewChanges()
			table.NoteRow(&changes, c.action, c.change)
			if changes.Hides() != c.want {
				t.Errorf("%t", changes.Hides())
			}
			merged := rowtags.NewChanges()
			merged.Merge(&changes)
			if merged.Hides() != c.want {
				t.Errorf("merged: %t", merged.Hides())
			}
		})
	}
}
