package compat

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport are the packages of compat, each with those of compat that it may import;
// every one stands below those that it names.
var mayImport = []struct {
	name   string
	others string
}{
	{"excerpt", ""},
	{"jsontree", "excerpt"},
	{"recording", "excerpt"},
	{"compattest", "recording"},
	{"wire", "recording"},
	{"wprest", "jsontree recording"},
	{"diff", "excerpt jsontree recording"},
	{"rules", "diff jsontree recording"},
	{"verdict", "diff excerpt recording rules"},
	{"coverage", "recording wprest"},
	{"replay", "coverage diff excerpt recording rules verdict wire wprest"},
	{"report", "coverage diff recording replay rules verdict"},
	{"profile", "jsontree recording wprest"},
	{"record", "diff jsontree profile recording verdict wire wprest"},
	{"", "profile record recording replay report wire wprest"},
}

// TestImports holds the packages of compat to the table, and to importing no other
// package of this module.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "calbridge/compat/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	below := func(path string) string { return strings.Trim(strings.TrimPrefix(path, "calbridge/compat"), "/") }
	seen := 0
	for line := range strings.Lines(string(out)) {
		paths := strings.Fields(line)
		at := slices.IndexFunc(mayImport, func(p struct{ name, others string }) bool { return p.name == below(paths[0]) })
		if at < 0 {
			t.Errorf("%s: say in this table what it may import", paths[0])
			continue
		}
		seen++
		for _, path := range paths[1:] {
			if !strings.HasPrefix(path, "calbridge/") {
				continue
			}
			if !strings.HasPrefix(path, "calbridge/compat") || !slices.Contains(strings.Fields(mayImport[at].others), below(path)) {
				t.Errorf("%s may not import %s", paths[0], path)
			}
		}
		for _, other := range strings.Fields(mayImport[at].others) {
			if slices.IndexFunc(mayImport, func(p struct{ name, others string }) bool { return p.name == other }) >= at {
				t.Errorf("the table lets %s import %s, which does not stand above it", paths[0], other)
			}
		}
	}
	if seen != len(mayImport) {
		t.Errorf("%d packages found, the table has %d", seen, len(mayImport))
	}
}
