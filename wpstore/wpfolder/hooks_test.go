package wpfolder

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"calbridge/wpstore/phptoken"
)

func TestHookCalls(t *testing.T) {
	names := map[string]bool{"the_title": true, "rest_pre_dispatch": true}
	for _, tt := range []struct {
		src  string
		want string // name:line
	}{
		{"<?php add_filter('the_title', 'x');", "the_title:1"},
		{"<?php\nADD_ACTION (\n\t\"rest_pre_dispatch\"\n, function () { \\add_filter( 'the_title', 'x' ); } );", "rest_pre_dispatch:2 the_title:4"},
		{"<?php if ($a) add_filter('the_title', 'x'); ?> add_filter('the_title', 'y') <?= add_filter('the_title', 'z') ?>", "the_title:1 the_title:1"},
		{"<?php class A { function b() { add_filter('the_title', [$this, 'c'], 10, 2); } }", "the_title:1"},
		{"<?php add_filter('the_content', 'x'); remove_filter('the_title', 'x'); apply_filters('the_title', 'x');", ""},
		{"<?php /* add_filter('the_title', 'x'); */ // add_filter('the_title', 'x');\n# add_filter('the_title', 'x');", ""},
		{"<?php $a = \"add_filter('the_title', 'x');\"; $b = <<<E\nadd_filter('the_title', 'x');\nE;", ""},
		{"add_filter('the_title', 'x');", ""},
		{"<?php function add_filter('the_title', $x) {} $a->add_filter('the_title', 'x'); A::add_filter('the_title', 'x');", ""},
		{"<?php add_filter($name, 'x'); add_filter('the_' . 'title', 'x'); add_filter('the_title' . $x, 'x'); add_filter('the_title');", ""},
		{"<?php add_filter(\"the_{$x}\", 'x'); add_filter('The_Title', 'x'); my\\add_filter('the_title', 'x');", ""},
		{"<?php add_filter('the_title', 'x'", "the_title:1"},
		{"<?php add_filter('the_title'", ""},
	} {
		var got []string
		for _, c := range hookCalls(tt.src, names, 10) {
			got = append(got, fmt.Sprintf("%s:%d", c.argument, c.line))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s\ngives %v, want %s", tt.src, got, tt.want)
		}
	}
	if got := hookCalls("<?php "+strings.Repeat("add_filter('the_title', 'x');", 20), names, 10); len(got) != 10 {
		t.Errorf("%d calls with a limit of 10", len(got))
	}
}

// TestHooksOfPlugins leaves out the plugins whose hooks calbridge does itself.
func TestHooksOfPlugins(t *testing.T) {
	dir := t.TempDir()
	var mains []string
	for _, folder := range []string{"the-events-calendar", "event-tickets", "event-tickets-plus", "sitepress-multilingual-cms",
		"wpml-string-translation", "polylang", "polylang-pro", "calbridge-companion", "events-calendar-pro"} {
		mains = append(mains, folder+"/main.php")
		for _, file := range []string{"main.php", ".git/a.php", "node_modules/a.php", "vendor/A/B.php", "readme.md"} {
			writeHook(t, filepath.Join(dir, "wp-content/plugins", folder, file))
		}
	}
	f, err := Read(t.Context(), dir, Query{Plugins: mains, Hooks: []string{"the_title"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, h := range f.Hooks {
		got = append(got, strings.TrimPrefix(h.File, "wp-content/plugins/"))
	}
	want := []string{"event-tickets-plus/main.php", "event-tickets-plus/vendor/A/B.php", "events-calendar-pro/main.php", "events-calendar-pro/vendor/A/B.php"}
	if !slices.Equal(got, want) {
		t.Errorf("hooks in %v, want %v", got, want)
	}
}

func writeHook(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("<?php add_filter('the_title', 'x');"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestSearchLimits reaches each limit. What was found until then stays, and one warning
// names the place where the search ended.
func TestSearchLimits(t *testing.T) {
	dir := t.TempDir()
	for i := range 10 {
		writeHook(t, filepath.Join(dir, fmt.Sprintf("wp-content/mu-plugins/%d.php", i)))
	}
	writeHook(t, filepath.Join(dir, "wp-content/plugins/a/a.php"))
	writeHook(t, filepath.Join(dir, "wp-content/plugins/deep/"+strings.Repeat("x/", maxDepth)+"a.php"))
	for _, tt := range []struct {
		name    string
		change  func(*limits)
		plugin  string
		hooks   int
		warning string // file: part of the problem
	}{
		{"none", func(*limits) {}, "a/a.php", 11, ""},
		{"files", func(l *limits) { l.files = 4 }, "a/a.php", 4, "wp-content/mu-plugins/4.php: the number of files that are searched"},
		{"bytes", func(l *limits) { l.bytes = 100 }, "a/a.php", 3, "wp-content/mu-plugins/3.php: the number of bytes"},
		{"hooks", func(l *limits) { l.hooks = 10 }, "a/a.php", 10, "wp-content/plugins/a/a.php: the number of hooks"},
		{"entries", func(l *limits) { l.entries = 10 }, "a/a.php", 10, "wp-content/plugins/a: the number of files that are listed"},
		{"a file's bytes", func(l *limits) { l.fileBytes = 20 }, "none.php", 0, "wp-content/mu-plugins/0.php: more than"},
		{"depth", func(*limits) {}, "deep/a.php", 10, "wp-content/plugins/deep/x/x/x/"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := searchLimits()
			tt.change(&l)
			f, err := read(t.Context(), dir, Query{Plugins: []string{tt.plugin}, Hooks: []string{"the_title"}}, l)
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Hooks) != tt.hooks {
				t.Errorf("%d hooks, want %d", len(f.Hooks), tt.hooks)
			}
			file, part, _ := strings.Cut(tt.warning, ": ")
			said := slices.ContainsFunc(f.Warnings, func(w Warning) bool {
				return strings.HasPrefix(w.File, file) && strings.Contains(w.Problem, part)
			})
			ended := 0
			for _, w := range f.Warnings {
				if strings.Contains(w.Problem, "the search for hooks ended here") {
					ended++
				}
			}
			if !said || ended > 1 {
				t.Errorf("warnings %v, want one %q", f.Warnings, tt.warning)
			}
		})
	}
}

// TestManyWarnings reads more unreadable files than there may be warnings, with a search
// that ends early.
func TestManyWarnings(t *testing.T) {
	dir := t.TempDir()
	writeHook(t, filepath.Join(dir, "wp-content/mu-plugins/z.php"))
	for i := range 2 * maxWarnings {
		pipe := filepath.Join(dir, "wp-content/mu-plugins", fmt.Sprintf("%d.php", i))
		if err := syscall.Mkfifo(pipe, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l := searchLimits()
	l.hooks = 0
	f, err := read(t.Context(), dir, Query{Hooks: []string{"the_title"}}, l)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Warnings) != maxWarnings+1 {
		t.Fatalf("%d warnings", len(f.Warnings))
	}
	if w := f.Warnings[maxWarnings-1]; !strings.Contains(w.Problem, "further warnings are left out") {
		t.Errorf("the last of the usual warnings is %v", w)
	}
	if w := f.Warnings[maxWarnings]; !strings.Contains(w.Problem, "the search for hooks ended here") {
		t.Errorf("the last warning is %v", w)
	}
}

// FuzzPHP reads arbitrary text in the place of each PHP file.
func FuzzPHP(f *testing.F) {
	f.Add("<?php\n/* Version: 1 */ $wp_version = '6.5.2'; $content_width = 640; $GLOBALS['content_width'] = 640;")
	f.Add("<?php add_theme_support('html5', array('caption',)); add_filter('the_title', 'x'); add_theme_support('html5',[")
	f.Fuzz(func(t *testing.T, src string) {
		tokens := slices.Collect(phptoken.All(src))
		html5(tokens)
		contentWidth(tokens)
		header([]byte(src), "Version")
		hookCalls(src, map[string]bool{"the_title": true}, 10)
		if version, err := assignedVersion(src); (err == nil) != (version != "") {
			t.Errorf("version %q, error %v", version, err)
		}
	})
}
