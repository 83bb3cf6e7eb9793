package report

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"calbridge/compat/compattest"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
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
		{Kind: rules.IDs, IDs: map[string]string{"47": "1047"}, Reason: "imported anew"},
		{Kind: rules.Ignore, Header: "X-Powered-By", Reason: "another server"},
		{Kind: rules.Ignore, Status: true, Reason: "test"},
	}}
	report, err := replay.Compare(context.Background(), replay.Options{Target: server.URL, Recordings: []string{file}, Rules: rules, Strict: true})
	if err != nil || report.Same != 1 || report.ExitCode() != replay.ExitSame {
		t.Errorf("error %v, %v, failures %v", err, report.Differing, report.Failures)
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
		report, err := replay.Compare(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	unused := rules.Rule{Kind: rules.Ignore, Path: "$.b", Reason: "long gone"}
	for _, c := range []struct {
		name string
		r    *replay.Report
		want int
	}{
		{"used", run(true, "", ""), replay.ExitSame},
		{"valid to the end of the day", run(true, "2026-11-21", ""), replay.ExitSame},
		{"expired", run(false, "2026-11-20", ""), replay.ExitDifferent},
		{"unused", run(false, "", "", unused), replay.ExitSame},
		{"unused under strict", run(true, "", "", unused), replay.ExitDifferent},
		{"unused in a part", run(true, "", "1/1", unused), replay.ExitDifferent},
	} {
		if c.r.ExitCode() != c.want {
			t.Errorf("%s: exit %d, failures %v", c.name, c.r.ExitCode(), c.r.Failures)
		}
	}
	var summary strings.Builder
	Summary(&summary, run(true, "", "", unused))
	for _, want := range []string{"rule 1 (ignore $.a, test): used 1 times", "failed: rule 2 (ignore $.b, long gone): never used"} {
		if !strings.Contains(summary.String(), want) {
			t.Errorf("summary lacks %q:\n%s", want, summary.String())
		}
	}
}

func TestKnownDifferences(t *testing.T) {
	file := compattest.WriteRecording(t, "reads.jsonl", compattest.Exchange("a", "GET", "/wp-json/", `{"a":1,"b":1}`), compattest.Exchange("b", "GET", "/wp-json/b", `{"a":1}`), compattest.Exchange("c", "GET", "/wp-json/c", `{"a":1}`))
	server := compattest.ReplayServer(t, []string{file}, nil, func(x *recording.Exchange, r *recording.Response) {
		if x.ID == "a" {
			r.Body = `{"a":2,"b":1}`
		}
	})
	run := func(known ...rules.Known) *replay.Report {
		for i := range known {
			known[i].Number, known[i].Reason = i+1, "issue"
		}
		report, err := replay.Compare(context.Background(), replay.Options{Target: server.URL, Recordings: []string{file}, Rules: &rules.File{Known: known}, Details: true})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	for _, c := range []struct {
		name             string
		r                *replay.Report
		known, different int
		exit             int
	}{
		{"seen", run(rules.Known{IDs: []string{"a"}, Where: "$.a"}), 1, 0, replay.ExitSame},
		{"seen anywhere", run(rules.Known{Match: &rules.Match{ID: "[abc]"}}), 1, 0, replay.ExitSame},
		{"elsewhere", run(rules.Known{IDs: []string{"a"}, Where: "$.b"}), 0, 1, replay.ExitDifferent},
		{"one passes unexpectedly", run(rules.Known{IDs: []string{"a", "b"}}), 1, 1, replay.ExitDifferent},
		{"all of a pattern pass", run(rules.Known{IDs: []string{"a"}}, rules.Known{Match: &rules.Match{ID: "[bc]"}}), 1, 0, replay.ExitDifferent},
	} {
		if c.r.Known != c.known || c.r.Different != c.different || c.r.ExitCode() != c.exit {
			t.Errorf("%s: %d known, %d different, exit %d, failures %v", c.name, c.r.Known, c.r.Different, c.r.ExitCode(), c.r.Failures)
		}
		dir := t.TempDir()
		files := Files{JSON: filepath.Join(dir, "r.json"), JUnit: filepath.Join(dir, "r.xml")}
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
