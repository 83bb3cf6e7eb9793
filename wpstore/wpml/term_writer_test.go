package wpml

import (
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/phpserial"
)

func TestWithChild(t *testing.T) {
	const stored = `a:1:{i:3;a:2:{i:0;s:1:"4";i:1;s:1:"5";}}`
	for _, c := range []struct {
		name   string
		change langplugin.ChildChange
		want   string
	}{
		{"new under a known parent", langplugin.ChildChange{Term: wpstore.Term{ID: 9, Parent: 3}, Made: true},
			`a:1:{i:3;a:3:{i:0;s:1:"4";i:1;s:1:"5";i:2;s:1:"9";}}`},
		{"new under another", langplugin.ChildChange{Term: wpstore.Term{ID: 9, Parent: 4}, Made: true},
			`a:2:{i:3;a:2:{i:0;s:1:"4";i:1;s:1:"5";}i:4;a:1:{i:0;s:1:"9";}}`},
		{"moved", langplugin.ChildChange{Term: wpstore.Term{ID: 5, Parent: 4}, OldParent: 3},
			`a:2:{i:3;a:1:{i:0;s:1:"4";}i:4;a:1:{i:0;s:1:"5";}}`},
		{"moved to the top", langplugin.ChildChange{Term: wpstore.Term{ID: 5}, OldParent: 3}, `a:1:{i:3;a:1:{i:0;s:1:"4";}}`},
	} {
		if got := phpserial.Serialize(withChild(phpserial.Array(stored), c.change)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if got := phpserial.Serialize(withChild(nil, langplugin.ChildChange{Term: wpstore.Term{ID: 9, Parent: 3}})); got != `a:1:{i:3;a:1:{i:0;s:1:"9";}}` {
		t.Errorf("without an option: %s", got)
	}
}
