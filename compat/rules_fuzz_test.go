package compat

import (
	"calbridge/compat/compattest"
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"encoding/json"
	"testing"
	"time"
)

func FuzzRules(f *testing.F) {
	f.Add(`{"a":[{"id":47,"d":"2026-11-21 12:00:00"}]}`, `{"a":[{"id":1047}],"m":1}`, "$..id")
	f.Add(`[1,2]`, `[2,1,3]`, "$")
	f.Fuzz(func(t *testing.T, recorded, got, path string) {
		rules := &RulesFile{}
		for _, kind := range []RuleKind{RuleIgnore, RuleSort, RuleTolerance, RuleShift, RuleReplace, RuleIDs} {
			rules.Rules = append(rules.Rules, Rule{Kind: kind, Path: path, Reason: "x", From: "a", To: "b", IDs: map[string]string{"47": "1047"}, Tolerance: 1})
		}
		set, err := compileRules(rules, time.Time{})
		if err != nil {
			return
		}
		x := compattest.Exchange("a", "GET", "/", recorded)
		for _, level := range Levels() {
			if _, err := (differ{level: level, rules: set}).diff(x, x.Response, recording.Response{Status: 200, Headers: x.Response.Headers, Body: got}, false); err != nil {
				t.Fatal(err)
			}
		}
		want, errWant := jsontree.Parse(recorded)
		other, errGot := jsontree.Parse(got)
		if errWant == nil && errGot == nil {
			left, right := set.forExchange(x).reconcile(want, other)
			if !json.Valid([]byte(left.Raw())) || !json.Valid([]byte(right.Raw())) {
				t.Errorf("no JSON: %s and %s", left.Raw(), right.Raw())
			}
		}
	})
}
