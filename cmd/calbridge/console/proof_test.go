package console

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/rest/fragment"
	"calbridge/rest/proof"
)

// TestProof checks the counts and rates by reason, that the kinds that WordPress answers come
// first, and that a page lists no more than the limit.
func TestProof(t *testing.T) {
	i := newInstance(t)
	i.sample()
	i.at = i.at.Add(10 * time.Second)
	i.sample()
	if text, _ := json.Marshal(i.latest); i.latest.Proof != nil || strings.Contains(string(text), `"proof"`) {
		t.Errorf("in another mode: %s", text)
	}
	i.answers.WithLabelValues("calbridge", "none").Add(30)
	i.answers.WithLabelValues("wordpress", string(proof.NotSeen)).Add(10)
	i.answers.WithLabelValues("wordpress", string(proof.Closed)).Add(0)
	i.report = proof.Report{
		Seen: 7, Closed: 1, Held: proof.NotFollowed, Endings: map[proof.Ending]int64{proof.EndTable: 2}, Tables: map[string]int64{"shop": 2, "stats": 9}, Harmless: []string{"stats"},
		PageCap: 50, PageCaps: []proof.PageCapRule{{Route: "/events", Entries: 100}}, Headers: []proof.HeaderRule{{Name: "X-Shop", Value: "open"}}, Varying: []string{"X-Request-Id"},
		Changed:   []string{"plugin members/guard.php"},
		Fragments: &fragment.Figures{Held: 5, Endings: map[fragment.Ending]int64{fragment.EndRows: 3}}, Volatile: []fragment.Volatile{{Objects: 2, Route: "/events", Members: []string{"asked"}}},
		Shapes: []proof.Proof{
			{Shape: proof.Shape{Route: "/events", Arguments: "page=number"}, State: proof.Proven, Natives: 5, Difference: &proof.Difference{Fields: []string{"long ago"}, Causes: []string{"plugins/gone"}}},
			{Shape: proof.Shape{Route: "/venues"}, State: proof.Differing, Differences: 2, Difference: &proof.Difference{Fields: []string{"body venues[].city"}, Causes: []string{"plugins/members", "table guards"}}},
		},
	}
	for n := range maxKinds {
		i.report.Shapes = append(i.report.Shapes, proof.Proof{Shape: proof.Shape{Route: fmt.Sprint("/", n)}, State: proof.Proving})
	}
	i.at = i.at.Add(10 * time.Second)
	i.sample()
	p := i.latest.Proof
	if p == nil || p.Native != .75 || p.Held == "" || p.More != 2 || len(p.Kinds) != maxKinds || p.Seen != 7 || p.Closed != 1 {
		t.Fatalf("%+v", p)
	}
	if len(p.Answers) != 2 || p.Answers[0] != (Answers{By: "calbridge", PerSecond: 3, Total: 30}) || p.Answers[1].PerSecond != 1 || !strings.Contains(p.Answers[1].Why, "seen") {
		t.Errorf("answers: %+v", p.Answers)
	}
	if k := p.Kinds[0]; k.Route != "/venues" || !slices.Equal(k.Fields, []string{"body venues[].city"}) || !slices.Equal(k.Causes, []string{"plugins/members", "table guards"}) {
		t.Errorf("first: %+v", k)
	}
	if !slices.Contains(p.States, Named{"proving", maxKinds}) || !slices.Contains(p.Endings, Named{"table", 2}) || !slices.Contains(p.Endings, Named{"a change of shop", 2}) ||
		!slices.Contains(p.Endings, Named{"a change of stats, which is probably harmless: see --harmless-tables", 9}) {
		t.Errorf("%+v %+v", p.States, p.Endings)
	}
	if !slices.Contains(p.Endings, Named{"an object of WordPress: rows", 3}) || !slices.Contains(p.Endings, Named{"varies by itself: asked in /events", 2}) || p.Fragments == nil || p.Fragments.Held != 5 {
		t.Errorf("%+v %+v", p.Endings, p.Fragments)
	}
	rules := []Rule{{"largest page", "/events", 100}, {"header that WordPress always sends", "X-Shop", 0}, {"header that varies, and is left out", "X-Request-Id", 0}}
	if !slices.Equal(p.Rules, rules) || p.PageCap != 50 || !slices.Equal(p.Changed, i.report.Changed) {
		t.Errorf("%+v, pages up to %d, changed %v", p.Rules, p.PageCap, p.Changed)
	}
	if text, _ := json.Marshal(p); strings.Contains(string(text), "open") {
		t.Errorf("a header's value: %s", text)
	}
	i.report.Shapes = i.report.Shapes[:1]
	i.at = i.at.Add(10 * time.Second)
	i.sample()
	if k := i.latest.Proof.Kinds[0]; len(k.Fields)+len(k.Causes) != 0 {
		t.Errorf("a proven kind differs in %q because of %q", k.Fields, k.Causes)
	}
}

// TestPageSize checks that the page is at most 100 KB.
func TestPageSize(t *testing.T) {
	var size int64
	err := fs.WalkDir(page, ".", func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		size += info.Size()
		return err
	})
	if err != nil || size == 0 || size > 100_000 {
		t.Errorf("%d bytes: %v", size, err)
	}
}
