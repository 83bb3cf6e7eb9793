package jsontree

import (
	"slices"
	"testing"
)

func TestWith(t *testing.T) {
	for _, c := range []struct {
		text string
		drop []bool
		want string
	}{
		{`{"a": 1, "b": 2}`, nil, `{"a": x, "b": x}`},
		{`{"a": 1, "b": 2}`, []bool{true, false}, `{ "b": x}`},
		{`{"a": 1, "b": 2}`, []bool{false, true}, `{"a": x}`},
		{"[ 1 ,\n 2 ,3]", []bool{false, true, false}, "[ x ,x]"},
		{`[1]`, []bool{true}, `[]`},
	} {
		root := parse(t, c.text)
		texts := slices.Repeat([]string{"x"}, len(root.Items))
		if got := root.With(texts, c.drop); got != c.want {
			t.Errorf("%s without %v: %s, want %s", c.text, c.drop, got, c.want)
		}
	}
}

func TestAroundAndSteps(t *testing.T) {
	root := parse(t, ` {"l":[true,"a\u0062",5]}`)
	list := root.Member("l")
	if before, after := list.Around(); before != ` {"l":` || after != "}" {
		t.Errorf("%q and %q", before, after)
	}
	if got := list.Step(root.Step(nil, 0), 2).String(); got != "$.l[2]" {
		t.Errorf("path %s", got)
	}
	if got := Texts(list); !slices.Equal(got, []string{"true", "ab", "5"}) || Texts(root) != nil {
		t.Errorf("texts %q", got)
	}
	count := 0
	root.Walk(func(*Node) { count++ })
	(*Node)(nil).Walk(func(*Node) { count++ })
	if count != 5 || (*Node)(nil).Is(Object) || !list.Is(Array) {
		t.Errorf("%d nodes", count)
	}
}
