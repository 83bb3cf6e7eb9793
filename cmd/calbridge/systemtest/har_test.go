package systemtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/cmdline"
)

// TestHARReplays lets Chromium browse the demo, controlled by playwright-core, and replays what the
// browser recorded. It needs Debian's chromium, node, and playwright-core from npm in NODE_PATH.
// Without them it is skipped, or fails with CALBRIDGE_REQUIRE_BROWSER=1:
//
//	npm install --prefix /tmp/npm playwright-core
//	NODE_PATH=/tmp/npm/node_modules go test -run TestHARReplays -v ./cmd/calbridge/systemtest
func TestHARReplays(t *testing.T) {
	needBrowser(t, "playwright-core")
	s := start(t, nil, "demo", "--clock", modesNow)
	har := filepath.Join(t.TempDir(), "browser.har")
	if out, err := exec.Command("node", "testdata/browser/har.js", s.api+"/wp-json/calendar/events/v1", har).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if info, err := os.Stat(har); err != nil || info.Size() < 10_000 {
		t.Fatalf("%v, %v", info, err)
	}
	code, out, stderr := once(t, nil, "compare", "--target", s.api, "--recordings", har, "--target-namespace", "calendar/events/v1", "--recorded-namespace", "calendar/events/v1", "--verbose")
	t.Logf("%s%s", out, stderr)
	if code != cmdline.OK || strings.Count(out, "same ") < 9 || !strings.Contains(out, "writes") {
		t.Errorf("exit %d", code)
	}
}
