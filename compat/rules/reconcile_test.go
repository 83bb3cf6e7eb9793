package rules_test

import (
	"encoding/json"
	"testing"
	"time"

	"calbridge/compat/compattest"
	"calbridge/compat/diff"
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/compat/rules"
)

// TestRules checks pairs of bodies that a rule makes equal, and pairs that it does not.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		name           string
		rule           rules.Rule
		recorded, got  string
		same           bool
		hits           int64
		expectedPlaces string
	}{
		{"ignore a value", rules.Rule{Kind: rules.Ignore, Path: "$.a"}, `{"a":1,"b":2}`, `{"a":5,"b":2}`, true, 1, ""},
		{"ignore is for that value only", rules.Rule{Kind: rules.Ignore, Path: "$.a"}, `{"a":1,"b":2}`, `{"a":5,"b":3}`, false, 1, "$.b"},
		{"ignore unused", rules.Rule{Kind: rules.Ignore, Path: "$.a"}, `{"a":1,"b":2}`, `{"a":1,"b":3}`, false, 0, "$.b"},
		{"ignore at any depth", rules.Rule{Kind: rules.Ignore, Path: "$..m"}, `{"l":[{"m":1},{"x":{"m":2}}]}`, `{"l":[{"m":3},{"x":{"m":4}}]}`, true, 2, ""},
		{"ignore a missing member", rules.Rule{Kind: rules.Ignore, Path: "$.a"}, `{"a":1,"b":2,"c":3}`, `{"b":2,"c":3}`, true, 1, ""},
		{"ignore an added last member", rules.Rule{Kind: rules.Ignore, Path: "$.c"}, `{"a":1}`, `{"a":1,"c":3}`, true, 1, ""},
		{"ignore the only member", rules.Rule{Kind: rules.Ignore, Path: "$.c"}, `{}`, `{"c":3}`, true, 1, ""},
		{"ignore by wildcard", rules.Rule{Kind: rules.Ignore, Path: "$.l[*].x"}, `{"l":[{"x":1},{"x":2}]}`, `{"l":[{"x":2},{"x":1}]}`, true, 2, ""},
		{"replace a host", rules.Rule{Kind: rules.Replace, From: "https://old.example", To: "https://new.example"}, `{"u":"https:\/\/old.example\/a","q":"https%3A%2F%2Fold.example"}`, `{"u":"https:\/\/new.example\/a","q":"https%3A%2F%2Fnew.example"}`, true, 1, ""},
		{"replace by pattern", rules.Rule{Kind: rules.Replace, From: `v(\d+)`, To: "w$1", Pattern: true}, `{"a":"v12"}`, `{"a":"w12"}`, true, 1, ""},
		{"ids", rules.Rule{Kind: rules.IDs, IDs: map[string]string{"47": "1047"}}, `{"id":47,"t":"47","u":"https:\/\/x\/events\/47"}`, `{"id":1047,"t":"1047","u":"https:\/\/x\/events\/1047"}`, true, 3, ""},
		{"ids of another thing", rules.Rule{Kind: rules.IDs, IDs: map[string]string{"47": "1047"}}, `{"id":47,"n":48}`, `{"id":1047,"n":1047}`, false, 1, "$.n"},
		{"sort", rules.Rule{Kind: rules.Sort, Path: "$.l", By: "id"}, `{"l":[{"id":2},{"id":10}]}`, `{"l":[{"id":10},{"id":2}]}`, true, 1, ""},
		{"sort whole items", rules.Rule{Kind: rules.Sort, Path: "$.l"}, `{"l":["b", "a"]}`, `{"l":["a", "b"]}`, true, 1, ""},
		{"sort finds other items", rules.Rule{Kind: rules.Sort, Path: "$.l"}, `{"l":["b","a"]}`, `{"l":["a","c"]}`, false, 1, "$.l[1]"},
		{"tolerance", rules.Rule{Kind: rules.Tolerance, Path: "$.x", Tolerance: 0.1}, `{"x":1.0}`, `{"x":1.1}`, true, 1, ""},
		{"tolerance of texts", rules.Rule{Kind: rules.Tolerance, Path: "$.x", Tolerance: 1}, `{"x":"5"}`, `{"x":"6"}`, true, 1, ""},
		{"beyond the tolerance", rules.Rule{Kind: rules.Tolerance, Path: "$.x", Tolerance: 0.1}, `{"x":1}`, `{"x":1.11}`, false, 0, "$.x"},
		{"tolerance keeps types", rules.Rule{Kind: rules.Tolerance, Path: "$.x", Tolerance: 1}, `{"x":1}`, `{"x":"1"}`, false, 0, "$.x"},
		{"shift", rules.Rule{Kind: rules.Shift, Path: "$..d", Seconds: 3600}, `{"d":"2026-11-21 12:00:00"}`, `{"d":"2026-11-21 13:00:00"}`, true, 1, ""},
		{"shift with tolerance", rules.Rule{Kind: rules.Shift, Path: "$..d", Seconds: 3600, Tolerance: 2}, `{"d":"2026-11-21T12:00:00"}`, `{"d":"2026-11-21T13:00:01"}`, true, 1, ""},
		{"other shift", rules.Rule{Kind: rules.Shift, Path: "$..d", Seconds: 3600}, `{"d":"2026-11-21 12:00:00"}`, `{"d":"2026-11-21 14:00:00"}`, false, 0, "$.d"},
		{"shift of no date", rules.Rule{Kind: rules.Shift, Path: "$..d", Tolerance: 9e9}, `{"d":"soon"}`, `{"d":"later"}`, false, 0, "$.d"},
		{"shift keeps types", rules.Rule{Kind: rules.Shift, Path: "$..d", Tolerance: 9e9}, `{"d":"2026-11-21"}`, `{"d":20261121}`, false, 0, "$.d"},
		{"shift keeps the spelling", rules.Rule{Kind: rules.Shift, Path: "$..d", Tolerance: 9e9}, `{"d":"2026-11-21"}`, `{"d":"2026-11-21 12:00:00"}`, false, 0, "$.d"},
		{"tolerance of words", rules.Rule{Kind: rules.Tolerance, Path: "$.x", Tolerance: 1}, `{"x":"five"}`, `{"x":"six"}`, false, 0, "$.x"},
		{"ids keep types", rules.Rule{Kind: rules.IDs, IDs: map[string]string{"47": "1047"}}, `{"id":47}`, `{"id":"1047"}`, false, 0, "$.id"},
		{"ids of booleans", rules.Rule{Kind: rules.IDs, IDs: map[string]string{"47": "1047"}}, `{"id":true}`, `{"id":false}`, false, 0, "$.id"},
		{"lists of other lengths", rules.Rule{Kind: rules.Ignore, Path: "$.l[*].x"}, `{"l":[{"x":1},{"x":2}]}`, `{"l":[{"x":2}]}`, false, 1, "$.l"},
		{"ignore at other exchanges", rules.Rule{Kind: rules.Ignore, Path: "$.a", Match: &rules.Match{ID: "^b"}}, `{"a":1}`, `{"a":2}`, false, 0, "$.a"},
		{"ignore by request", rules.Rule{Kind: rules.Ignore, Path: "$.a", Match: &rules.Match{Request: `x=1`, Method: "GET", As: "anonymous"}}, `{"a":1}`, `{"a":2}`, true, 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.rule.Reason = "test"
			set, err := rules.Compile(&rules.File{Rules: []rules.Rule{c.rule}}, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			x := compattest.Exchange("a", "GET", "/wp-json/?x=1", c.recorded)
			diffs, err := replay.Differ{Level: diff.LevelBytes, Rules: set}.Diff(x, x.Response, recording.Response{Status: 200, Headers: x.Response.Headers, Body: c.got}, false)
			if err != nil || (len(diffs) == 0) != c.same {
				t.Errorf("error %v, differences %v", err, diffs)
			}
			if len(diffs) > 0 && diffs[0].Where != c.expectedPlaces {
				t.Errorf("found at %s, want %s", diffs[0].Where, c.expectedPlaces)
			}
			if hits := set.Conclude(false, false).Rules[0].Hits; hits != c.hits {
				t.Errorf("%d hits, want %d", hits, c.hits)
			}
		})
	}
}

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
			if _, err := (replay.Differ{Level: level, Rules: set}).Diff(x, x.Response, recording.Response{Status: 200, Headers: x.Response.Headers, Body: got}, false); err != nil {
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
