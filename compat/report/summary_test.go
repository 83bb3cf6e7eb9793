package report

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"calbridge/compat/compattest"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
)

func TestCompareWritesAreSkipped(t *testing.T) {
	step := compattest.Exchange("", "POST", "/wp-json/tribe/events/v1/tags", `{}`)
	file := compattest.WriteRecording(t, "writes.jsonl",
		&recording.Case{ID: "w-1", As: "jana", Steps: []recording.Step{{Request: step.Request, Response: step.Response}}, Rows: map[string]recording.TableChange{}},
		&recording.Case{ID: "w-2", As: "jana", Steps: []recording.Step{{Request: step.Request, Response: step.Response}}, Rows: map[string]recording.TableChange{}})
	server := compattest.ReplayServer(t, nil, nil, nil)
	report, err := replay.Compare(context.Background(), replay.Options{Target: server.URL, Recordings: []string{file}, Site: compattest.TownSite(t)})
	if err != nil || report.SkippedBy[replay.ReasonWrites] != 2 || report.ExitCode() != replay.ExitSame {
		t.Fatalf("error %v, report %+v", err, report)
	}
	var summary bytes.Buffer
	Summary(&summary, report)
	if !strings.Contains(summary.String(), "2 skipped: writes") {
		t.Errorf("summary: %s", summary.String())
	}
}
