package rules_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"calbridge/compat/compattest"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/compat/report"
	"calbridge/compat/rules"
)

func TestRulesAboutStatusHeadersAndRequests(t *testing.T) {
	x := compattest.Exchange("a", "GET", "/wp-json/tribe/events/v1/events/47?venue=47", `{"id":47}`)
	x.Response.Headers["x-next"] = recording.HeaderValues{"https://town.example/events/47"}
	file := compattest.WriteRecording(t, "reads.jsonl", x)
	answer := compattest.Exchange("a", "GET", "/wp-json/tribe/events/v1/events/1047?venue=1047", `{"id":1047}`)
	answer.Response.Status = 203
	answer.Response.Headers["x-next"] = recording.HeaderValues{"https://town.example/events/1047"}
	answer.Response.Headers["x-powered-by"] = recording.HeaderValues{"calbridge"}
	server := compattest.ReplayServer(t, []string{compattest.WriteRecording(t, "other.jsonl", answer)}, nil, nil)
	rules := &rules.File{Format: rules.Format, Rules: []rules.Rule{
		{Kind: rules.IDs, IDs: map[string]string{"47": "1047"}, Reason: "imported again"},
		{Kind: rules.Ignore, Header: "X-Powered-By", Reason: "another server"},
		{Kind: rules.Ignore, Status: true, Reason: "test"},
	}}
	outcome, err := replay.Compare(context.Background(), replay.Options{Target: server.URL, Recordings: []string{file}, Rules: rules, Strict: true})
	if err != nil || outcome.Same != 1 || outcome.ExitCode() != replay.ExitSame {
		t.Errorf("error %v, %v, failures %v", err, outcome.Differing, outcome.Failures)
	}
}

func TestStrictRulesAndExpiry(t *testing.T) {
	file := compattest.WriteRecording(t, "reads.jsonl", compattest.Exchange("a", "GET", "/wp-json/", `{"a":1}`), compattest.Exchange("b", "GET", "/wp-json/b", `{"a":1}`))
	server := compattest.ReplayServer(t, []string{file}, nil, func(x *recording.Exchange, r *recording.Response) {
		if x.ID == "a" {
			r.Body = `{"a":2}`
		}
	})
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	run := func(strict bool, expires, run string, set ...rules.Rule) *replay.Report {
		set = append([]rules.Rule{{Kind: rules.Ignore, Path: "$.a", Reason: "test", Expires: expires}}, set...)
		o := replay.Options{Target: server.URL, Recordings: []string{file}, Rules: &rules.File{Rules: set}, Strict: strict, Now: func() time.Time { return now }}
		if run != "" {
			o.Shard, _ = replay.ParseShard(run)
		}
		outcome, err := replay.Compare(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		return outcome
	}
	unused := rules.Rule{Kind: rules.Ignore, Path: "$.b", Reason: "long gone"}
	for _, c := range []struct {
		name string
		r    *replay.Report
		want int
	}{
		{"used", run(true, "", ""), replay.ExitSame},
		{"valid to the end of the day", run(true, "2026-11-21", ""), replay.ExitSame},
		{"expired", run(false, "2026-11-20", ""), replay.ExitFailed},
		{"unused", run(false, "", "", unused), replay.ExitSame},
		{"unused under strict", run(true, "", "", unused), replay.ExitFailed},
		{"unused in a part", run(true, "", "1/1", unused), replay.ExitFailed},
	} {
		if c.r.ExitCode() != c.want {
			t.Errorf("%s: exit %d, failures %v", c.name, c.r.ExitCode(), c.r.Failures)
		}
	}
	var summary strings.Builder
	report.Summary(&summary, run(true, "", "", unused))
	for _, want := range []string{"rule 1 (ignore $.a, test): used once", "failed: rule 2 (ignore $.b, long gone): never used"} {
		if !strings.Contains(summary.String(), want) {
			t.Errorf("summary lacks %q:\n%s", want, summary.String())
		}
	}
}

// A request is sent with the target's ids and with replacements in path and body. A
// replacement in the answer makes it equal to the recorded one.
func TestRequestsAndAnswers(t *testing.T) {
	set, err := rules.Compile(&rules.File{Rules: []rules.Rule{
		{Kind: rules.IDs, IDs: map[string]string{"47": "1047"}, Reason: "imported again"},
		{Kind: rules.Replace, From: "old.example", To: "new.example", In: []string{"request"}, Reason: "test copy"},
		{Kind: rules.Replace, From: "new.example", To: "old.example", In: []string{"answer"}, Reason: "test copy"},
		{Kind: rules.Ignore, Path: "$.never", Reason: "unused"},
		{Kind: rules.Ignore, Header: "Link", Reason: "expired", Expires: "2026-01-31"},
	}}, time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	body := `{"website":"https:\/\/old.example\/47"}`
	x := compattest.Exchange("a", "POST", "/wp-json/tribe/events/v1/events/47?url=old.example", `{}`)
	x.Request.Body = &body
	active := set.For(x)
	sent := active.Request(x.Request)
	if sent.Path != "/wp-json/tribe/events/v1/events/1047?url=new.example" || *sent.Body != `{"website":"https:\/\/new.example\/1047"}` || *x.Request.Body != body {
		t.Errorf("sent %s with %s", sent.Path, *sent.Body)
	}
	recorded, got := active.Replace(recording.Response{Body: "old.example"}, recording.Response{Body: "new.example", Headers: map[string]recording.HeaderValues{"location": {"https://new.example/"}}})
	if recorded.Body != "old.example" || got.Body != "old.example" || got.Header("location") != "https://old.example/" {
		t.Errorf("recorded %v, got %v", recorded, got)
	}
	if active.IgnoresHeader("link") {
		t.Error("an expired rule is applied")
	}
	var uses []string
	for _, use := range set.Conclude(false, true).Rules {
		uses = append(uses, use.String())
	}
	want := "rule 1 (ids of 1, imported again): used once\nrule 2 (replace old.example, test copy): used once\nrule 3 (replace new.example, test copy): used once\n" +
		"rule 4 (ignore $.never, unused): never used\nrule 5 (ignore header link, expired): expired, not applied"
	if strings.Join(uses, "\n") != want {
		t.Errorf("uses:\n%s", strings.Join(uses, "\n"))
	}
	var none *rules.Set
	if none.For(x) != nil || none.For(x).Request(x.Request).Path != x.Request.Path || none.For(x).IgnoresStatus() {
		t.Error("no rules change nothing")
	}
}
