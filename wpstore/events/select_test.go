package events

import (
	"fmt"
	"reflect"
	"testing"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/polylang"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wpml"
)

// TestEveryFieldSelects changes each field of a query, also those inside, one at a
// time: another statement selects the events.
func TestEveryFieldSelects(t *testing.T) {
	servers, err := sqlconn.Open(t.Context(), sqlconn.Config{DSN: "sqlite::memory:"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer servers.Close()
	tables, err := table.New(table.Config{Prefix: "wp_"})
	if err != nil {
		t.Fatal(err)
	}
	d := servers.Dialect()
	s := selector{d, tables, langplugin.Plugins{wpml.New(tables, d), polylang.New(tables, d)}}
	statement := func(q *wpstore.EventQuery) string {
		text, args, err := s.eventPage(*q, nil).ToSql()
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(text, args)
	}
	full := func(language wpstore.InLanguage) *wpstore.EventQuery {
		yes, parent := true, int64(3)
		return &wpstore.EventQuery{
			Statuses: []string{"a"}, Own: &wpstore.Own{Author: 1, Statuses: []string{"c"}},
			Bounds:    []wpstore.Bound{{Op: ">=", Value: "2026-12-01 00:00:00"}},
			Search:    []wpstore.SearchTerm{{Text: "s", Exclude: true}},
			Passwords: []string{"p"}, UnlockedFor: 7, Categories: []int64{1}, Tags: []int64{2}, Venues: []int64{3}, Organizers: []int64{4}, EventIDs: wpstore.EventIDs{Include: []int64{5}, Exclude: []int64{6}},
			EventMarks: wpstore.EventMarks{Featured: &yes, Tickets: &wpstore.TicketFilter{Providers: []wpstore.TicketProvider{"rsvp"}}}, Parent: &parent, Language: language, Limit: 1, Offset: 1,
		}
	}
	// What one language plugin has no use for, the other has; this is for queries of terms.
	used := map[string]bool{"Language.Terms": true}
	kind := reflect.TypeFor[wpstore.EventQuery]()
	for _, language := range []wpstore.InLanguage{{Plugin: i18n.WPML, Code: "cs", Also: "en"}, {Plugin: i18n.Polylang, Posts: 1}} {
		before := statement(full(language))
		for i := range kind.NumField() {
			for k := range leaves(reflect.ValueOf(full(language)).Elem().Field(i)) {
				q := full(language)
				change(leaves(reflect.ValueOf(q).Elem().Field(i))[k])
				name := kind.Field(i).Name
				if inner := kind.Field(i).Type; inner.Kind() == reflect.Struct {
					name += "." + inner.Field(min(k, inner.NumField()-1)).Name // the last has several
				}
				used[name] = used[name] || statement(q) != before
			}
		}
	}
	for name, is := range used {
		if !is {
			t.Errorf("the statement ignores wpstore.EventQuery.%s: give it a condition in select.go", name)
		}
	}
}
