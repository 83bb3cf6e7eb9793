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
	"calbridge/wpstore/sqlconn/dialect"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wpml"
	"calbridge/wpstore/wptest"
)

// TestEveryFieldSelects changes each field of a query, also those inside, one at a time:
// another statement selects the events. A forgotten field of any kind fails, as all have a value.
func TestEveryFieldSelects(t *testing.T) {
	servers, err := sqlconn.Open(t.Context(), sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:")}, nil)
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
		return fmt.Sprint(text, args, err) // a filter of another name is unknown
	}
	used := map[string]bool{
		"Language.Terms":  true, // for queries of terms
		"Language.Plugin": true, // other values than the two below are no plugins
	}
	// What one query has no use for, another has: the texts must mean something, a plugin reads
	// its own fields, and of two orders only one counts.
	for _, language := range []wpstore.InLanguage{{Plugin: i18n.WPML, Code: "cs", Also: "en"}, {Plugin: i18n.Polylang, Posts: 1}} {
		for _, order := range []wpstore.EventOrder{{}, {ByDuration: true}} {
			base := func() *wpstore.EventQuery {
				q := filled(t)
				q.Language, q.Order, q.Hidden = language, order, false
				q.Bounds = []wpstore.Bound{{Op: ">=", Value: "2026-12-01 00:00:00"}}
				q.Tickets.Providers = []wpstore.TicketProvider{"rsvp"}
				q.Filters[0].Name = wpstore.FilterIDs
				return q
			}
			before := statement(base())
			for _, p := range places(reflect.ValueOf(base()).Elem(), "") {
				q := base()
				switch v := p.in(q); v.Kind() {
				case reflect.Struct:
					continue
				case reflect.Pointer, reflect.Slice:
					v.SetZero()
				default:
					change(v)
				}
				used[p.name] = used[p.name] || statement(q) != before
			}
		}
	}
	for name, is := range used {
		if !is {
			t.Errorf("the statement ignores wpstore.EventQuery.%s: give it a condition in select.go", name)
		}
	}
}

// TestFiltersSelect: each filter of the table selects other events than its absence and its
// opposite, and one without a row fails.
func TestFiltersSelect(t *testing.T) {
	d := dialect.MariaDB{}
	tables, err := table.New(table.Config{Prefix: "wp_"})
	if err != nil {
		t.Fatal(err)
	}
	s := selector{d, tables, langplugin.Plugins{wpml.New(tables, d)}}
	seen := map[string]string{}
	note := func(what string, filters ...wpstore.EventFilter) {
		text, args, err := s.eventCount(wpstore.EventQuery{Filters: filters}).ToSql()
		statement := fmt.Sprint(text, args)
		if old, same := seen[statement]; same || err != nil {
			t.Errorf("%s selects what %q selects, %v", what, old, err)
		}
		seen[statement] = what
	}
	note("no filter")
	for name := range s.filters("p.ID") {
		note(name, wpstore.EventFilter{Name: name, IDs: []int64{1}})
		note("not "+name, wpstore.EventFilter{Name: name, IDs: []int64{1}, Lacks: true})
	}
	if _, _, err := s.eventCount(wpstore.EventQuery{Filters: []wpstore.EventFilter{{Name: "unknown"}}}).ToSql(); err == nil {
		t.Error("an unknown filter selects something")
	}
}
