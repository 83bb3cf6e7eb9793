package wpfolder_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/wpstore/wpfolder"
)

// writeFiles writes files below dir, by names with slashes.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// site writes a WordPress folder with version.php and more files.
func site(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"wp-includes/version.php": "<?php\n$wp_version = '7.0.4';\n"})
	writeFiles(t, dir, files)
	return dir
}

func read(t *testing.T, dir string, q wpfolder.Query) *wpfolder.Folder {
	t.Helper()
	f, err := wpfolder.Read(t.Context(), dir, q)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// expectWarnings checks that there is one warning for each of want, "file: part of the
// problem", in this order.
func expectWarnings(t *testing.T, f *wpfolder.Folder, want ...string) {
	t.Helper()
	var got []string
	for _, w := range f.Warnings {
		got = append(got, w.File+": "+w.Problem)
	}
	matches := func(got, want string) bool {
		file, part, _ := strings.Cut(want, ": ")
		return strings.HasPrefix(got, file+": ") && strings.Contains(got, part)
	}
	if !slices.EqualFunc(got, want, matches) {
		t.Errorf("warnings\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestRead(t *testing.T) {
	dir := site(t, map[string]string{
		"wp-content/plugins/the-events-calendar/the-events-calendar.php": "<?php\n/**\n * Plugin Name: The Events Calendar\n * Version: 6.17.2\n */\n",
		"wp-content/plugins/hello.php":                                   "<?php /* Plugin Name: Hello */ add_filter('the_title', 'x');",
		"wp-content/plugins/blocker/blocker.php":                         "<?php\n# Plugin Name: Blocker\r# Version: 1.2 */ more\n",
		"wp-content/plugins/blocker/inc/rest.php":                        "<?php\n\nadd_filter( \"rest_authentication_errors\", fn( $e ) => $e );",
		"wp-content/plugins/inactive/inactive.php":                       "<?php add_filter('the_title', 'x');",
		"wp-content/mu-plugins/b.php":                                    "<?php add_action('rest_api_init', 'x'); add_action('init', 'x');",
		"wp-content/mu-plugins/a.php":                                    "<?php // add_filter('the_title', 'x');\n",
		"wp-content/mu-plugins/a/part.php":                               "<?php add_filter('the_title', 'x');",
		"wp-content/mu-plugins/calbridge-companion.php":                  "<?php add_filter('the_title', 'x');",
		"wp-content/mu-plugins/readme.txt":                               "add_filter('the_title', 'x');",
		"wp-content/object-cache.php":                                    "<?php\n",
		"wp-content/themes/plain/style.css":                              "/*\nTheme Name: Plain\nVersion: 3.1\n*/",
		"wp-content/themes/plain/theme.json":                             `{"version":3,"settings":{"layout":{"contentSize":"645px","wideSize":"1340px"}}}`,
		"wp-content/themes/plain/templates/index.html":                   "",
		"wp-content/themes/plain/functions.php":                          "<?php\nadd_filter('excerpt_more', fn() => '…');",
	})
	f := read(t, dir, wpfolder.Query{
		Stylesheet: "plain", Template: "plain",
		Plugins: []string{"the-events-calendar/the-events-calendar.php", "hello.php", "blocker/blocker.php", "gone/gone.php"},
		Hooks:   []string{"the_title", "rest_authentication_errors", "rest_api_init", "excerpt_more"},
	})
	want := &wpfolder.Folder{
		WordPress: "7.0.4",
		Plugins: map[string]wpfolder.Plugin{
			"the-events-calendar/the-events-calendar.php": {Name: "The Events Calendar", Version: "6.17.2"},
			"hello.php":           {Name: "Hello"},
			"blocker/blocker.php": {Name: "Blocker", Version: "1.2"},
		},
		MustUse: []string{"a.php", "b.php", "calbridge-companion.php"},
		DropIns: []string{"object-cache.php"},
		Theme:   wpfolder.Theme{Name: "Plain", Version: "3.1", Stylesheet: "plain", Template: "plain", JSON: true, ContentSize: "645px", Block: true},
		Hooks: []wpfolder.Hook{
			{Name: "the_title", File: "wp-content/mu-plugins/a/part.php", Line: 1},
			{Name: "rest_api_init", File: "wp-content/mu-plugins/b.php", Line: 1},
			{Name: "excerpt_more", File: "wp-content/themes/plain/functions.php", Line: 2},
			{Name: "the_title", File: "wp-content/plugins/hello.php", Line: 1},
			{Name: "rest_authentication_errors", File: "wp-content/plugins/blocker/inc/rest.php", Line: 3},
		},
		Warnings: []wpfolder.Warning{{
			File: "wp-content/plugins/gone/gone.php", Problem: "it does not exist, although the plugin is active",
		}},
	}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestReadConstants moves every folder that wp-config.php can move.
func TestReadConstants(t *testing.T) {
	dir, elsewhere := site(t, nil), t.TempDir()
	writeFiles(t, elsewhere, map[string]string{
		"plugins/a.php": "<?php // Version: 1\n",
		"must/b.php":    "<?php add_filter('the_title', 'x');",
		"lang/cs_CZ.mo": string(mo("Free", "Zdarma")),
	})
	writeFiles(t, dir, map[string]string{"content/themes/t/style.css": "Theme Name: T"})
	f := read(t, dir, wpfolder.Query{
		ContentDir: "content", PluginDir: elsewhere + "/plugins", MUPluginDir: elsewhere + "/must/", LangDir: elsewhere + "/lang",
		Stylesheet: "t", Locale: "cs_CZ", Plugins: []string{"a.php"}, Hooks: []string{"the_title"},
	})
	expectWarnings(t, f)
	if f.Plugins["a.php"].Version != "1" || f.Theme.Name != "T" || f.Packs.Core.Len() != 1 {
		t.Errorf("%+v", f)
	}
	want := []wpfolder.Hook{{Name: "the_title", File: elsewhere + "/must/b.php", Line: 1}}
	if diff := cmp.Diff(want, f.Hooks); diff != "" {
		t.Error(diff)
	}
}

// TestReadNothing reads folders that are no WordPress.
func TestReadNothing(t *testing.T) {
	if _, err := wpfolder.Read(t.Context(), filepath.Join(t.TempDir(), "gone"), wpfolder.Query{}); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("a folder that is not there: %v", err)
	}
	f := read(t, t.TempDir(), wpfolder.Query{
		Stylesheet: "t", Locale: "cs_CZ", Plugins: []string{"a/a.php"}, Hooks: []string{"the_title"}, LangDir: "/there/is/no/such/folder",
	})
	expectWarnings(t, f,
		"/there/is/no/such/folder: does not exist",
		"wp-includes/version.php: does not exist",
		"wp-content/plugins/a/a.php: does not exist",
		"wp-content/themes/t: does not exist",
		"/there/is/no/such/folder/cs_CZ.mo: no language pack of cs_CZ",
	)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := wpfolder.Read(ctx, site(t, nil), wpfolder.Query{}); err == nil {
		t.Error("no error after the context has ended")
	}
}

// TestReadLeadsOut reads links and names that lead out of the installation, and links that
// stay inside.
func TestReadLeadsOut(t *testing.T) {
	outside := t.TempDir()
	writeFiles(t, outside, map[string]string{
		"theme/style.css":     "Theme Name: Outside",
		"theme/functions.php": "<?php add_theme_support('html5', ['caption']);",
		"mu/a.php":            "<?php add_filter('the_title', 'x');",
		"plugin.php":          "<?php // Version: 1\n",
	})
	dir := site(t, map[string]string{
		"wp-content/themes/inside/style.css":  "Theme Name: Inside",
		"wp-content/plugins/real/real.php":    "<?php // Version: 2\n",
		"wp-content/plugins/other/linked.txt": "",
		"wp-config.php":                       "<?php // Version: 3\n",
	})
	link := func(target, name string) {
		t.Helper()
		if err := os.Symlink(target, filepath.Join(dir, "wp-content", name)); err != nil {
			t.Fatal(err)
		}
	}
	link(outside+"/theme", "themes/out")
	link("inside", "themes/relative")
	link(dir+"/wp-content/themes/inside", "themes/absolute")
	link(outside+"/mu", "mu-plugins")
	link(outside+"/plugin.php", "plugins/out.php")
	link(outside+"/gone.php", "plugins/dangling.php")
	link("loop.php", "plugins/loop.php")
	link(dir+"/wp-content/plugins/real", "plugins/linked")
	link("..", "plugins/real/up")

	f := read(t, dir, wpfolder.Query{Stylesheet: "out", Hooks: []string{"the_title"}, Plugins: []string{
		"out.php", "dangling.php", "loop.php", "linked/real.php", "../../wp-config.php", "/etc/passwd",
	}})
	expectWarnings(t, f,
		"wp-content/mu-plugins: a link leads out of the WordPress folder, to "+outside,
		"wp-content/plugins/out.php: a link leads out",
		"wp-content/plugins/dangling.php: does not exist",
		"wp-content/plugins/loop.php: symbolic links",
		"wp-config.php: the name leads out",
		"wp-content/plugins/etc/passwd: the name leads out",
		"wp-content/themes/out: a link leads out",
		"wp-content/plugins/linked/up: the folder is a link",
	)
	if len(f.Hooks) > 0 || f.Theme.Name != "" || len(f.Theme.HTML5) > 0 || len(f.Plugins) != 1 {
		t.Errorf("read from outside: %+v", f)
	}
	for _, name := range []string{"relative", "absolute"} {
		f := read(t, dir, wpfolder.Query{Stylesheet: name})
		if f.Theme.Name != "Inside" {
			t.Errorf("the link %s, which stays inside, gives %+v", name, f.Theme)
		}
	}
}

// TestReadUnreadable reads files that it has no permission for.
func TestReadUnreadable(t *testing.T) {
	dir := site(t, map[string]string{
		"wp-content/themes/t/style.css":              "Theme Name: T",
		"wp-content/themes/t/functions.php/file":     "",
		"wp-content/themes/t/theme.json":             `{"settings":`,
		"wp-content/languages/cs_CZ.l10n.php":        "<?php return ['messages'=>translations()];",
		"wp-content/languages/cs_CZ.mo":              "no catalogue",
		"wp-content/plugins/secret/secret.php":       "<?php // Version: 1\n",
		"wp-content/plugins/secret/inc/hooks.php":    "<?php add_filter('the_title', 'x');",
		"wp-content/plugins/secret/large.php":        strings.Repeat(" ", 5<<20),
		"wp-content/plugins/secret/public/hooks.php": "<?php add_filter('the_title', 'x');",
	})
	if err := syscall.Mkfifo(filepath.Join(dir, "wp-content/plugins/secret/pipe.php"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"secret/secret.php", "secret/inc"} {
		path := filepath.Join(dir, "wp-content/plugins", name)
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(path, 0o755) }) // to be removed
	}
	f := read(t, dir, wpfolder.Query{Stylesheet: "t", Locale: "cs_CZ", Plugins: []string{"secret/secret.php"}, Hooks: []string{"the_title"}})
	want := []string{
		"wp-content/themes/t/theme.json: not the JSON of a theme",
		"wp-content/themes/t/functions.php: not a regular file",
		`wp-content/languages/cs_CZ.l10n.php: line 1: "translations" where`,
		"wp-content/languages/cs_CZ.mo: too short",
		"wp-content/languages/cs_CZ.mo: no language pack of cs_CZ",
		"wp-content/plugins/secret/inc: no permission",
		"wp-content/plugins/secret/large.php: more than 4096 KiB",
		"wp-content/plugins/secret/pipe.php: not a regular file",
	}
	if os.Geteuid() == 0 { // who may read everything
		want = slices.Delete(want, 5, 6)
	} else {
		want = slices.Insert(want, 0, "wp-content/plugins/secret/secret.php: no permission")
	}
	expectWarnings(t, f, want...)
	if !slices.Contains(f.Hooks, wpfolder.Hook{Name: "the_title", File: "wp-content/plugins/secret/public/hooks.php", Line: 1}) {
		t.Errorf("hooks: %v", f.Hooks)
	}
}
