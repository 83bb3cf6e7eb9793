package docker_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var alertLine = regexp.MustCompile(`(?m)^ +- alert: (\w+)$`)

// alerts lists the names of all alerts in rules.yml.
func alerts(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, m := range alertLine.FindAllStringSubmatch(read(t, "prometheus/rules.yml"), -1) {
		names = append(names, m[1])
	}
	if len(names) == 0 {
		t.Fatal("rules.yml has no alerts")
	}
	return names
}

func TestRules(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	promtool := tool(t, "promtool")
	output(t, promtool, "check", "config", "prometheus/prometheus.yml")
	output(t, promtool, "check", "rules", "--lint=all", "--lint-fatal", "prometheus/rules.yml")
	output(t, promtool, "test", "rules", "prometheus/rules_test.yml")
}

// TestAlertsAreExplained checks that every alert has a unit test and a runbook entry.
func TestAlertsAreExplained(t *testing.T) {
	manual, tests := read(t, "runbook.md"), read(t, "prometheus/rules_test.yml")
	rules := read(t, "prometheus/rules.yml")
	names := alerts(t)
	for _, name := range names {
		_, entry, ok := strings.Cut(manual, "\n## "+name+"\n")
		if !ok {
			t.Errorf("runbook.md has no entry for %s", name)
			continue
		}
		entry, _, _ = strings.Cut(entry, "\n## ")
		for _, part := range []string{"**Means:**", "**Look at:**", "**Do:**"} {
			if !strings.Contains(entry, part) {
				t.Errorf("the runbook's entry for %s lacks %s", name, part)
			}
		}
		if !strings.Contains(tests, "- name: "+name+"\n") {
			t.Errorf("rules_test.yml has no test for %s", name)
		}
		if !strings.Contains(rules, "runbook_url: \"{{ $externalLabels.calbridge_runbook }}#"+strings.ToLower(name)+"\"\n") {
			t.Errorf("%s does not name its entry in the runbook", name)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^## (Calbridge\w+)$`).FindAllStringSubmatch(manual, -1) {
		if !slices.Contains(names, m[1]) {
			t.Errorf("the runbook explains %s, which is no alert", m[1])
		}
	}
}
