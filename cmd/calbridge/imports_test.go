package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestImportDirection enforces that imports run one way: cmd, rest, wpstore,
// i18n; and that compat, which judges the server, shares nothing with it.
func TestImportDirection(t *testing.T) {
	layers := []string{"cmd", "rest", "wpstore", "i18n"}
	rank := map[string]int{}
	for i, l := range layers {
		rank[l] = i
	}
	const format = `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}{{range .TestImports}} {{.}}{{end}}{{range .XTestImports}} {{.}}{{end}}`
	out, err := exec.Command("go", "list", "-f", format, "calbridge/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := 0
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(line)
		from := layer(names[0])
		packages++
		for _, imported := range names[1:] {
			to := layer(imported)
			if to == "" {
				continue
			}
			if from == "compat" && to != "compat" {
				t.Errorf("%s imports %s: compat must stay apart from the server", names[0], imported)
			}
			if from != "cmd" && from != "compat" && to == "compat" {
				t.Errorf("%s imports %s: only cmd wires compat in", names[0], imported)
			}
			if from != "compat" && to != "compat" && rank[to] < rank[from] {
				t.Errorf("%s imports %s: imports run %s", names[0], imported, strings.Join(layers, " → "))
			}
		}
	}
	if packages < len(layers) {
		t.Fatalf("go list found only %d packages", packages)
	}
}

// layer is the top-level folder of a package of this module, "" for others.
func layer(path string) string {
	rest, ok := strings.CutPrefix(path, "calbridge/")
	if !ok {
		return ""
	}
	top, _, _ := strings.Cut(rest, "/")
	return top
}
