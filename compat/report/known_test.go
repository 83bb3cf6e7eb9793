package report

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"calbridge/compat/compattest"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/compat/rules"
)

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
		{"elsewhere", run(rules.Known{IDs: []string{"a"}, Where: "$.b"}), 0, 1, replay.ExitFailed},
		{"one passes unexpectedly", run(rules.Known{IDs: []string{"a", "b"}}), 1, 1, replay.ExitFailed},
		{"all of a pattern pass", run(rules.Known{IDs: []string{"a"}}, rules.Known{Match: &rules.Match{ID: "[bc]"}}), 1, 0, replay.ExitFailed},
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
