package docker_test

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// module is the description of a module by go list.
type module struct {
	Path, Dir string
	Main      bool
}

// goJSON decodes what a go command prints: JSON values one after the other.
func goJSON[T any](t *testing.T, args ...string) []T {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = ".."
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	var all []T
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var one T
		if err := d.Decode(&one); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
}

var dependencyRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\| ([^|]+) \\|$")

// TestDependencies compares the table of dependencies with go.mod, with the modules
// linked into the binary, and with the licences in the modules.
func TestDependencies(t *testing.T) {
	wanted := map[string]bool{}
	for _, p := range goJSON[struct{ Module *module }](t, "list", "-deps", "-json=Module", "./cmd/calbridge") {
		if p.Module != nil && !p.Module.Main {
			wanted[p.Module.Path] = true
		}
	}
	linked := len(wanted)
	mod := goJSON[struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}](t, "mod", "edit", "-json")[0]
	for _, r := range mod.Require {
		wanted[r.Path] = wanted[r.Path] || !r.Indirect
	}
	tools := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.Module.Path}}", "tool")
	tools.Dir = ".."
	out, err := tools.Output()
	if err != nil {
		t.Fatalf("go list tool: %v", err)
	}
	for path := range strings.FieldsSeq(string(out)) {
		wanted[path] = true
	}
	if linked < 20 {
		t.Fatalf("only %d modules are linked", linked)
	}
	listed := map[string]string{}
	_, manual, _ := strings.Cut(read(t, "dependencies.md"), "\n## Dependencies\n")
	for _, m := range dependencyRow.FindAllStringSubmatch(manual, -1) {
		listed[m[1]] = m[2]
		if strings.TrimSpace(m[3]) == "" {
			t.Errorf("no reason for %s", m[1])
		}
	}
	for path, want := range wanted {
		if want && listed[path] == "" {
			t.Errorf("dependencies.md does not list %s", path)
		}
	}
	// What .ci/release runs has a build list of its own, in its own table.
	_, releasing, _ := strings.Cut(manual, "\n| tool | licence | what for |\n")
	for _, m := range goJSON[struct{ Module module }](t, "list", "-modfile=.ci/release.mod", "-json=Module", "tool") {
		row := "| `" + m.Module.Path + "` | " + licenceIn(t, m.Module.Dir) + " |"
		if !strings.Contains(releasing, row) {
			t.Errorf("dependencies.md lacks the row %s", row)
		}
		delete(listed, m.Module.Path)
	}
	for path, licence := range listed {
		if !wanted[path] {
			t.Errorf("dependencies.md lists %s, which is not used", path)
			continue
		}
		m := goJSON[module](t, "list", "-m", "-json=Path,Dir", path)[0]
		if got := licenceIn(t, m.Dir); got != licence {
			t.Errorf("%s has the licence %q, dependencies.md says %q", path, got, licence)
		}
	}
}

// licenceIn returns the name of the licence in a module's licence file.
func licenceIn(t *testing.T, dir string) string {
	t.Helper()
	var text string
	for _, name := range []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "License", "COPYING"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			text = strings.Join(strings.Fields(string(data)), " ")
			break
		}
	}
	found, first := "", len(text)
	for _, l := range []struct{ words, name string }{
		{"GNU GENERAL PUBLIC LICENSE", "GPL"},
		{"GNU LESSER GENERAL PUBLIC LICENSE", "LGPL"},
		{"Mozilla Public License Version 2.0", "MPL-2.0"},
		{"Apache License Version 2.0", "Apache-2.0"},
		{"Permission is hereby granted, free of charge", "MIT"},
		{"Redistribution and use in source and binary forms", "BSD-2-Clause"},
	} {
		if at := strings.Index(text, l.words); at >= 0 && at < first {
			found, first = l.name, at
		}
	}
	// The third clause.
	if found == "BSD-2-Clause" && (strings.Contains(text, "Neither the name") || strings.Contains(text, "may be used to endorse or promote")) {
		return "BSD-3-Clause"
	}
	return found
}
