package main

import (
	"os/exec"
	"slices"
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
	packages := 0
	for _, names := range listed(t, `{{range .Imports}} {{.}}{{end}}{{range .TestImports}} {{.}}{{end}}{{range .XTestImports}} {{.}}{{end}}`, "calbridge/...") {
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

// TestRooms pins what the packages beside this one may import of each other; tests
// may import more. Settings know what they configure, the site and the process that
// serves it know settings, and only app knows all.
func TestRooms(t *testing.T) {
	const here = "calbridge/cmd/calbridge"
	allowed := map[string]string{
		"":            "/app",
		"/app":        "/buildinfo /cachesync /cmdline /daemon /demo /httpserver /logging /sdnotify /settings /site /sitecheck",
		"/buildinfo":  "",
		"/cachesync":  "",
		"/cmdline":    "",
		"/companion":  "",
		"/daemon":     "/buildinfo /companion /httpserver /logging /memlimit /ratelimit /sdnotify /settings /site",
		"/demo":       "",
		"/diffmode":   "/logging",
		"/httpserver": "",
		"/logging":    "",
		"/memlimit":   "",
		"/ratelimit":  "",
		"/sdnotify":   "",
		"/settings":   "/cachesync /cmdline /companion /diffmode /logging",
		"/site":       "/buildinfo /cachesync /companion /diffmode /httpserver /logging /ratelimit /settings /sitecheck",
		"/sitecheck":  "/companion /httpserver /settings",
		"/systemtest": "",
	}
	for _, names := range listed(t, `{{range .Imports}} {{.}}{{end}}`, here+"/...") {
		room := strings.TrimPrefix(names[0], here)
		may, known := allowed[room]
		if !known {
			t.Errorf("%s is new: say here what it may import", names[0])
		}
		for _, imported := range names[1:] {
			neighbour, isOne := strings.CutPrefix(imported, here)
			if isOne && !slices.Contains(strings.Fields(may), neighbour) {
				t.Errorf("%s imports %s, which it may not", names[0], imported)
			}
		}
	}
}

// listed returns each package's path and what the format lists of it.
func listed(t *testing.T, format, packages string) [][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}"+format, packages).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var lists [][]string
	for line := range strings.Lines(string(out)) {
		lists = append(lists, strings.Fields(line))
	}
	return lists
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
