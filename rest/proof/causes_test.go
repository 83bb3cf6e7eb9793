package proof

import (
	"slices"
	"testing"
	"time"
)

// TestCauses: what has just changed is named, and what is hooked; not what changed while the
// responses were the same.
func TestCauses(t *testing.T) {
	p := newTestProver(t, false)
	p.suspects.hooked = func(fields []string) []string {
		if slices.Contains(fields, "body $.cost") {
			return []string{"plugins/shop"}
		}
		return nil
	}
	expect := func(when string, field string, want ...string) {
		t.Helper()
		p.Record(p.result("/c", Different, field))
		shapes := p.Report().Shapes
		if got := shapes[0].Difference.Causes; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
	}
	p.prove(t)
	expect("nothing has changed", "body $.title")
	expect("a hook", "body $.cost", "plugins/shop")

	p.facts = Facts{"plugins": "a b", "plugin guard/guard.php": "active", "plugins.active": "b"}
	p.code = Facts{CodeFact: "read", "code plugins/a": "1", "code plugins/shop": "1", "code hook tribe_get_cost": "1"}
	if err := p.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect("plugins were activated", "body $.title", "plugins/shop", "plugins/guard", "plugins")
	expect("one is hooked", "body $.cost", "plugins/shop", "plugins/guard", "plugins")

	p.prove(t)
	p.at = p.at.Add(time.Minute)
	expect("the same since", "body $.title")
	p.Others([]string{"guards"})
	expect("a table has changed", "body $.title", "table guards")
	p.at = p.at.Add(2 * causeTime)
	expect("long ago", "body $.title")
}
