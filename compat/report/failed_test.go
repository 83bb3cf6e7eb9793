package report_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/compat"
	"calbridge/compat/compattest"
	"calbridge/compat/replay"
	"calbridge/compat/report"
)

// The reports also describe a comparison that fails.
func TestReportsOfAFailedComparison(t *testing.T) {
	file := compattest.WriteRecording(t, "reads.jsonl", compattest.Exchange("a", "GET", "/wp-json/", `{}`))
	dir := t.TempDir()
	files := report.Files{JSON: filepath.Join(dir, "r.json"), JUnit: filepath.Join(dir, "r.xml"), HTML: filepath.Join(dir, "r.html")}
	var stdout, stderr bytes.Buffer
	if code := compat.RunCompare(context.Background(), replay.Options{Target: "http://127.0.0.1:1", Recordings: []string{file}}, files, &stdout, &stderr); code != replay.ExitUnreachable {
		t.Errorf("exit %d", code)
	}
	data, err := os.ReadFile(files.JSON)
	if err != nil {
		t.Fatal(err)
	}
	if faults := report.ValidateReport(t, data); len(faults) > 0 || !bytes.Contains(data, []byte("cannot be reached")) {
		t.Errorf("faults %v in %s", faults, data)
	}
	junit, err := os.ReadFile(files.JUnit)
	if err != nil || !bytes.Contains(junit, []byte(`errors="1"`)) || !bytes.Contains(junit, []byte("<error message=")) {
		t.Errorf("JUnit %s, error %v", junit, err)
	}
	files.HTML = filepath.Join(dir, "none", "r.html")
	if code := compat.RunCompare(context.Background(), replay.Options{Target: "http://127.0.0.1:1", Recordings: []string{file}}, files, &stdout, &stderr); code == replay.ExitSame || !strings.Contains(stderr.String(), "cannot be written") {
		t.Errorf("exit %d, stderr %q", code, stderr.String())
	}
}
