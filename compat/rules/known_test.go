package rules_test

import (
	"strings"
	"testing"
	"time"

	"calbridge/compat/compattest"
	"calbridge/compat/diff"
	"calbridge/compat/rules"
)

// TestSettle checks that a known difference gets its number where it occurs. Where it must
// occur and does not, its absence is a difference.
func TestSettle(t *testing.T) {
	set, err := rules.Compile(&rules.File{Known: []rules.Known{
		{Number: 1, IDs: []string{"a", "b"}, Where: "$.events[*].cost", Reason: "issue 1"},
		{Number: 2, Match: &rules.Match{Method: "GET"}, Where: "status", Reason: "issue 2"},
		{Number: 3, IDs: []string{"a"}, Where: "$.cost", Reason: "over", Expires: "2026-01-31"},
		{Number: 4, Match: &rules.Match{As: "jana"}, Reason: "issue 4"},
		{Number: 5, Match: &rules.Match{ID: "^[ab]$"}, Where: "X-Total", Reason: "issue 5"},
	}}, time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	a := compattest.Exchange("a", "GET", "/", "{}")
	settled := set.Settle(a, []diff.Difference{
		{Part: diff.PartBody, Where: "$.events[3].cost"}, {Part: diff.PartStatus}, {Part: diff.PartHeaders, Where: "x-total"}, {Part: diff.PartBody, Where: "$.cost"},
	})
	var numbers []int
	for _, d := range settled {
		numbers = append(numbers, d.Known)
	}
	if len(numbers) != 4 || numbers[0] != 1 || numbers[1] != 2 || numbers[2] != 5 || numbers[3] != 0 {
		t.Errorf("numbers %v", numbers)
	}
	b := compattest.Exchange("b", "POST", "/", "{}")
	if settled = set.Settle(b, nil); len(settled) != 1 || settled[0].Part != diff.PartKnown || settled[0].Where != "1" {
		t.Errorf("an absent difference gives %v", settled)
	}
	marked := []diff.Difference{{Part: diff.PartStatus}}
	if set.Mark(a, marked); marked[0].Known != 2 {
		t.Errorf("marked %v", marked)
	}
	c := set.Conclude(true, true)
	var uses []string
	for _, use := range c.KnownUses {
		uses = append(uses, use.String())
	}
	for i, want := range []string{"seen once, absent once", "seen once, absent 0 times", "expired, not applied", "seen 0 times, absent 0 times", "seen once, absent once"} {
		if !strings.HasSuffix(uses[i], want) {
			t.Errorf("%s, want %s", uses[i], want)
		}
	}
	if len(c.Failures) != 2 || !strings.Contains(c.Failures[0], "difference 3") || !strings.Contains(c.Failures[1], "difference 4") {
		t.Errorf("failures %q", c.Failures)
	}
	if failures := set.Conclude(false, true).Failures; len(failures) != 0 {
		t.Errorf("failures without strict %q", failures)
	}
}
