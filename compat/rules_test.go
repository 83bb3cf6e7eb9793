package compat

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// ruleCases are pairs of bodies that a rule makes the same, and pairs that it
// does not.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		name           string
		rule           Rule
		recorded, got  string
		same           bool
		hits           int64
		expectedPlaces string
	}{
		{"ignore a value", Rule{Kind: RuleIgnore, Path: "$.a"}, `{"a":1,"b":2}`, `{"a":5,"b":2}`, true, 1, ""},
		{"ignore is for that value only", Rule{Kind: RuleIgnore, Path: "$.a"}, `{"a":1,"b":2}`, `{"a":5,"b":3}`, false, 1, "$.b"},
		{"ignore unused", Rule{Kind: RuleIgnore, Path: "$.a"}, `{"a":1,"b":2}`, `{"a":1,"b":3}`, false, 0, "$.b"},
		{"ignore at any depth", Rule{Kind: RuleIgnore, Path: "$..m"}, `{"l":[{"m":1},{"x":{"m":2}}]}`, `{"l":[{"m":3},{"x":{"m":4}}]}`, true, 2, ""},
		{"ignore a missing member", Rule{Kind: RuleIgnore, Path: "$.a"}, `{"a":1,"b":2,"c":3}`, `{"b":2,"c":3}`, true, 1, ""},
		{"ignore an added last member", Rule{Kind: RuleIgnore, Path: "$.c"}, `{"a":1}`, `{"a":1,"c":3}`, true, 1, ""},
		{"ignore the only member", Rule{Kind: RuleIgnore, Path: "$.c"}, `{}`, `{"c":3}`, true, 1, ""},
		{"ignore by wildcard", Rule{Kind: RuleIgnore, Path: "$.l[*].x"}, `{"l":[{"x":1},{"x":2}]}`, `{"l":[{"x":2},{"x":1}]}`, true, 2, ""},
		{"replace a host", Rule{Kind: RuleReplace, From: "https://old.example", To: "https://new.example"}, `{"u":"https:\/\/old.example\/a","q":"https%3A%2F%2Fold.example"}`, `{"u":"https:\/\/new.example\/a","q":"https%3A%2F%2Fnew.example"}`, true, 1, ""},
		{"replace by pattern", Rule{Kind: RuleReplace, From: `v(\d+)`, To: "w$1", Pattern: true}, `{"a":"v12"}`, `{"a":"w12"}`, true, 1, ""},
		{"ids", Rule{Kind: RuleIDs, IDs: map[string]string{"47": "1047"}}, `{"id":47,"t":"47","u":"https:\/\/x\/events\/47"}`, `{"id":1047,"t":"1047","u":"https:\/\/x\/events\/1047"}`, true, 3, ""},
		{"ids of another thing", Rule{Kind: RuleIDs, IDs: map[string]string{"47": "1047"}}, `{"id":47,"n":48}`, `{"id":1047,"n":1047}`, false, 1, "$.n"},
		{"sort", Rule{Kind: RuleSort, Path: "$.l", By: "id"}, `{"l":[{"id":2},{"id":10}]}`, `{"l":[{"id":10},{"id":2}]}`, true, 1, ""},
		{"sort whole items", Rule{Kind: RuleSort, Path: "$.l"}, `{"l":["b", "a"]}`, `{"l":["a", "b"]}`, true, 1, ""},
		{"sort finds other items", Rule{Kind: RuleSort, Path: "$.l"}, `{"l":["b","a"]}`, `{"l":["a","c"]}`, false, 1, "$.l[1]"},
		{"tolerance", Rule{Kind: RuleTolerance, Path: "$.x", Tolerance: 0.1}, `{"x":1.0}`, `{"x":1.1}`, true, 1, ""},
		{"tolerance of texts", Rule{Kind: RuleTolerance, Path: "$.x", Tolerance: 1}, `{"x":"5"}`, `{"x":"6"}`, true, 1, ""},
		{"beyond the tolerance", Rule{Kind: RuleTolerance, Path: "$.x", Tolerance: 0.1}, `{"x":1}`, `{"x":1.11}`, false, 0, "$.x"},
		{"tolerance keeps types", Rule{Kind: RuleTolerance, Path: "$.x", Tolerance: 1}, `{"x":1}`, `{"x":"1"}`, false, 0, "$.x"},
		{"shift", Rule{Kind: RuleShift, Path: "$..d", Seconds: 3600}, `{"d":"2026-11-21 12:00:00"}`, `{"d":"2026-11-21 13:00:00"}`, true, 1, ""},
		{"shift with tolerance", Rule{Kind: RuleShift, Path: "$..d", Seconds: 3600, Tolerance: 2}, `{"d":"2026-11-21T12:00:00"}`, `{"d":"2026-11-21T13:00:01"}`, true, 1, ""},
		{"other shift", Rule{Kind: RuleShift, Path: "$..d", Seconds: 3600}, `{"d":"2026-11-21 12:00:00"}`, `{"d":"2026-11-21 14:00:00"}`, false, 0, "$.d"},
		{"ignore at other exchanges", Rule{Kind: RuleIgnore, Path: "$.a", Match: &Match{ID: "^b"}}, `{"a":1}`, `{"a":2}`, false, 0, "$.a"},
		{"ignore by request", Rule{Kind: RuleIgnore, Path: "$.a", Match: &Match{Request: `x=1`, Method: "GET", As: "anonymous"}}, `{"a":1}`, `{"a":2}`, true, 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.rule.Reason = "test"
			rules, err := compileRules(&RulesFile{Rules: []Rule{c.rule}}, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			x := exchange("a", "GET", "/wp-json/?x=1", c.recorded)
			diffs, err := differ{level: LevelBytes, rules: rules}.diff(x, x.Response, Answer{Status: 200, Headers: x.Response.Headers, Body: c.got}, false)
			if err != nil || (len(diffs) == 0) != c.same {
				t.Errorf("error %v, differences %v", err, diffs)
			}
			if len(diffs) > 0 && diffs[0].Where != c.expectedPlaces {
				t.Errorf("found at %s, want %s", diffs[0].Where, c.expectedPlaces)
			}
			if hits := rules.rules[0].hits.Load(); hits != c.hits {
				t.Errorf("%d hits, want %d", hits, c.hits)
			}
		})
	}
}

func TestRulesAboutStatusHeadersAndRequests(t *testing.T) {
	x := exchange("a", "GET", "/wp-json/tribe/events/v1/events/47?venue=47", `{"id":47}`)
	x.Response.Headers["x-next"] = HeaderValues{"https://town.example/events/47"}
	file := writeRecording(t, "reads.jsonl", x)
	answer := exchange("a", "GET", "/wp-json/tribe/events/v1/events/1047?venue=1047", `{"id":1047}`)
	answer.Response.Status = 203
	answer.Response.Headers["x-next"] = HeaderValues{"https://town.example/events/1047"}
	answer.Response.Headers["x-powered-by"] = HeaderValues{"calbridge"}
	server := replayServer(t, []string{writeRecording(t, "other.jsonl", answer)}, nil, nil)
	rules := &RulesFile{Format: RulesFormat, Rules: []Rule{
		{Kind: RuleIDs, IDs: map[string]string{"47": "1047"}, Reason: "imported anew"},
		{Kind: RuleIgnore, Header: "X-Powered-By", Reason: "another server"},
		{Kind: RuleIgnore, Status: true, Reason: "test"},
	}}
	report, err := Compare(context.Background(), Options{Target: server.URL, Recordings: []string{file}, Rules: rules, Strict: true})
	if err != nil || report.Same != 1 || report.ExitCode() != ExitSame {
		t.Errorf("error %v, %v, failures %v", err, report.Differing, report.Failures)
	}
}

func TestStrictRulesAndExpiry(t *testing.T) {
	file := writeRecording(t, "reads.jsonl", exchange("a", "GET", "/wp-json/", `{"a":1}`), exchange("b", "GET", "/wp-json/b", `{"a":1}`))
	server := replayServer(t, []string{file}, nil, func(x *Exchange, r *Response) {
		if x.ID == "a" {
			r.Body = `{"a":2}`
		}
	})
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	run := func(strict bool, expires, run string, rules ...Rule) *Report {
		rules = append([]Rule{{Kind: RuleIgnore, Path: "$.a", Reason: "test", Expires: expires}}, rules...)
		o := Options{Target: server.URL, Recordings: []string{file}, Rules: &RulesFile{Rules: rules}, Strict: strict, Now: func() time.Time { return now }}
		if run != "" {
			o.Shard, _ = ParseShard(run)
		}
		report, err := Compare(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	unused := Rule{Kind: RuleIgnore, Path: "$.b", Reason: "long gone"}
	for _, c := range []struct {
		name string
		r    *Report
		want int
	}{
		{"used", run(true, "", ""), ExitSame},
		{"valid to the end of the day", run(true, "2026-11-21", ""), ExitSame},
		{"expired", run(false, "2026-11-20", ""), ExitDifferent},
		{"unused", run(false, "", "", unused), ExitSame},
		{"unused under strict", run(true, "", "", unused), ExitDifferent},
		{"unused in a part", run(true, "", "1/1", unused), ExitDifferent},
	} {
		if c.r.ExitCode() != c.want {
			t.Errorf("%s: exit %d, failures %v", c.name, c.r.ExitCode(), c.r.Failures)
		}
	}
	var summary strings.Builder
	run(true, "", "", unused).WriteSummary(&summary)
	for _, want := range []string{"rule 1 (ignore $.a, test): used 1 times", "failed: rule 2 (ignore $.b, long gone): never used"} {
		if !strings.Contains(summary.String(), want) {
			t.Errorf("summary lacks %q:\n%s", want, summary.String())
		}
	}
}

func TestKnownDifferences(t *testing.T) {
	file := writeRecording(t, "reads.jsonl", exchange("a", "GET", "/wp-json/", `{"a":1,"b":1}`), exchange("b", "GET", "/wp-json/b", `{"a":1}`), exchange("c", "GET", "/wp-json/c", `{"a":1}`))
	server := replayServer(t, []string{file}, nil, func(x *Exchange, r *Response) {
		if x.ID == "a" {
			r.Body = `{"a":2,"b":1}`
		}
	})
	run := func(known ...KnownDifference) *Report {
		for i := range known {
			known[i].Number, known[i].Reason = i+1, "issue"
		}
		report, err := Compare(context.Background(), Options{Target: server.URL, Recordings: []string{file}, Rules: &RulesFile{Known: known}, Details: true})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	for _, c := range []struct {
		name             string
		r                *Report
		known, different int
		exit             int
	}{
		{"seen", run(KnownDifference{IDs: []string{"a"}, Where: "$.a"}), 1, 0, ExitSame},
		{"seen anywhere", run(KnownDifference{Match: &Match{ID: "[abc]"}}), 1, 0, ExitSame},
		{"elsewhere", run(KnownDifference{IDs: []string{"a"}, Where: "$.b"}), 0, 1, ExitDifferent},
		{"one passes unexpectedly", run(KnownDifference{IDs: []string{"a", "b"}}), 1, 1, ExitDifferent},
		{"all of a pattern pass", run(KnownDifference{IDs: []string{"a"}}, KnownDifference{Match: &Match{ID: "[bc]"}}), 1, 0, ExitDifferent},
	} {
		if c.r.Known != c.known || c.r.Different != c.different || c.r.ExitCode() != c.exit {
			t.Errorf("%s: %d known, %d different, exit %d, failures %v", c.name, c.r.Known, c.r.Different, c.r.ExitCode(), c.r.Failures)
		}
		dir := t.TempDir()
		files := ReportFiles{JSON: filepath.Join(dir, "r.json"), JUnit: filepath.Join(dir, "r.xml")}
		if err := files.Write(c.r); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(files.JSON)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range validateReport(t, data) {
			t.Errorf("%s: %s", c.name, fault)
		}
	}
}

func TestBadRules(t *testing.T) {
	for rules, want := range map[string]string{
		`{`:                "not as expected",
		`{"format":"x/1"}`: "expected \"calbridge-rules/1\"",
		`{"format":"calbridge-rules/1","rulez":[]}`:                                                                            "unknown field",
		`{"format":"calbridge-rules/1","rules":[{"kind":"ignore","path":"$.a"}]}`:                                              "\"reason\" is missing",
		`{"format":"calbridge-rules/1","rules":[{"kind":"drop","reason":"x"}]}`:                                                "unknown kind",
		`{"format":"calbridge-rules/1","rules":[{"kind":"ignore","reason":"x"}]}`:                                              "ignore needs",
		`{"format":"calbridge-rules/1","rules":[{"kind":"sort","reason":"x"}]}`:                                                "sort needs",
		`{"format":"calbridge-rules/1","rules":[{"kind":"ids","reason":"x","ids":{"a":"1"}}]}`:                                 "is no id",
		`{"format":"calbridge-rules/1","rules":[{"kind":"replace","reason":"x"}]}`:                                             "replace needs",
		`{"format":"calbridge-rules/1","rules":[{"kind":"replace","reason":"x","from":"(","pattern":true}]}`:                   "missing closing",
		`{"format":"calbridge-rules/1","rules":[{"kind":"replace","reason":"x","from":"a","in":["x"]}]}`:                       "expected request",
		`{"format":"calbridge-rules/1","rules":[{"kind":"ignore","reason":"x","path":"a"}]}`:                                   "does not begin with $",
		`{"format":"calbridge-rules/1","rules":[{"kind":"ignore","reason":"x","path":"$.a","expires":"soon"}]}`:                "expected a date",
		`{"format":"calbridge-rules/1","rules":[{"kind":"ignore","reason":"x","path":"$.a","match":{"id":"("}}]}`:              "missing closing",
		`{"format":"calbridge-rules/1","known":[{"number":1,"reason":"x"}]}`:                                                   "\"ids\" or \"match\"",
		`{"format":"calbridge-rules/1","known":[{"reason":"x","ids":["a"]}]}`:                                                  "\"number\"",
		`{"format":"calbridge-rules/1","known":[{"number":1,"reason":"x","ids":["a"]},{"number":1,"reason":"x","ids":["a"]}]}`: "given twice",
	} {
		if _, err := LoadRules(writeFile(t, "rules.json", rules)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", rules, err, want)
		}
	}
	if _, err := LoadRules(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a missing file is read")
	}
	good := `{"format":"calbridge-rules/1","rules":[{"kind":"ignore","path":"$..modified","reason":"x","expires":"2027-03-31"}],"known":[{"number":1,"ids":["a"],"where":"$.cost","reason":"y"}]}`
	if rules, err := LoadRules(writeFile(t, "rules.json", good)); err != nil || len(rules.Rules) != 1 || len(rules.Known) != 1 {
		t.Errorf("error %v, %+v", err, rules)
	}
}

func TestDeepPaths(t *testing.T) {
	for pattern, want := range map[string]map[string]bool{
		"$..id":         {"$.id": true, "$.a[0].id": true, "$.a.b": false, "$": false, "$.id.x": false},
		"$..a..b":       {"$.a.b": true, "$.a.x.b": true, "$.x.a[1].c.b": true, "$.b.a": false},
		"$.a..*":        {"$.a.b": true, "$.a[0]": true, "$.a": false, "$.b.c": false},
		"$..[0]":        {"$[0]": true, "$.a[0]": true, "$.a[1]": false},
		"$.a[*]..id":    {"$.a[0].id": true, "$.a[0].x.id": true, "$.a.id": false},
		"$..a[*].b":     {"$.a[3].b": true, "$.a.b": false, "$.x[0].a[1].b": true},
		"$..[\"a b\"]":  {"$[\"a b\"]": true, "$.x[\"a b\"]": true},
		"$..venue..url": {"$.events[0].venue.image.url": true, "$.events[0].url": false},
	} {
		p, err := parseJSONPath(pattern)
		if err != nil {
			t.Fatalf("%s: %v", pattern, err)
		}
		if again, err := parseJSONPath(p.String()); err != nil || again.String() != p.String() {
			t.Errorf("%s is written as %s, error %v", pattern, p, err)
		}
		for text, matches := range want {
			path, err := parseJSONPath(text)
			if err != nil {
				t.Fatal(err)
			}
			if p.matches(path) != matches {
				t.Errorf("%s matches %s: %v", pattern, text, !matches)
			}
		}
	}
}

func TestShards(t *testing.T) {
	var lines []any
	for i := range 40 {
		lines = append(lines, exchange("x-"+strings.Repeat("i", i), "GET", "/wp-json/?"+strings.Repeat("i", i), `{}`))
	}
	file := writeRecording(t, "reads.jsonl", lines...)
	server := replayServer(t, []string{file}, nil, nil)
	total := 0
	for _, text := range []string{"1/3", "2/3", "3/3"} {
		shard, err := ParseShard(text)
		if err != nil {
			t.Fatal(err)
		}
		report, err := Compare(context.Background(), Options{Target: server.URL, Recordings: []string{file}, Shard: shard})
		if err != nil || report.Same == 0 || report.Same+report.SkippedBy[ReasonShard] != 40 {
			t.Errorf("%s: error %v, %+v", text, err, report)
		}
		total += report.Same
	}
	if total != 40 {
		t.Errorf("the shards have %d exchanges", total)
	}
	for _, bad := range []string{"0/3", "4/3", "1", "a/b", "1/3x", "-1/3"} {
		if _, err := ParseShard(bad); err == nil {
			t.Errorf("%s passes", bad)
		}
	}
}

func TestSameNumber(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{{"1", "1.0", true}, {"1e2", "100", true}, {"0.1", "0.10", true}, {"9007199254740993", "9007199254740992", false}, {"1e999999999", "1e999999998", false}, {"-0", "0", true}} {
		if got := sameNumber(c.a, c.b); got != c.same {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

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
		x := exchange("a", "GET", "/", recorded)
		for _, level := range Levels() {
			if _, err := (differ{level: level, rules: set}).diff(x, x.Response, Answer{Status: 200, Headers: x.Response.Headers, Body: got}, false); err != nil {
				t.Fatal(err)
			}
		}
		want, errWant := parseJSON(recorded)
		other, errGot := parseJSON(got)
		if errWant == nil && errGot == nil {
			left, right := set.forExchange(x).reconcile(want, other)
			if !json.Valid([]byte(left.raw())) || !json.Valid([]byte(right.raw())) {
				t.Errorf("no JSON: %s and %s", left.raw(), right.raw())
			}
		}
	})
}
