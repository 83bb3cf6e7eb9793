package rules

import (
	"path/filepath"
	"strings"
	"testing"

	"calbridge/compat/compattest"
)

func TestBadRules(t *testing.T) {
	for rules, want := range map[string]string{
		`{`:                "not as expected",
		`{"format":"x/1"}`: "expected \"calbridge-rules/1\"",
		`{"format":"calbridge-rules/1","rulez":[]}`:                                                                            "unknown field",
		`{"format":"calbridge-rules/1","rules":[{"kind":"ignore","path":"$.a"}]}`:                                              "\"reason\" is missing",
		`{"format":"calbridge-rules/1","rules":[{"kind":"drop","reason":"x"}]}`:                                                "unknown kind",
		`{"format":"calbridge-rules/1","rules":[{"kind":"ignore","reason":"x"}]}`:                                              "ignore needs",
		`{"format":"calbridge-rules/1","rules":[{"kind":"sort","reason":"x"}]}`:                                                "sort needs",
		`{"format":"calbridge-rules/1","rules":[{"kind":"ids","reason":"x","ids":{"a":"1"}}]}`:                                 "is not an id",
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
		if _, err := Load(compattest.WriteFile(t, "rules.json", rules)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", rules, err, want)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a missing file is read")
	}
	good := `{"format":"calbridge-rules/1","rules":[{"kind":"ignore","path":"$..modified","reason":"x","expires":"2027-03-31"}],"known":[{"number":1,"ids":["a"],"where":"$.cost","reason":"y"}]}`
	if rules, err := Load(compattest.WriteFile(t, "rules.json", good)); err != nil || len(rules.Rules) != 1 || len(rules.Known) != 1 {
		t.Errorf("error %v, %+v", err, rules)
	}
}
