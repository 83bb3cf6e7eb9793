package verdict

import (
	"encoding/json"
	"testing"
	"time"

	"calbridge/compat/compattest"
	"calbridge/compat/diff"
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"calbridge/compat/rules"
)

func FuzzRules(f *testing.F) {
	f.Add(`{"a":[{"id":47,"d":"2026-11-21 12:00:00"}]}`, `{"a":[{"id":1047}],"m":1}`, "$..id")
	f.Add(`[1,2]`, `[2,1,3]`, "$")
	f.Fuzz(func(t *testing.T, recorded, got, path string) {
		file := &rules.File{}
		for _, kind := range []rules.Kind{rules.Ignore, rules.Sort, rules.Tolerance, rules.Shift, rules.Replace, rules.IDs} {
			file.Rules = append(file.Rules, rules.Rule{Kind: kind, Path: path, Reason: "x", From: "a", To: "b", IDs: map[string]string{"47": "1047"}, Tolerance: 1})
		}
		set, err := rules.Compile(file, time.Time{})
		if err != nil {
			return
		}
		x := compattest.Exchange("a", "GET", "/", recorded)
		for _, level := range diff.Levels() {
			if _, err := (Differ{Level: level, Rules: set}).Diff(x, x.Response, recording.Response{Status: 200, Headers: x.Response.Headers, Body: got}, false); err != nil {
				t.Fatal(err)
			}
		}
		want, errWant := jsontree.Parse(recorded)
		other, errGot := jsontree.Parse(got)
		if errWant == nil && errGot == nil {
			left, right := set.For(x).Reconcile(want, other)
			if !json.Valid([]byte(left.Raw())) || !json.Valid([]byte(right.Raw())) {
				t.Errorf("no JSON: %s and %s", left.Raw(), right.Raw())
			}
		}
	})
}
