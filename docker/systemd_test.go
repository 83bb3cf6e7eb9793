package docker_test

import (
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// mostExposed is the highest allowed exposure by `systemd-analyze security`, out of ten.
// Units without any protection get 9.6.
const mostExposed = 2.0

func TestSystemd(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	analyze := tool(t, "systemd-analyze")
	unit := strings.ReplaceAll(read(t, "systemd/calbridge.service"), "/usr/local/bin/calbridge", binary(t))
	file := write(t, t.TempDir(), "calbridge.service", unit)
	out, err := exec.Command(analyze, "verify", "--man=no", file).CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "calbridge.service") { // ignore other units
			t.Errorf("systemd-analyze verify: %s", line)
		}
	}
	if err != nil && strings.TrimSpace(string(out)) == "" {
		t.Error(err)
	}
	out, err = exec.Command(analyze, "security", "--offline=true", "--no-pager", file).CombinedOutput()
	m := regexp.MustCompile(`Overall exposure level for \S+: ([\d.]+)`).FindSubmatch(out)
	if m == nil {
		t.Fatalf("systemd-analyze security: %v\n%s", err, tail(string(out), 500))
	}
	exposure, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil || exposure > mostExposed {
		t.Errorf("the unit's exposure is %s, want at most %.1f\n%s", m[1], mostExposed, out)
	}
	t.Logf("exposure %s of 10", m[1])
}
