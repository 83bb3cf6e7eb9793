package api

import (
	"strings"
	"testing"

	"calbridge/rest/phpjson"
	"calbridge/wpstore/php"
)

func TestSplitList(t *testing.T) {
	for in, want := range map[string]string{
		`null`: `[]`, `""`: `[]`, `"0"`: `[]`, `false`: `[]`, `[]`: `[]`,
		`"1,2"`: `[1,2]`, `"1 , 2"`: `[1,2]`, `" 1,2 "`: `[1,2]`, `" a ,b "`: `[" a","b "]`, `"1,,2,"`: `[1,2]`, `","`: `[]`,
		`"a%2Cb"`: `["a","b"]`, `"a+b"`: `["a b"]`, `"1.5,2.0,1e2"`: `[1.5,2,100]`, `"007"`: `[7]`, `"0x1"`: `["0x1"]`,
		`5`: `[5]`, `5.5`: `[5.5]`, `true`: `[1]`, `[1,"2","x",""]`: `[1,2,"x"]`, `["a,b"]`: `["a,b"]`, `{"k":"3"}`: `[3]`, `[[1]]`: `[[1]]`, `[null]`: `[null]`,
		`"99999999999999999999"`: `[1.0e+20]`,
	} {
		v, err := phpjson.Decode([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(phpjson.Append(nil, php.List(SplitList(v)...))); got != want {
			t.Errorf("splitList(%s) = %s, want %s", in, got, want)
		}
	}
}

// TestListsAreBounded: a text of commas is not split beyond what is refused anyway.
func TestListsAreBounded(t *testing.T) {
	const size = 1 << 20
	for text, want := range map[string]int{strings.Repeat(",", size): 0, strings.Repeat("1,", size): MaxListItems + 1, strings.Repeat(" , x", MaxListItems): MaxListItems} {
		var got int
		perEntry := testing.AllocsPerRun(1, func() { got = len(SplitList(text)) })
		if got != want || perEntry > 2*MaxListItems+100 {
			t.Errorf("%.10q: %d entries, %g allocations", text, got, perEntry)
		}
	}
	if got := len(SplitCommas(strings.Repeat(",", size))); got != MaxListItems+1 {
		t.Errorf("%d pieces", got)
	}
}

func TestLists(t *testing.T) {
	for _, c := range []struct {
		list   *php.Array
		joined string
		empty  bool
	}{
		{php.List(), "", true}, {php.List("", int64(0), nil, "0"), ",0,,0", true}, {php.List("", "x"), ",x", false}, {Object("a", int64(1), "b", true), "1,1", false},
	} {
		if got := JoinValues(c.list); got != c.joined {
			t.Errorf("joined %q, want %q", got, c.joined)
		}
		if AllEmpty(c.list) != c.empty {
			t.Errorf("%q: all empty is %v", c.joined, !c.empty)
		}
	}
}
