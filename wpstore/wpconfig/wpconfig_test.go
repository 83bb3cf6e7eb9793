package wpconfig

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/wpstore/php"
)

// environment is what the tests' getenv knows.
func environment(name string) string {
	return map[string]string{"SET": "from env", "SECRET_FILE": "/run/secret", "BROKEN_FILE": "/none"}[name]
}

func options() Options {
	return Options{Getenv: environment, ReadFile: func(name string) ([]byte, error) {
		if name == "/run/secret" {
			return []byte("from file\n"), nil
		}
		return nil, errors.New("no such file")
	}}
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		src  string
		want php.Value
	}{
		{`define('X', 'plain');`, "plain"},
		{`define("X", "plain") ;`, "plain"},
		{`DEFINE ( 'X' , 'plain' , false );`, "plain"},
		{`\define('X', 'plain');`, "plain"},
		{`@define('X', 'plain');`, "plain"},
		{`const X = 'plain', Y = 2;`, "plain"},
		{`define('X', 'it\'s \\ \n $y');`, `it's \ \n $y`},
		{`define('X', "a\tb\x41\101\u{e9}\$c\"\q");`, "a\tbAAé$c\"\\q"},
		{`define('X', "costs 5$ {a} $ 1");`, "costs 5$ {a} $ 1"},
		{`define('X', 42);`, int64(42)},
		{`define('X', 0x1F);`, int64(31)},
		{`define('X', 1_000);`, int64(1000)},
		{`define('X', -7);`, int64(-7)},
		{`define('X', 1.5);`, 1.5},
		{`define('X', 60 * 60 * 2 - 1);`, int64(7199)},
		{`define('X', TRUE);`, true},
		{`define('X', null);`, nil},
		{`define('X', !true);`, false},
		{`define('X', (string) 5);`, "5"},
		{`define('X', (bool) "0");`, false},
		{`define('X', 'a' . "b" . 'c' . 4);`, "abc4"},
		{`define('A', 'https://a'); define('X', A . '/wp');`, "https://a/wp"},
		{`$h = 'h'; define('X', $h . ':1');`, "h:1"},
		{`$c = ['db' => ['host' => 'h']]; define('X', $c['db']['host']);`, "h"},
		{`$c = array('a', 'b'); define('X', $c[1]);`, "b"},
		{`define('X', getenv('SET') ?: 'lit');`, "from env"},
		{`define('X', getenv('UNSET') ?: 'lit');`, "lit"},
		{`define('X', getenv('UNSET') ? getenv('UNSET') : 'lit');`, "lit"},
		{`define('X', getenv('UNSET') !== false ? getenv('UNSET') : 'lit');`, "lit"},
		{`define('X', $_ENV['UNSET'] ?? 'lit');`, "lit"},
		{`define('X', $_ENV['SET'] ?? 'lit');`, "from env"},
		{`define('X', isset($_ENV['SET']) ? $_ENV['SET'] : 'lit');`, "from env"},
		{`define('X', empty($_ENV['UNSET']) ? 'lit' : $_ENV['UNSET']);`, "lit"},
		{`define('X', env('UNSET', 'lit'));`, "lit"},
		{`define('X', getenv_docker('SET', 'lit'));`, "from env"},
		{`define('X', getenv_docker('UNSET', 'lit'));`, "lit"},
		{`define('X', getenv_docker('SECRET', 'lit'));`, "from file"},
		{`define('X', !!getenv_docker('UNSET', ''));`, false},
		{`define('X', md5('https://a'));`, "870feb6021d933c5efb43e815312199b"},
		{`define('X', trim(' a ') . rtrim('b ') . strtolower('C') . strval(1) . intval('2x'));`, "abc12"},
		{`if (!defined('X')) define('X', 'a');`, "a"},
		{`if ( ! defined( 'X' ) ) { define( 'X', 'a' ); }`, "a"},
		{`define('X', 'a'); if (!defined('X')) { define('X', 'b'); }`, "a"},
		{`defined('X') || define('X', 'a');`, "a"},
		{`defined('X') or define('X', 'a');`, "a"},
		{`define('X', 'a'); defined('X') || define('X', 'b');`, "a"},
		{`define('X', 'first'); define('X', 'second');`, "first"},
		{`if (true) { define('X', 1); } else { define('X', 2); }`, int64(1)},
		{`if (false): define('X', 1); elseif (1 === 1): define('X', 2); else: define('X', 3); endif;`, int64(2)},
		{`if (getenv('UNSET') == 'staging') { define('X', 'stage'); } else { define('X', 'live'); }`, "live"},
		{`if (false) define('X', 1); else if (true) define('X', 2);`, int64(2)},
		{`if (false) { eval('x'); } define('X', 1);`, int64(1)},
		{`function f() { define('X', 'inside'); } define('X', 'a');`, "a"},
		{`class A { const X = 1; function f() { return define('X', 2); } } define('X', 3);`, int64(3)},
		{`$f = function () { define('X', 'inside'); }; define('X', 'a');`, "a"},
		{`// define('X', 'c1');
# define('X', 'c2');
/* define('X', 'c3'); */ /** @var int */
#[Attribute]
define('X', 'a'); // rest ?> not code define('X', 'html');`, "a"},
		{"define('X', <<<EOT\nline 1\n  line\\t2\nEOT\n);", "line 1\n  line\t2"},
		{"define('X', <<<'EOT'\n  a $b\n  EOT);", "a $b"},
		{"define('X', <<<\"E\"\r\na\r\nE\r\n);", "a"},
		{`Config::define('X', 'bedrock');`, "bedrock"},
		{`namespace A; use B\C; declare(strict_types=1); define('X', 1);`, int64(1)},
		{`namespace A { define('X', 1); }`, int64(1)},
		{`define('X', 1); return; define('Y', 2);`, int64(1)},
		{`?><html><?php define('X', 1);`, int64(1)},
		{`try { } finally { } switch (1) { case 2: break; default: } do { } while (0); define('X', 1);`, int64(1)},
	} {
		f := Parse("<?php\n"+c.src, options())
		got, ok := f.Constants["X"]
		if !ok || !cmp.Equal(got.Value, c.want) {
			t.Errorf("%s\n got %#v, unreadable %v, want %#v", c.src, got.Value, f.Unreadable, c.want)
		}
	}
}

func TestUnreadable(t *testing.T) {
	for _, c := range []struct{ src, why string }{
		{`define('X', getenv('UNSET'));`, "environment variable UNSET, which is not set here"},
		{`define('X', 'a' . getenv('UNSET'));`, "environment variable UNSET"},
		{`define('X', $_ENV['UNSET']);`, "environment variable UNSET"},
		{`define('X', $_SERVER['HTTP_HOST']);`, "$_SERVER"},
		{`define('X', getenv_docker('BROKEN', 'a'));`, "cannot be read"},
		{`define('X', "a $b");`, "variables in it"},
		{`define('X', "a {$b['c']}");`, "variables in it"},
		{"define('X', <<<E\n$a\nE);", "variables in it"},
		{"define('X', `id`);", "variables in it"},
		{`define('X', vault('key'));`, "function vault"},
		{`define('X', $undefined);`, "$undefined"},
		{`define('X', UNKNOWN . 'a');`, "UNKNOWN"},
		{`define('X', __DIR__ . '/a');`, "__DIR__"},
		{`define('X', new Foo);`, "code that is not run"},
		{`define('X', $o->host);`, "object"},
		{`define('X', A::B);`, "class"},
		{`define('X', 7 / 2);`, "not followed"},
		{`if (is_ssl()) define('X', 1);`, "condition that only PHP can decide (line 2)"},
		{`if (is_ssl()) { define('X', 1); } else { define('X', 2); }`, "condition that only PHP can decide"},
		{`if (is_ssl()) { define('X', 1); } define('X', 2);`, "condition that only PHP can decide"},
		{`$a = is_ssl() ? 1 : 2; define('X', $a);`, "condition"},
		{`is_ssl() && define('X', 1);`, "condition"},
		{`foreach ($list as $x) { define('X', $x); }`, "loop"},
		{`while (f()): define('X', 1); endwhile;`, "loop"},
		{`switch ($_SERVER['HTTP_HOST']) { case 'a': define('X', 1); break; default: define('X', 2); }`, "switch"},
		{`try { define('X', load()); } catch (E $e) { }`, "may not run to its end"},
		{`require 'local.php'; if (!defined('X')) define('X', 'a');`, "condition"},
		{`$a = 'a'; $a .= 'b'; define('X', $a);`, "step by step"},
		{`define('X', $n[0]['x']);`, "$n"},
	} {
		f := Parse("<?php\n"+c.src, options())
		u, ok := f.unreadable("X")
		if !ok || !strings.Contains(u.Why, c.why) || u.Line == 0 {
			t.Errorf("%s\n got %v and %v, want %q", c.src, f.Constants["X"], f.Unreadable, c.why)
		}
	}
	f := Parse("<?php\ndefine('X', "+strings.Repeat("(", 200)+"1"+strings.Repeat(")", 200)+");", options())
	if len(f.Unreadable) == 0 || f.Unreadable[0].Name != "" || !strings.Contains(f.Unreadable[0].Why, "nested too deeply") {
		t.Errorf("%+v", f.Unreadable)
	}
	f = Parse("<?php\n\ndefine($name, 1); include_once 'a.php'; eval($b); require_once ABSPATH . 'wp-settings.php';", options())
	if len(f.Unreadable) != 1 || f.Unreadable[0].Line != 3 || len(f.Includes) != 2 {
		t.Errorf("%+v", f)
	}
}

func TestVariables(t *testing.T) {
	f := Parse(`<?php $table_prefix = 'a_'; $table_prefix  = 'wp7_'; if (f()) { $other = 1; } $super_admins = array('jana', 'petr');`, options())
	if v, _ := f.Variable("table_prefix"); v != "wp7_" {
		t.Errorf("table_prefix %q", v)
	}
	if _, ok := f.unreadable("$other"); !ok {
		t.Error("$other depends on a condition")
	}
	if list, ok := f.Variables["super_admins"].Value.(*php.Array); !ok || list.Len() != 2 {
		t.Errorf("super_admins %v", f.Variables["super_admins"])
	}
	if _, ok := f.Variable("super_admins"); ok {
		t.Error("a list has no text")
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	f, err := Read(write("wp-config.php", "<?php\ndefine('DB_NAME', 'd');\n"), Options{})
	if err != nil || f.Constants["DB_NAME"].Line != 2 {
		t.Errorf("%+v %v", f, err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "none"), write("empty", ""), write("large", strings.Repeat("x", maxFile+1))} {
		if _, err := Read(path, Options{}); err == nil || !strings.HasPrefix(err.Error(), "wp-config: ") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestDatabase(t *testing.T) {
	f := Parse(`<?php define('DB_NAME', 'cal'); define('DB_USER', 'u@x'); define('DB_PASSWORD', 'p:/@?#'); define('DB_HOST', 'db:3307'); define('DB_COLLATE', 'utf8mb4_czech_ci');`, options())
	dsn, err := f.Database()
	if want := "u@x:p:/@?#@tcp(db:3307)/cal?collation=utf8mb4_czech_ci"; err != nil || dsn != want {
		t.Errorf("%q %v, want %q", dsn, err, want)
	}
	if _, err := Parse(`<?php define('DB_NAME', 'cal');`, options()).Database(); err == nil || !strings.Contains(err.Error(), "DB_USER") {
		t.Error(err)
	}
}

func TestHostAddress(t *testing.T) {
	sockets := func(path string) bool { return path == "/var/lib/mysql/mysql.sock" }
	none := func(string) bool { return false }
	for _, c := range []struct {
		host   string
		exists func(string) bool
		want   string
	}{
		{"localhost", sockets, "unix /var/lib/mysql/mysql.sock"},
		{"", sockets, "unix /var/lib/mysql/mysql.sock"},
		{"localhost", none, "tcp 127.0.0.1:3306"},
		{"localhost:3307", sockets, "tcp 127.0.0.1:3307"},
		{"127.0.0.1", sockets, "tcp 127.0.0.1:3306"},
		{"db.example.org:3310", none, "tcp db.example.org:3310"},
		{"p:db", none, "tcp db:3306"},
		{"localhost:/tmp/x.sock", none, "unix /tmp/x.sock"},
		{":/tmp/x.sock", none, "unix /tmp/x.sock"},
		{"/tmp/x.sock", none, "unix /tmp/x.sock"},
		{"[::1]:3307", none, "tcp [::1]:3307"},
		{"[fe80::1]", none, "tcp [fe80::1]:3306"},
		{"2001:db8::5", none, "tcp [2001:db8::5]:3306"},
		{"db:port", none, "tcp db:3306"},
	} {
		if network, address := HostAddress(c.host, c.exists); network+" "+address != c.want {
			t.Errorf("%q: %s %s, want %s", c.host, network, address, c.want)
		}
	}
}

// TestHostile feeds texts that a careless reader would take long over.
func TestHostile(t *testing.T) {
	const n = 100_000
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
		t.Run(name, func(t *testing.T) { Parse("<?php "+src, options()) })
	}
}

func FuzzParse(f *testing.F) {
	f.Add("<?php define('DB_NAME', getenv('X') ?: 'lit'); $table_prefix = \"wp_\"; // ?>")
	f.Add("<?php if (!defined('A')) { define('A', <<<E\n a\n E . 'b'); } elseif (f()): else: endif;")
	f.Add("<?php const A = [1, 'k' => array(2)], B = A['k'][0] ?? -1; switch (1) { case 2: default: } ?> html <?= 1 ?>")
	f.Add("<?php $a .= \"\\x4\\u{1F600}\\777\" . (int) '5' % 2; Config::define('A', env('B', true)); return; }")
	f.Add("<?php try { include 'a'; } catch (E $e) {} function f($a = 1) {} class B extends C { } namespace D { } fn() => 1;")
	f.Fuzz(func(t *testing.T, src string) {
		file := Parse(src, options())
		for name := range file.Constants {
			file.Text(name)
		}
		_, _ = file.Database()
		HostAddress(src, func(string) bool { return false })
	})
}
