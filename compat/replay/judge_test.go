package replay

import (
	"maps"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"calbridge/compat/compattest"
	"calbridge/compat/diff"
	"calbridge/compat/recording"
	"calbridge/compat/rules"
)

func TestJudge(t *testing.T) {
	const path = "/wp-json/tribe/events/v1/events/5"
	set := &rules.File{Format: rules.Format,
		Rules: []rules.Rule{{Kind: rules.Ignore, Path: "$.modified", Reason: "saved again"}},
		Known: []rules.Known{
			{Number: 4, Reason: "issue 4", Match: &rules.Match{Request: "events/5"}, Where: "$.cost"},
			{Number: 5, Reason: "never shows", Match: &rules.Match{Request: "."}, Where: "$.website"},
		}}
	judge, err := NewJudge(JudgeOptions{Rules: set, Ignored: []string{"x-cached-by"}})
	if err != nil {
		t.Fatal(err)
	}
	const body = `{"id":5,"cost":"1","title":"A","modified":"1"}`
	for _, c := range []struct {
		name    string
		body    string
		headers map[string]recording.HeaderValues // added or, when nil, taken away
		status  int
		outcome Outcome
		level   diff.Level
	}{
		{"equal", body, nil, 200, Same, ""},
		{"ignored by a rule", strings.Replace(body, `"modified":"1"`, `"modified":"2"`, 1), nil, 200, Same, ""},
		{"known", strings.Replace(body, `"cost":"1"`, `"cost":"2"`, 1), nil, 200, Known, diff.LevelSemantic},
		{"more than known", strings.Replace(body, `"cost":"1","title":"A"`, `"cost":"2","title":"B"`, 1), nil, 200, Different, diff.LevelSemantic},
		{"status", body, nil, 404, Different, diff.LevelStatus},
		{"the web server's headers", body, map[string]recording.HeaderValues{"x-powered-by": {"PHP/8.2"}, "server": {"nginx"}, "vary": {"Accept-Encoding, Origin"}, "date": {"x"}, "x-cached-by": {"y"}}, 200, Headers, diff.LevelHeaders},
		{"vary gone", body, map[string]recording.HeaderValues{"vary": {"Accept-Encoding"}}, 200, Different, diff.LevelHeaders},
		{"a header", body, map[string]recording.HeaderValues{"x-new": {"1"}}, 200, Different, diff.LevelHeaders},
		{"bytes", strings.Replace(body, `"id":5`, `"id": 5`, 1), nil, 200, Different, diff.LevelBytes},
	} {
		x := judge.Exchange(httptest.NewRequest("GET", path, nil), path, "https://town.example", compattest.Exchange("", "GET", path, body).Response, time.Millisecond)
		got := recording.Response{Status: c.status, Headers: maps.Clone(x.Response.Headers), Body: c.body}
		maps.Copy(got.Headers, c.headers)
		outcome, differences, err := judge.Judge(t.Context(), x, got, Evidence{})
		if err != nil || outcome != c.outcome || len(differences) > 0 && c.level != "" && differences[len(differences)-1].Level != c.level {
			t.Errorf("%s: %s %v %v, want %s", c.name, outcome, differences, err, c.outcome)
		}
	}
	for _, bad := range []JudgeOptions{{Level: "deep"}, {Rules: &rules.File{Rules: []rules.Rule{{Kind: rules.Ignore}}}}} {
		if _, err := NewJudge(bad); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}
