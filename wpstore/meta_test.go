package wpstore

import (
	"slices"
	"testing"

	"calbridge/wpstore/php"
)

func TestMeta(t *testing.T) {
	m := NewMeta([]MetaRow{{Key: "_EventCost", Value: "10"}, {Key: "_eventcost", Value: "other"}, {Key: "_EventURL"}, {Key: "_EventCost", Value: "20"}}, Digest{1, 2})
	for _, c := range []struct {
		key   string
		first string
		all   []string
	}{
		{"_EventCost", "10", []string{"10", "20"}},
		{"_eventcost", "other", []string{"other"}}, // keys are case sensitive, as in WordPress
		{"_EventURL", "", []string{""}},
		{"_EventVenueID", "", nil},
	} {
		first, ok := m.First(c.key)
		if first != c.first || ok != (c.all != nil) || m.Has(c.key) != ok || !slices.Equal(m.All(c.key), c.all) {
			t.Errorf("%s: %q %v %q", c.key, first, ok, m.All(c.key))
		}
	}
	for value := range m.Each("_EventCost") {
		if value != "10" {
			t.Errorf("went on to %s", value)
		}
		break
	}
	changed := m.With("_EventCost", []string{"30"})
	want := []MetaRow{{Key: "_eventcost", Value: "other"}, {Key: "_EventURL"}, {Key: "_EventCost", Value: "30"}}
	if !slices.Equal(changed.Rows(), want) || changed.Digest() != (Digest{}) {
		t.Errorf("with another cost: %+v %v", changed.Rows(), changed.Digest())
	}
	if len(m.Rows()) != 4 || m.Digest() != (Digest{1, 2}) {
		t.Error("With changed the original")
	}
}

// TestMetaTypes reads values of each type that PHP stores.
func TestMetaTypes(t *testing.T) {
	for _, c := range []struct {
		name  string
		row   MetaRow
		first string
		ok    bool
		text  string
		id    int64
	}{
		{"NULL", MetaRow{Null: true}, "", false, "", 0},
		{"empty", MetaRow{Value: ""}, "", true, "", 0},
		{"zero", MetaRow{Value: "0"}, "0", true, "0", 0},
		{"text", MetaRow{Value: "12 Main St"}, "12 Main St", true, "12 Main St", 12},
		{"null", MetaRow{Value: "N;"}, "N;", true, "", 0},
		{"false", MetaRow{Value: "b:0;"}, "b:0;", true, "", 0},
		{"true", MetaRow{Value: "b:1;"}, "b:1;", true, "1", 1},
		{"integer", MetaRow{Value: "i:10;"}, "i:10;", true, "10", 10},
		{"float", MetaRow{Value: "d:2.5;"}, "d:2.5;", true, "2.5", 2},
		{"string", MetaRow{Value: `s:2:"18";`}, `s:2:"18";`, true, "18", 18},
		{"empty array", MetaRow{Value: "a:0:{}"}, "a:0:{}", true, "Array", 0},
		{"array", MetaRow{Value: "a:1:{i:0;i:10;}"}, "a:1:{i:0;i:10;}", true, "Array", 1},
		{"broken", MetaRow{Value: `s:9:"18";`}, `s:9:"18";`, true, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.row.Key = "k"
			m := NewMeta([]MetaRow{c.row, {Key: "k", Value: "later"}}, Digest{})
			if first, ok := m.First("k"); first != c.first || ok != c.ok {
				t.Errorf("First: %q %v, want %q %v", first, ok, c.first, c.ok)
			}
			if text, id := m.Text("k"), php.ToInt(m.Value("k")); text != c.text || id != c.id {
				t.Errorf("text %q, integer %d, want %q, %d", text, id, c.text, c.id)
			}
		})
	}
	if got := (Meta{}).Value("k"); got != "" {
		t.Errorf("without a row: %v", got)
	}
}
