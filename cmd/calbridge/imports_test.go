package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport returns a row for each package of the module: its path below calbridge/, and
// the packages of the module that its code, tests aside, may import. "x/..." stands
// for x and all below it but test support.
//
// A row shows what a package is: those without imports are leaves, which can be read
// and tested alone. Before a row becomes longer, see whether the package should take
// what it needs as a parameter instead.
func mayImport() [][2]string {
	return [][2]string{
		// Programs.
		{"cmd/bench", "rest/wpauth wpstore/mariadbd wpstore/mysqlwire wpstore/sample wpstore/sitedb wpstore/sqlconn wpstore/synthetic wpstore/table"},
		{"cmd/calbridge", "cmd/calbridge/app"},
		{"cmd/calbridge/app", "cmd/calbridge/buildinfo cmd/calbridge/cachesync cmd/calbridge/cmdline cmd/calbridge/console cmd/calbridge/daemon cmd/calbridge/demo cmd/calbridge/demopage cmd/calbridge/httpserver cmd/calbridge/logging cmd/calbridge/mirror cmd/calbridge/settings cmd/calbridge/site cmd/calbridge/sitecheck cmd/calbridge/sitecompare compat compat/diff compat/profile compat/record compat/recording compat/replay compat/report compat/rules rest/metrics rest/proof rest/sitefacts rest/wptext wpstore wpstore/check wpstore/sitedb wpstore/sqlite"},
		{"cmd/calbridge/buildinfo", ""},
		{"cmd/calbridge/cachesync", "rest rest/changes rest/metrics rest/notice wpstore/changefeed wpstore/check wpstore/eventindex wpstore/guard wpstore/invalidation wpstore/journal wpstore/sitedb"},
		{"cmd/calbridge/cmdline", ""},
		{"cmd/calbridge/companion", "rest/notice wpstore/guard wpstore/rowedit"},
		{"cmd/calbridge/console", "cmd/calbridge/diffmode cmd/calbridge/httpserver rest/api rest/proof"},
		{"cmd/calbridge/daemon", "cmd/calbridge/buildinfo cmd/calbridge/companion cmd/calbridge/console cmd/calbridge/httpserver cmd/calbridge/logging cmd/calbridge/memlimit cmd/calbridge/ratelimit cmd/calbridge/settings cmd/calbridge/site rest/metrics wpstore/guard"},
		{"cmd/calbridge/demo", "rest/wpauth wpstore wpstore/sample wpstore/sitedb"},
		{"cmd/calbridge/demopage", "cmd/calbridge/httpserver rest/api"},
		{"cmd/calbridge/diffmode", "cmd/calbridge/logging compat/diff compat/recording compat/rules compat/verdict rest/api rest/feed rest/rollout rest/routes"},
		{"cmd/calbridge/httpserver", ""},
		{"cmd/calbridge/logging", "rest/api"},
		{"cmd/calbridge/memlimit", ""},
		{"cmd/calbridge/mirror", "wpstore/sqlite"},
		{"cmd/calbridge/ratelimit", "rest/api"},
		{"cmd/calbridge/settings", "cmd/calbridge/cachesync cmd/calbridge/cmdline cmd/calbridge/companion cmd/calbridge/diffmode cmd/calbridge/logging compat/diff rest/api rest/proof rest/rollout rest/wpauth wpstore/wpconfig"},
		{"cmd/calbridge/site", "cmd/calbridge/buildinfo cmd/calbridge/cachesync cmd/calbridge/companion cmd/calbridge/diffmode cmd/calbridge/httpserver cmd/calbridge/logging cmd/calbridge/ratelimit cmd/calbridge/settings cmd/calbridge/sitecheck cmd/calbridge/sitecompare compat/recording compat/rules rest rest/api rest/edit rest/feed rest/login rest/metrics rest/notice rest/picture rest/proof rest/prooffile rest/rollout rest/routes rest/sitefacts rest/wpsite rest/wptext wpstore/check wpstore/guard wpstore/invalidation wpstore/sitedb wpstore/sqlconn wpstore/table"},
		{"cmd/calbridge/sitecheck", "cmd/calbridge/cmdline cmd/calbridge/companion cmd/calbridge/httpserver cmd/calbridge/settings i18n rest/api rest/notice rest/phpdate rest/rollout rest/sitefacts rest/wpauth rest/wpsite rest/wptext wpstore wpstore/check wpstore/php wpstore/sitedb wpstore/wpfolder"},
		{"cmd/calbridge/sitecompare", "compat/diff compat/excerpt compat/jsontree compat/recording compat/replay compat/rules compat/verdict compat/wire i18n rest/rollout wpstore/check"},
		{"cmd/calbridge/systemtest", ""},

		// The comparison knows the server by HTTP only.
		{"compat", "compat/profile compat/record compat/recording compat/replay compat/report compat/wire compat/wprest"},
		{"compat/compattest", "compat/recording"},
		{"compat/coverage", "compat/recording compat/wprest"},
		{"compat/diff", "compat/excerpt compat/jsontree"},
		{"compat/excerpt", ""},
		{"compat/jsontree", ""},
		{"compat/profile", "compat/jsontree compat/recording compat/wprest"},
		{"compat/record", "compat/diff compat/jsontree compat/profile compat/recording compat/verdict compat/wire compat/wprest"},
		{"compat/recording", ""},
		{"compat/replay", "compat/coverage compat/diff compat/excerpt compat/recording compat/rules compat/verdict compat/wire compat/wprest"},
		{"compat/report", "compat/coverage compat/diff compat/recording compat/replay compat/rules compat/verdict"},
		{"compat/rules", "compat/diff compat/jsontree compat/recording"},
		{"compat/verdict", "compat/diff compat/excerpt compat/recording compat/rules"},
		{"compat/wire", "compat/recording"},
		{"compat/wprest", "compat/jsontree compat/recording"},

		// Tests of what is packaged.
		{"docker", ""},
		{"docker/wordpress", ""},

		// The interface.
		{"rest", "i18n rest/access rest/api rest/apipage rest/calfeed rest/changes rest/changes/stream rest/edit rest/export rest/feed rest/fields rest/login rest/lookup rest/openapi rest/phpform rest/phpjson rest/picture rest/read rest/render rest/respcache rest/routes rest/trait rest/wpauth rest/wpsite rest/wptext/escape wpstore wpstore/guard wpstore/invalidation wpstore/journal wpstore/php wpstore/sitedb"},
		{"rest/access", "rest/api rest/wpauth rest/wpcap rest/wpsite wpstore wpstore/php"},
		{"rest/api", "i18n rest/phpform rest/phpjson rest/trait wpstore wpstore/invalidation wpstore/langpack wpstore/php"},
		{"rest/apipage", "rest/api rest/routes"},
		{"rest/calfeed", "rest/api rest/phpform rest/read rest/render rest/render/calevent rest/rfc5545 rest/routes wpstore wpstore/php wpstore/sitedb"},
		{"rest/changes", "rest/api rest/changes/stream rest/lookup rest/phpjson rest/read rest/render rest/routes rest/wpsite wpstore wpstore/eventindex wpstore/invalidation wpstore/journal wpstore/options wpstore/php wpstore/sitedb"},
		{"rest/changes/stream", "wpstore/guard"},
		{"rest/cost", "rest/api rest/ticketing rest/wpsite rest/wptext/escape rest/wptext/sanitize rest/wptext/typography wpstore wpstore/php"},
		{"rest/edit", "i18n rest/access rest/api rest/cost rest/phpdate rest/picture rest/render rest/render/loader rest/render/termjson rest/routes rest/wpcap rest/wpsite rest/wptext/blockparse rest/wptext/escape rest/wptext/kses rest/wptext/sanitize wpstore wpstore/edit wpstore/langplugin wpstore/php wpstore/phpserial wpstore/rowedit wpstore/sitedb"},
		{"rest/fields", "wpstore/php"},
		{"rest/login", "i18n rest/api rest/trait rest/wpauth rest/wpcap rest/wpsite rest/wptext/sanitize wpstore wpstore/guard wpstore/invalidation wpstore/php wpstore/phpserial wpstore/sitedb"},
		{"rest/lookup", "i18n rest/api rest/phpform rest/wpcap rest/wpsite rest/wptext/sanitize wpstore wpstore/php wpstore/sitedb"},
		{"rest/metrics", "rest/api rest/changes rest/changes/stream rest/notice rest/proof rest/rollout rest/routes wpstore wpstore/eventindex wpstore/sqlconn wpstore/sqlconn/replicas"},
		{"rest/notice", "wpstore/guard"},
		{"rest/openapi", "rest/api rest/phpjson rest/routes rest/trait rest/wpsite wpstore/php"},
		{"rest/phpdate", "wpstore/php"},
		{"rest/phpform", "wpstore/php"},
		{"rest/phpjson", "wpstore/php"},
		{"rest/picture", "rest/access rest/api rest/wpsite rest/wptext/escape rest/wptext/sanitize wpstore wpstore/edit wpstore/php wpstore/phpserial wpstore/posts wpstore/sitedb"},
		{"rest/export", "i18n rest/api rest/feed rest/ical rest/phpdate rest/read rest/render rest/render/calevent rest/render/loader rest/routes rest/wpsite wpstore wpstore/events wpstore/php"},
		{"rest/feed", "rest/phpform wpstore/php"},
		{"rest/ical", "rest/phpdate rest/wptext/escape rest/wptext/sanitize rest/wptext/scan"},
		{"rest/read", "i18n rest/api rest/fields rest/phpform rest/phpjson rest/render rest/render/termjson rest/routes rest/trait rest/wpsite rest/wptext/escape rest/wptext/sanitize wpstore wpstore/php wpstore/terms"},
		{"rest/render", "i18n rest/access rest/api rest/cost rest/fields rest/phpdate rest/phpjson rest/render/calevent rest/render/jsonld rest/render/loader rest/render/termjson rest/trait rest/wpsite rest/wptext rest/wptext/content rest/wptext/escape rest/wptext/images rest/wptext/typography wpstore wpstore/php wpstore/phpserial wpstore/sitedb wpstore/tickets"},
		{"rest/render/calevent", "i18n rest/access rest/api rest/ical rest/phpdate rest/render/loader rest/rfc5545 rest/wpsite rest/wptext rest/wptext/content rest/wptext/images rest/wptext/typography wpstore wpstore/php wpstore/phpserial"},
		{"rest/render/jsonld", "rest/access rest/api rest/cost rest/phpdate rest/phpform rest/phpjson rest/render/loader rest/trait rest/wpsite rest/wptext rest/wptext/content rest/wptext/escape rest/wptext/typography wpstore wpstore/php wpstore/phpserial"},
		{"rest/render/loader", "i18n rest/access rest/api rest/wpsite rest/wptext rest/wptext/content rest/wptext/typography wpstore wpstore/php wpstore/phpserial wpstore/posts"},
		{"rest/render/termjson", "rest/access rest/api rest/fields rest/phpform rest/phpjson rest/trait rest/wpsite wpstore wpstore/php wpstore/terms"},
		{"rest/proof", "rest/api wpstore/invalidation"},
		{"rest/prooffile", "rest/proof wpstore/guard wpstore/statedir"},
		{"rest/respcache", "rest/api rest/wpauth wpstore/guard wpstore/invalidation"},
		{"rest/rfc5545", "rest/phpdate rest/wptext/sanitize"},
		{"rest/rollout", "rest/api rest/proof wpstore/guard"},
		{"rest/routes", "rest/access rest/api rest/lookup rest/phpjson rest/picture rest/trait rest/wpcap rest/wpsite wpstore wpstore/php wpstore/sitedb wpstore/terms"},
		{"rest/sitefacts", "rest/notice rest/ticketing rest/trait rest/wptext rest/wptext/typography wpstore wpstore/langpack wpstore/php wpstore/phpserial wpstore/wpfolder"},
		{"rest/ticketing", "wpstore wpstore/php"},
		{"rest/trait", ""},
		{"rest/wpauth", "rest/phpform rest/wptext/sanitize wpstore/php"},
		{"rest/wpcap", "wpstore/php"},
		{"rest/wpsite", "i18n rest/api rest/phpdate rest/phpform rest/ticketing rest/trait rest/wpauth rest/wpcap rest/wptext rest/wptext/sanitize rest/wptext/typography wpstore wpstore/langpack wpstore/php"},
		{"rest/wptext", "rest/trait rest/wptext/typography wpstore/php"},
		{"rest/wptext/blockparse", "rest/phpjson rest/wptext/scan wpstore/php"},
		{"rest/wptext/blocks", "rest/phpjson rest/trait rest/wptext rest/wptext/blockparse rest/wptext/embed rest/wptext/escape rest/wptext/markup rest/wptext/paragraph rest/wptext/sanitize rest/wptext/scan rest/wptext/shortcode rest/wptext/typography wpstore/php wpstore/phpserial"},
		{"rest/wptext/content", "rest/trait rest/wptext rest/wptext/blocks rest/wptext/embed rest/wptext/escape rest/wptext/images rest/wptext/kses rest/wptext/media rest/wptext/paragraph rest/wptext/sanitize rest/wptext/scan rest/wptext/shortcode rest/wptext/typography wpstore/php"},
		{"rest/wptext/embed", "rest/wptext rest/wptext/escape rest/wptext/markup rest/wptext/scan rest/wptext/shortcode wpstore/php wpstore/phpserial"},
		{"rest/wptext/escape", "rest/wptext/scan wpstore/php"},
		{"rest/wptext/images", "rest/trait rest/wptext rest/wptext/escape rest/wptext/markup rest/wptext/sanitize rest/wptext/scan wpstore/php"},
		{"rest/wptext/kses", "rest/wptext/blockparse rest/wptext/escape rest/wptext/markup rest/wptext/scan wpstore/php"},
		{"rest/wptext/markup", "rest/wptext/scan"},
		{"rest/wptext/media", "rest/trait rest/wptext rest/wptext/escape rest/wptext/images rest/wptext/kses rest/wptext/scan rest/wptext/shortcode rest/wptext/typography wpstore/php"},
		{"rest/wptext/paragraph", "rest/wptext/markup rest/wptext/scan rest/wptext/shortcode wpstore/php"},
		{"rest/wptext/sanitize", "rest/wptext/escape rest/wptext/scan wpstore/php"},
		{"rest/wptext/scan", ""},
		{"rest/wptext/shortcode", "rest/wptext/markup rest/wptext/scan wpstore/php"},
		{"rest/wptext/typography", "rest/wptext/escape rest/wptext/markup rest/wptext/scan rest/wptext/shortcode wpstore/php"},

		// The store.
		{"wpstore", "i18n wpstore/php"},
		{"wpstore/binlog", "wpstore/guard wpstore/mysqlwire"},
		{"wpstore/changefeed", "wpstore/binlog wpstore/changefeed/rowtags wpstore/guard wpstore/invalidation wpstore/sqlconn wpstore/sqlconn/node wpstore/table"},
		{"wpstore/changefeed/rowtags", "wpstore/binlog wpstore/invalidation wpstore/sqlconn"},
		{"wpstore/check", "wpstore wpstore/binlog wpstore/changefeed wpstore/options wpstore/schema wpstore/sqlconn wpstore/sqlconn/charset wpstore/sqlconn/dialect wpstore/sqlconn/replicas wpstore/table"},
		{"wpstore/collation", ""},
		{"wpstore/ddl", ""},
		{"wpstore/edit", "wpstore wpstore/langplugin wpstore/php wpstore/phpserial wpstore/rowedit wpstore/sqlconn wpstore/sqlconn/charset wpstore/terms"},
		{"wpstore/eventindex", "i18n wpstore wpstore/guard wpstore/invalidation"},
		{"wpstore/events", "i18n wpstore wpstore/eventindex wpstore/invalidation wpstore/langplugin wpstore/options wpstore/php wpstore/sqlconn wpstore/sqlconn/dialect wpstore/table wpstore/tickets"},
		{"wpstore/guard", ""},
		{"wpstore/invalidation", ""},
		{"wpstore/journal", "wpstore wpstore/eventindex wpstore/guard wpstore/invalidation wpstore/sqlite wpstore/statedir"},
		{"wpstore/langpack", "wpstore/phptoken"},
		{"wpstore/langplugin", "i18n wpstore wpstore/changefeed/rowtags wpstore/rowedit wpstore/sqlconn"},
		{"wpstore/mariadbd", ""},
		{"wpstore/mysqlwire", "wpstore/guard"},
		{"wpstore/options", "i18n wpstore wpstore/langplugin wpstore/php wpstore/phpserial wpstore/rowedit wpstore/sqlconn wpstore/sqlconn/charset wpstore/table"},
		{"wpstore/php", ""},
		{"wpstore/phpserial", "wpstore/php"},
		{"wpstore/phptoken", ""},
		{"wpstore/polylang", "i18n wpstore wpstore/changefeed/rowtags wpstore/langplugin wpstore/php wpstore/phpserial wpstore/rowedit wpstore/sqlconn wpstore/sqlconn/dialect wpstore/table wpstore/terms"},
		{"wpstore/posts", "i18n wpstore wpstore/invalidation wpstore/langplugin wpstore/rowcache wpstore/sqlconn wpstore/table wpstore/terms"},
		{"wpstore/rowcache", "i18n wpstore wpstore/invalidation"},
		{"wpstore/rowedit", "wpstore wpstore/invalidation wpstore/php wpstore/phpserial wpstore/sqlconn wpstore/sqlconn/charset wpstore/table wpstore/verified"},
		{"wpstore/sample", "wpstore wpstore/php wpstore/phpserial wpstore/sitedb"},
		{"wpstore/schema", "wpstore/ddl"},
		{"wpstore/sitedb", "i18n wpstore wpstore/changefeed wpstore/check wpstore/ddl wpstore/edit wpstore/eventindex wpstore/events wpstore/guard wpstore/invalidation wpstore/langplugin wpstore/options wpstore/php wpstore/polylang wpstore/posts wpstore/rowcache wpstore/rowedit wpstore/schema wpstore/sqlconn wpstore/table wpstore/terms wpstore/tickets wpstore/users wpstore/verified wpstore/wpml"},
		{"wpstore/sqlconn", "wpstore wpstore/guard wpstore/invalidation wpstore/sqlconn/ask wpstore/sqlconn/charset wpstore/sqlconn/dialect wpstore/sqlconn/mysqlconn wpstore/sqlconn/node wpstore/sqlconn/replicas wpstore/sqlconn/rowset wpstore/sqlconn/server"},
		{"wpstore/sqlconn/ask", ""},
		{"wpstore/sqlconn/charset", "wpstore/sqlconn/dialect"},
		{"wpstore/sqlconn/dialect", "wpstore/binlog wpstore/collation wpstore/ddl"},
		{"wpstore/sqlconn/mysqlconn", "wpstore/guard wpstore/mysqlwire wpstore/sqlconn/rowset"},
		{"wpstore/sqlconn/node", "wpstore/binlog wpstore/sqlconn/ask wpstore/sqlconn/dialect"},
		{"wpstore/sqlconn/replicas", "wpstore/guard wpstore/sqlconn/ask wpstore/sqlconn/dialect wpstore/sqlconn/node wpstore/sqlconn/server"},
		{"wpstore/sqlconn/rowset", "wpstore/mysqlwire"},
		{"wpstore/sqlconn/server", "wpstore wpstore/guard wpstore/sqlconn/charset wpstore/sqlconn/dialect wpstore/sqlconn/mysqlconn wpstore/sqlite"},
		{"wpstore/sqlite", "wpstore/collation"},
		{"wpstore/statedir", ""},
		{"wpstore/synthetic", "wpstore/php wpstore/phpserial"},
		{"wpstore/table", ""},
		{"wpstore/terms", "i18n wpstore wpstore/invalidation wpstore/langplugin wpstore/rowcache wpstore/sqlconn wpstore/table"},
		{"wpstore/tickets", "wpstore wpstore/sqlconn wpstore/sqlconn/dialect wpstore/table"},
		{"wpstore/users", "wpstore wpstore/sqlconn wpstore/table"},
		{"wpstore/verified", "wpstore"},
		{"wpstore/wpconfig", "wpstore/php wpstore/phptoken"},
		{"wpstore/wpfolder", "wpstore/langpack wpstore/phptoken"},
		{"wpstore/wpml", "i18n wpstore wpstore/changefeed/rowtags wpstore/invalidation wpstore/langplugin wpstore/php wpstore/phpserial wpstore/rowedit wpstore/sqlconn wpstore/sqlconn/dialect wpstore/table"},

		// Languages.
		{"i18n", ""},

		// Test support.
		{"rest/wptext/sitetest", "rest/trait rest/wptext rest/wptext/texttest rest/wptext/typography wpstore/php wpstore/phpserial"},
		{"rest/wptext/texttest", "testdata"},
		{"rest/openapi/contract", ""},
		{"wpstore/wptest", "testdata wpstore wpstore/collation wpstore/ddl wpstore/mariadbd wpstore/sqlite wpstore/synthetic"},
		{"wpstore/wptest/rowtest", "wpstore/rowedit wpstore/schema wpstore/sqlconn wpstore/table"},
	}
}

// testSupport returns the packages that only tests and test support may import.
func testSupport() []string {
	return []string{"testdata", "wpstore/wptest", "wpstore/wptest/rowtest", "rest/openapi/contract", "rest/wptext/sitetest", "rest/wptext/texttest"}
}

// layers run from the top down: each may import those after it. compat and docker
// stand apart.
func layers() []string { return []string{"cmd", "rest", "wpstore", "i18n"} }

// TestImports holds the code of each package to its row, and tests to the layers.
func TestImports(t *testing.T) {
	rows := map[string][]string{}
	for _, row := range mayImport() {
		if _, twice := rows[row[0]]; twice {
			t.Errorf("mayImport has two rows for %s", row[0])
		}
		rows[row[0]] = strings.Fields(row[1])
	}
	there := map[string]bool{"testdata": true} // which go list leaves out
	for _, p := range packages(t) {
		there[p.path] = true
		row, ok := rows[p.path]
		if !ok {
			t.Errorf("%s has no row in mayImport: add {%q, %q}, if it may import what it does", p.path, p.path, strings.Join(p.imports, " "))
			continue
		}
		for _, imported := range p.imports {
			switch {
			case slices.Contains(testSupport(), imported) && !slices.Contains(testSupport(), p.path):
				t.Errorf("%s imports %s, which is for tests only: what it needs of that belongs elsewhere", p.path, imported)
			case !slices.ContainsFunc(row, func(pattern string) bool { return covers(pattern, imported) }):
				t.Errorf("%s imports %s, which its row in mayImport does not allow", p.path, imported)
			}
		}
		for _, imported := range append(p.imports, p.testImports...) {
			if why := against(p.path, imported); why != "" {
				t.Errorf("%s imports %s: %s", p.path, imported, why)
			}
		}
	}
	for path, row := range rows {
		for _, name := range append(row, path) {
			if !there[strings.TrimSuffix(name, "/...")] {
				t.Errorf("the row of %s in mayImport names %s, which there is not: remove it", path, name)
			}
		}
	}
}

// against returns the layer rule that an import breaks, also one of a test; "" for none.
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

// covers reports whether a pattern of a row stands for a package.
func covers(pattern, path string) bool {
	root, all := strings.CutSuffix(pattern, "/...")
	return path == root || all && strings.HasPrefix(path, root+"/")
}

// modulePackage is a package by its path in the module, with what it imports of it.
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
