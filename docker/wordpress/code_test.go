package wordpress_test

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/companion"
)

// code returns the fingerprints that the plugin reports.
func code(t *testing.T, s *site) map[string]string {
	t.Helper()
	client, err := companion.Open(companion.Config{URL: s.url, Secret: secret, FactsTimeout: time.Minute}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	parts, err := client.Code(t.Context(), []string{"the_content", "tribe_rest_event_data"})
	if err != nil {
		t.Fatal(err)
	}
	return parts
}

// testFactsCode checks that a change of any file or hook changes its part and no other.
func testFactsCode(t *testing.T, s *site) {
	const snippet = "wp-content/snippets/a.php"
	if err := os.MkdirAll(filepath.Join(s.dir, "wp-content/snippets"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.write(snippet, "<?php\n")
	s.write("wp-content/mu-plugins/late.php", "<?php\nrequire __DIR__ . '/../elsewhere.inc';\n")
	s.write("wp-content/elsewhere.inc", "<?php\n")
	before := code(t, s)
	for _, part := range []string{"php", "plugins/polylang", "plugins/the-events-calendar", "mu-plugins/hooked.php", "themes/probe", "hook the_content", "other hooks", "wp-config.php"} {
		if before[part] == "" {
			t.Errorf("no part %s: %v", part, slices.Sorted(maps.Keys(before)))
		}
	}
	sameSize := func(file, from, to string) func() {
		return func() {
			info, err := os.Stat(filepath.Join(s.dir, file))
			if err != nil {
				t.Fatal(err)
			}
			s.write(file, strings.Replace(s.read(file), from, to, 1))
			if err := os.Chtimes(filepath.Join(s.dir, file), info.ModTime(), info.ModTime()); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name   string
		change func()
		parts  []string
	}{
		{"a plugin", func() { s.write("wp-content/plugins/polylang/more.php", "<?php\n") }, []string{"plugins/polylang"}},
		{"a file of the same size and time", sameSize("wp-content/mu-plugins/hooked.php", "'extra' => 1", "'extra' => 2"), []string{"mu-plugins/hooked.php"}},
		{"the theme", func() {
			s.write("wp-content/themes/probe/functions.php", s.read("wp-content/themes/probe/functions.php")+"// more\n")
		}, []string{"themes/probe"}},
		{"a snippet", func() { s.write(snippet, "<?php // more\n") }, []string{"wp-content/snippets"}},
		{"a file elsewhere", func() { s.write("wp-content/elsewhere.inc", "<?php // more\n") }, []string{"other files"}},
		{"a hook", func() {
			s.write("wp-content/mu-plugins/late.php", "<?php\nadd_filter('the_content', static function ($text) { return $text; }, 77);\nrequire __DIR__ . '/../elsewhere.inc';\n")
		}, []string{"hook the_content", "mu-plugins/late.php"}},
		{"a file that no longer is", func() { s.remove("wp-content/plugins/polylang/more.php") }, []string{"plugins/polylang"}},
		{"a picture", func() { s.write("wp-content/themes/probe/screenshot.png", "no code") }, nil},
	} {
		c.change()
		now, changed := before, []string(nil)
		for range 40 { // opcache checks files every two seconds
			now, changed = code(t, s), nil
			for part := range now {
				if now[part] != before[part] {
					changed = append(changed, part)
				}
			}
			if !slices.ContainsFunc(c.parts, func(part string) bool { return !slices.Contains(changed, part) }) {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		for _, part := range c.parts { // the parts of earlier changes may change once more
			if !slices.Contains(changed, part) {
				t.Errorf("%s: %v changed, want %v", c.name, changed, c.parts)
			}
		}
		before = now
	}
	s.write(snippet, "<?php // 1111\n")
	early := code(t, s)
	sameSize(snippet, "1111", "2222")()
	time.Sleep(4100 * time.Millisecond) // files count as just changed for so long
	if late := code(t, s); late["wp-content/snippets"] == early["wp-content/snippets"] {
		t.Errorf("two changes within a second look like one: %v", late)
	}
}

// testFactsCodeLinks checks that cyclic links neither stop the scan nor hide changes. A
// scan that has to stop reports no fingerprint, so that calbridge does not assume that
// the code is unchanged.
func testFactsCodeLinks(t *testing.T, s *site) {
	plugin := filepath.Join(s.dir, "wp-content/plugins/polylang")
	link := func(target, name string) {
		t.Helper()
		_ = os.Remove(filepath.Join(plugin, name))
		if err := os.Symlink(target, filepath.Join(plugin, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"a/b", "c"} {
		if err := os.MkdirAll(filepath.Join(plugin, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	defer func() {
		for _, name := range []string{"a", "c", "self", "up", "other", "many"} {
			_ = os.RemoveAll(filepath.Join(plugin, name))
		}
	}()
	for i := range 9 { // each doubles the paths of the others
		link(".", "a/b/self"+string(rune('0'+i)))
		link("..", "a/b/up"+string(rune('0'+i)))
	}
	link(".", "self")
	link("..", "up")
	link("a", "other")
	s.write("wp-content/plugins/polylang/a/b/deep.php", "<?php\n")
	begin := time.Now()
	before := code(t, s)
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("the scan takes %s", took)
	}
	differs := func(why string) {
		t.Helper()
		now := code(t, s)
		if now["plugins/polylang"] == before["plugins/polylang"] {
			t.Errorf("%s goes unnoticed", why)
		}
		before = now
	}
	s.write("wp-content/plugins/polylang/a/b/deep.php", "<?php // more\n")
	differs("a file below links")
	link("c", "other")
	differs("a link that leads elsewhere")

	s.is(`[null,true]`, `[Calbridge\Companion\Code::parts(['the_content'], 0.0), strpos(Calbridge\Companion\Code::incomplete(), 'has taken too long') !== false]`)
	if err := os.Mkdir(filepath.Join(plugin, "many"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 60_000 { // folders alone
		if err := os.Mkdir(filepath.Join(plugin, "many", strconv.Itoa(i)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	client, err := companion.Open(companion.Config{URL: s.url, Secret: secret, FactsTimeout: time.Minute}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	parts, err := client.Code(t.Context(), nil)
	if parts != nil || !errors.Is(err, companion.ErrNoCode) || !strings.Contains(err.Error(), "the fingerprint is incomplete") {
		t.Errorf("%d parts, %v", len(parts), err)
	}
}

// testFactsDataFiles checks that the data files that hooked code names are part of the fingerprints,
// however it names them, and that nothing else is.
func testFactsDataFiles(t *testing.T, s *site) {
	const guarded = "wp-content/uploads/"
	for _, folder := range []string{"guards", "lists", "2026/11", "logs"} {
		if err := os.MkdirAll(filepath.Join(s.dir, guarded, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	const hooked = "<?php\nadd_filter('tribe_rest_event_data', static function ($data) {\n\t%s\n\treturn $data;\n});\n"
	for i, c := range []struct{ name, code, file, part string }{
		{"joined with the folder", `$a = file_get_contents(wp_upload_dir()['basedir'] . '/one.json');`, "one.json", "one.json"},
		{"inside of a text", `$dir = wp_upload_dir()['basedir']; $a = @file("$dir/two.csv");`, "two.csv", "two.csv"},
		{"from wp-content", `$a = is_file(WP_CONTENT_DIR . '/uploads/three.txt');`, "three.txt", "three.txt"},
		{"a pattern", `$a = glob(wp_upload_dir()['basedir'] . '/lists/*.json');`, "lists/four.json", "lists/four.json"},
		{"any file of a folder", `$dir = wp_upload_dir()['basedir'] . '/guards/'; $a = @file_get_contents($dir . $data['id'] . '.json');`, "guards/5.json", "guards/5.json"},
		{"relative to the code", `$a = file_get_contents(__DIR__ . '/../uploads/six.yml');`, "six.yml", "six.yml"},
		{"a log", `file_put_contents(wp_upload_dir()['basedir'] . '/logs/seven.txt', 'x');`, "logs/seven.txt", ""},
		{"a picture", `$a = wp_upload_dir()['basedir'] . '/2026/11/eight.png';`, "2026/11/eight.png", ""},
		{"a comment", `// /nine.json`, "nine.json", ""},
		{"a file that doesn't exist yet", `$a = @file_get_contents(wp_upload_dir()['basedir'] . '/ten.json');`, "", "ten.json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plugin := fmt.Sprintf("wp-content/mu-plugins/names%d.php", i) // PHP caches files for two seconds
			s.write(plugin, fmt.Sprintf(hooked, c.code))
			defer s.remove(plugin)
			if c.file != "" {
				s.write(guarded+c.file, "[1]")
			}
			find := func() (sum string) {
				t.Helper()
				parts := code(t, s)
				for part := range parts {
					if name, is := strings.CutPrefix(part, "data file "); is && name != guarded+c.part {
						t.Errorf("%s counts", name)
					}
				}
				return parts["data file "+guarded+c.part]
			}
			before := find()
			if (before != "") != (c.part != "" && c.file != "") {
				t.Errorf("fingerprint %q", before)
			}
			if c.part == "" {
				return
			}
			s.write(guarded+c.part, "[2]")
			after := find()
			if after == "" || after == before {
				t.Error("a change of the file goes unnoticed")
			}
			s.write(guarded+c.part, "[2]")
			if again := find(); again != after {
				t.Error("the same content counts as a change")
			}
			s.remove(guarded + c.part)
			if gone := find(); gone != "" {
				t.Errorf("the file is gone: %q", gone)
			}
		})
	}
}
