package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A rule limits what the packages that match from may import from the module. Patterns are
// paths below calbridge/; "x/..." stands for x and all packages below it.
type rule struct {
	from  string
	only  string // "" with never: all but those
	never string
	why   string
}

// rules returns the rules besides the order of the layers. The first pattern of a rule names
// the part of the tree that it protects.
func rules() []rule {
	return []rule{
		// Pure functions on values must not know a site, a request or a database.
		{from: "i18n wpstore/php wpstore/collation wpstore/invalidation wpstore/guard wpstore/statedir wpstore/mysqlwire wpstore/ddl wpstore/table wpstore/dbaddr rest/trait", only: "wpstore/guard", why: "it is a leaf, which can be read and tested alone"},
		{from: "rest/phpdate rest/phpform rest/phpjson rest/wpcap", only: "wpstore/php", why: "PHP's rules depend on PHP's values only"},
		{from: "wpstore/phpserial wpstore/phptoken wpstore/wpconfig wpstore/langpack wpstore/wpfolder", only: "wpstore/php wpstore/phptoken wpstore/langpack", why: "reading files of a site needs no site"},
		{from: "rest/wptext/...", only: "rest/wptext/... rest/trait rest/phpjson wpstore/php wpstore/phpserial", why: "texts depend on values that the caller has loaded"},

		// The HTTP server.
		{from: "rest/...", never: "rest", why: "the root joins the packages below it, and none of them imports it"},
		{from: "rest/tribev1/eventlist rest/tribev1/read rest/tribev1/render/... rest/tribev1 rest/wprest rest/api", never: "rest/tribev1/edit wpstore/edit wpstore/rowedit", why: "reading must not depend on writing"},
		{from: "rest/wprest rest/calendar rest/picture rest/tribev1 rest/tribev1/eventlist rest/tribev1/read rest/tribev1/render/... rest/export rest/calfeed", never: "wpstore/sitedb wpstore/posts wpstore/terms wpstore/events wpstore/tickets wpstore/users wpstore/options", why: "what reads knows stores by calendar.Stores, which a test can fake"},
		{from: "rest/wprest rest/calendar rest/authz rest/login rest/respcache", never: "rest/tribev1/...", why: "the engine and what APIs share know no API in particular"},
		{from: "rest/tribev1/edit", never: "rest/tribev1/read", why: "reading and writing share what stands below both"},
		{from: "rest/api rest/wprest rest/tribev1 rest/login rest/respcache", never: "rest/tribev1/render/... rest/tribev1/read rest/tribev1/edit rest/tribev1/openapi", why: "the frame of a request does not know its handlers"},
		{from: "rest/rollout rest/proof rest/notice", never: "rest rest/tribev1/... rest/wprest wpstore/sitedb", why: "what stands beside the server knows responses, not how they are made"},
		{from: "rest/fragment", only: "wpstore/invalidation", why: "fragments are bytes and tags, whatever they mean"},
		{from: "rest/changes/stream", only: "wpstore/guard", why: "streams send what they are given"},

		{from: dialect, only: "rest/wprest rest/api rest/calendar rest/trait wpstore wpstore/php", why: "an API is one package above the engine, what APIs share, and the store"},

		// The store.
		{from: "wpstore/...", never: "wpstore/sitedb", why: "only cmd, rest and test data compose the stores"},
		{from: "wpstore/changefeed/... wpstore/binlog", never: "wpstore/sitedb wpstore/events wpstore/eventindex wpstore/posts wpstore/terms wpstore/options wpstore/rowcache", why: "what caches follow the feed, not the other way"},
		{from: "wpstore/sqlconn/...", never: "wpstore/posts wpstore/terms wpstore/options wpstore/events wpstore/edit wpstore/rowedit", why: "it runs SQL for stores that it does not know"},
		{from: "wpstore/posts wpstore/terms wpstore/users wpstore/tickets wpstore/options wpstore/events", never: "wpstore/edit", why: "reading must not depend on writing"},

		// Quality assurance.
		{from: "compat/diff", never: "compat/explain compat/rules compat/replay compat/report", why: "differences are found before anything is said about them"},
		{from: "compat/explain", only: "compat/diff compat/jsontree compat/recording compat/wprest", why: "causes are named without knowing how answers are fetched or reported"},

		// Wiring.
		{from: "cmd/calbridge/...", never: "cmd/bench", why: "programs share packages, not each other"},
		{from: "cmd/calbridge/httpserver cmd/calbridge/cmdline cmd/calbridge/buildinfo cmd/calbridge/mirror", never: "cmd/calbridge/site cmd/calbridge/settings cmd/calbridge/app cmd/calbridge/daemon", why: "it serves any program"},
	}
}

// exempt returns imports that a rule forbids but that are permitted for a reason.
func exempt() map[string]string {
	return map[string]string{
		"wpstore/sample -> wpstore/sitedb": "the demo's calendar is written through the same store as a site",
	}
}

// testSupport returns the packages that only tests and test support may import.
func testSupport() []string {
	return []string{"testdata", "wpstore/wptest", "wpstore/wptest/rowtest", "rest/wptext/sitetest", "rest/wptext/texttest", "compat/compattest", "rest/tribev1/openapi/contract", "rest/wprest/dialecttest", "rest/tribev1/requesttest"}
}

// dialect is the test support that is held to a rule: it shows what an API needs to import.
const dialect = "rest/wprest/dialecttest"

// layers returns the layers from the top down: each may import the layers after it. compat and
// docker stand apart.
func layers() []string { return []string{"cmd", "rest", "wpstore", "i18n"} }

// TestImports checks each import of the module against the layers and the rules.
func TestImports(t *testing.T) {
	used := map[string]bool{}
	for _, p := range packages(t) {
		for _, imported := range p.imports {
			if slices.Contains(testSupport(), imported) && !slices.Contains(testSupport(), p.path) {
				t.Errorf("%s imports %s, which is for tests only: what it needs of that belongs elsewhere", p.path, imported)
			}
			if slices.Contains(testSupport(), p.path) && p.path != dialect {
				continue
			}
			arrow := p.path + " -> " + imported
			for _, r := range rules() {
				if !r.forbids(p.path, imported) {
					continue
				}
				if exempt()[arrow] != "" {
					used[arrow] = true
					continue
				}
				t.Errorf("%s imports %s: %s", p.path, imported, r.why)
			}
		}
		for _, imported := range append(p.imports, p.testImports...) {
			if why := against(p.path, imported); why != "" {
				t.Errorf("%s imports %s: %s", p.path, imported, why)
			}
		}
	}
	for arrow := range exempt() {
		if !used[arrow] {
			t.Errorf("%s is exempt, but nothing forbids it, or it is gone: remove it", arrow)
		}
	}
}

// mostDepth bounds the longest chain of imports. It may only shrink.
const mostDepth = 16

// TestDepth bounds the longest chain of imports, from a program to a package without imports.
func TestDepth(t *testing.T) {
	imports := map[string][]string{}
	for _, p := range packages(t) {
		imports[p.path] = p.imports
	}
	chains := map[string][]string{}
	var chain func(path string) []string
	chain = func(path string) []string {
		if found, known := chains[path]; known {
			return found
		}
		var longest []string
		for _, imported := range imports[path] {
			if below := chain(imported); len(below) > len(longest) {
				longest = below
			}
		}
		chains[path] = append([]string{path}, longest...)
		return chains[path]
	}
	for path := range imports {
		if found := chain(path); len(found) > mostDepth {
			t.Errorf("%d packages in a chain, at most %d may be: %s", len(found), mostDepth, strings.Join(found, " → "))
		}
	}
}

// TestRules checks that the packages of each rule exist; otherwise the rule protects nothing.
func TestRules(t *testing.T) {
	there := map[string]bool{}
	for _, p := range packages(t) {
		there[p.path] = true
	}
	for _, r := range rules() {
		if r.why == "" || r.only != "" && r.never != "" {
			t.Errorf("the rule of %s is incomplete", r.from)
		}
		for pattern := range strings.FieldsSeq(r.from + " " + r.only + " " + r.never) {
			if path := strings.TrimSuffix(pattern, "/..."); !there[path] {
				t.Errorf("the rule of %s names %s, which does not exist", r.from, path)
			}
		}
	}
}

// forbids reports whether the rule forbids an import.
func (r rule) forbids(from, to string) bool {
	if !matches(r.from, from) || from == to {
		return false
	}
	if r.never != "" {
		return matches(r.never, to)
	}
	return !matches(r.only, to)
}

// matches reports whether one of the patterns stands for a package.
func matches(patterns, path string) bool {
	for pattern := range strings.FieldsSeq(patterns) {
		if covers(pattern, path) {
			return true
		}
	}
	return false
}

// against returns the layer rule that an import breaks, or "". It also covers imports of
// tests.
func against(from, to string) string {
	order := layers()
	switch a, b := layer(from), layer(to); {
	case a == "docker" || b == "testdata":
	case a == "compat" && b != "compat":
		return "compat must stay apart from the server"
	case b == "compat" && a != "compat" && a != "cmd":
		return "only cmd wires compat in"
	case a != "compat" && b != "compat" && slices.Index(order, b) < slices.Index(order, a):
		return "imports run " + strings.Join(order, " → ")
	}
	return ""
}

// layer returns the top-level folder of a package.
func layer(path string) string {
	top, _, _ := strings.Cut(path, "/")
	return top
}

// covers reports whether a pattern of a rule stands for a package.
func covers(pattern, path string) bool {
	root, all := strings.CutSuffix(pattern, "/...")
	return path == root || all && strings.HasPrefix(path, root+"/")
}

// modulePackage is a package with its path in the module and its imports from the module.
type modulePackage struct {
	path                 string
	imports, testImports []string
}

func packages(t *testing.T) []modulePackage {
	t.Helper()
	const module = "calbridge/"
	const format = `{{.ImportPath}};{{join .Imports " "}};{{join .TestImports " "}} {{join .XTestImports " "}}`
	out, err := exec.Command("go", "list", "-f", format, module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	own := func(list string) (paths []string) {
		for name := range strings.FieldsSeq(list) {
			if path, ok := strings.CutPrefix(name, module); ok {
				paths = append(paths, path)
			}
		}
		return paths
	}
	var found []modulePackage
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(line, ";")
		found = append(found, modulePackage{strings.TrimPrefix(fields[0], module), own(fields[1]), own(fields[2])})
	}
	if len(found) < len(layers()) {
		t.Fatalf("go list found only %d packages", len(found))
	}
	return found
}
