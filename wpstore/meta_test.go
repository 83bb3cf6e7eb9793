package wpstore

import (
	"slices"
	"testing"
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
