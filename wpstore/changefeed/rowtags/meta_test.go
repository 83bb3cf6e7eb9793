package rowtags_test

import (
	"slices"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/binlog"
	"calbridge/wpstore/changefeed/rowtags"
)

// TestHarmlessMeta checks which changes of metadata invalidate nothing: those of keys that are declared
// harmless, and that no response of calbridge depends on.
func TestHarmlessMeta(t *testing.T) {
	w := rowtags.WordPress{Tickets: []string{"_stock"}, Harmless: func(name string) bool { return name != "postmeta:guard" }}
	tables := w.Tables()
	meta := tables[slices.IndexFunc(tables, func(t rowtags.Table) bool { return t.Name == "postmeta" })]
	row := func(key string) rowtags.Row {
		return rowtags.Row{{Kind: binlog.Integer, Int: 7}, {Kind: binlog.Bytes, Bytes: []byte(key)}}
	}
	for _, c := range []struct {
		name   string
		change []rowtags.Row
		quiet  bool
		others []string
	}{
		{"a counter", []rowtags.Row{row("views"), row("views")}, true, []string{"postmeta:views"}},
		{"another key", []rowtags.Row{row("guard")}, false, []string{"postmeta:guard"}},
		{"a key that gets another name", []rowtags.Row{row("views"), row("guard")}, false, []string{"postmeta:guard", "postmeta:views"}},
		{"a key of the calendar", []rowtags.Row{row("_EventCost")}, false, nil},
		{"a key of the calendar in another case", []rowtags.Row{row("_eventcost")}, false, nil},
		{"a key of the calendar for the collation", []rowtags.Row{row("_EventC\u00f6st")}, false, nil},
		{"a trailing space", []rowtags.Row{row("_EventCost ")}, false, nil},
		{"a key that becomes one of the calendar", []rowtags.Row{row("views"), row("_EventCost")}, false, []string{"postmeta:views"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			changes := rowtags.NewChanges()
			if !meta.Note(&changes, c.change) {
				t.Fatal("not understood")
			}
			if quiet := len(changes.Tags()) == 0; quiet != c.quiet || !slices.Equal(changes.Others(), c.others) {
				t.Errorf("%v, others %v", changes.Tags(), changes.Others())
			}
		})
	}
	for _, rule := range wpstore.MetaRules() {
		changes := rowtags.NewChanges()
		if meta.Note(&changes, []rowtags.Row{row(rule.Key)}); len(changes.Tags()) == 0 || len(changes.Others()) > 0 {
			t.Errorf("%s, which responses have, can be declared harmless", rule.Key)
		}
	}
}
