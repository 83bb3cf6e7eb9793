package wpconfig

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	f, err := Read(write("wp-config.php", "<?php\ndefine('DB_NAME', 'd');\n"), environment)
	if err != nil || f.Settings["DB_NAME"].Line != 2 {
		t.Errorf("%+v %v", f, err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "none"), write("empty", ""), write("large", strings.Repeat("x", maxFile+1))} {
		if _, err := Read(path, environment); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestHostile feeds texts that a careless reader would take long over.
func TestHostile(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 10_000
	}
	for name, src := range map[string]string{
		"brackets":      strings.Repeat("(", n),
		"closers":       strings.Repeat("}", n),
		"ifs":           strings.Repeat("if(1)", n),
		"else ifs":      "if(f()){}" + strings.Repeat("else if(f()){}", n/4),
		"blocks":        strings.Repeat("{", n),
		"nots":          "define('X'," + strings.Repeat("!", n),
		"heredocs":      strings.Repeat("<<<A\n", n),
		"quotes":        strings.Repeat(`"`, n),
		"comments":      strings.Repeat("/*", n),
		"line comments": strings.Repeat("#?>", n),
		"doubling":      "$a='aaaaaaaaaa';" + strings.Repeat("$a=$a.$a;", n/4),
		"ternaries":     "$a=" + strings.Repeat("f()?", n),
		"arrays":        "$a=" + strings.Repeat("[", n) + strings.Repeat("]", n),
		"lists":         "$a=[" + strings.Repeat("1,", n) + "];",
		"calls":         strings.Repeat("define(", n),
		"operators":     "$a=1" + strings.Repeat("+1", n) + ";",
		"numbers":       strings.Repeat("9", n) + " " + strings.Repeat("1e", n),
	} {
		t.Run(name, func(t *testing.T) { Parse("<?php "+src, environment) })
	}
}

func FuzzParse(f *testing.F) {
	f.Add("<?php define('DB_NAME', getenv('X') ?: 'lit'); $table_prefix = \"wp_\"; // ?>")
	f.Add("<?php if (!defined('A')) { define('A', <<<E\n a\n E . 'b'); } elseif (f()): else: endif;")
	f.Add("<?php const A = [1, 'k' => array(2)], B = A['k'][0] ?? -1; switch (1) { case 2: default: } ?> html <?= 1 ?>")
	f.Add("<?php $a .= \"\\x4\\u{1F600}\\777\" . (int) '5' % 2; Config::define('A', env('B', true)); return; }")
	f.Add("<?php try { include 'a'; } catch (E $e) {} function f($a = 1) {} class B extends C { } namespace D { } fn() => 1;")
	f.Fuzz(func(t *testing.T, src string) {
		file := Parse(src, environment)
		for name := range file.Settings {
			file.Text(name)
		}
		_, _ = file.Database()
	})
}
