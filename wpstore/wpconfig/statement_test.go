package wpconfig

import (
	"strings"
	"testing"
)

func TestStatement(t *testing.T) {
	settings{
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
		{`Config::define('X', 'bedrock');`, "bedrock"},
		{`Roots\WPConfig\Config::define('X', 'bedrock');`, "bedrock"},
		{"$a = <<<qE\nF\nqE;\ndefine('X', 'a');", "a"},
		{"$a = <<<E\nEx; define('X', 'b');\nE;\ndefine('X', 'a');", "a"},
		{`namespace A; use B\C; declare(strict_types=1); define('X', 1);`, int64(1)},
		{`namespace A { define('X', 1); }`, int64(1)},
		{`define('X', 1); return; define('Y', 2);`, int64(1)},
		{`?><html><?php define('X', 1);`, int64(1)},
		{`try { } finally { } switch (1) { case 2: break; default: } do { } while (0); define('X', 1);`, int64(1)},
		{`if (f()) { } elseif (false) { } else if (true) { } define('X', 1);`, int64(1)},
		{`if (true): else: define('X', 2); endif; define('X', 3);`, int64(3)},
		{`foreach ($a as $b): endforeach; for (; false;): endfor; switch ($a): case 1: endswitch; define('X', 1);`, int64(1)},
		{`abstract class A { } final class B { } interface C { } trait D { } enum E { } readonly class F { } define('X', 1);`, int64(1)},
		{`if (false) { return; } define('X', 1);`, int64(1)},
		{`function f(); define('X', 1);`, int64(1)},
	}.test(t)
	refusals{
		{`if (is_ssl()) define('X', 1);`, "condition that only PHP can decide (line 2)"},
		{`if (is_ssl()) { define('X', 1); } else { define('X', 2); }`, "condition that only PHP can decide"},
		{`if (is_ssl()) { define('X', 1); } define('X', 2);`, "condition that only PHP can decide"},
		{`$a = is_ssl() ? 1 : 2; define('X', $a);`, "condition"},
		{`is_ssl() && define('X', 1);`, "condition"},
		{`foreach ($list as $x) { define('X', $x); }`, "\"foreach\""},
		{`while (f()): define('X', 1); endwhile;`, "\"while\""},
		{`switch ($_SERVER['HTTP_HOST']) { case 'a': define('X', 1); break; default: define('X', 2); }`, "switch"},
		{`try { define('X', load()); } catch (E $e) { }`, "\"try\", where it may not run"},
		{`require 'local.php'; if (!defined('X')) define('X', 'a');`, "condition"},
		{`if (f()) { } elseif (true) { define('X', 1); }`, "condition"},
		{`do { define('X', 1); } while (f());`, "\"do\""},
		{`try { } catch (E $e) { define('X', 1); }`, "\"catch\""},
		{`try { } finally { define('X', 1); }`, "\"finally\""},
		{`for (;;): define('X', 1); endfor;`, "\"for\""},
	}.test(t)
}

func TestNotes(t *testing.T) {
	// The statement, define's argument and the 1 are three levels more.
	nested := func(brackets int) *File {
		return parse("define('X', " + strings.Repeat("(", brackets) + "1" + strings.Repeat(")", brackets) + ");")
	}
	if f := nested(97); len(f.Notes) > 0 || f.Settings["X"].Value != int64(1) {
		t.Errorf("a hundred levels: %+v", f)
	}
	if f := nested(98); len(f.Notes) == 0 || !strings.Contains(f.Notes[0].Text, "nested too deeply") {
		t.Errorf("more than a hundred levels: %+v", f)
	}
	f := Parse("<?php\n\ndefine($name, 1); include_once 'a.php'; eval($b); require_once ABSPATH . 'wp-settings.php';", environment)
	if len(f.Notes) != 3 || f.Notes[0] != (Note{3, "defines a constant whose name is computed"}) {
		t.Errorf("%+v", f)
	}
	if f = parse("if (false) { include 'a.php'; define($name, 1); return 1; } return; eval($b);"); len(f.Notes) != 0 {
		t.Errorf("what does not run: %+v", f)
	}
	if f = parse("return; define('X', 1);"); len(f.Settings) != 0 {
		t.Errorf("after return: %+v", f)
	}
}

func TestVariables(t *testing.T) {
	f := parse(`$table_prefix = 'a_'; $table_prefix  = 'wp7_'; if (f()) { $other = 1; } $list = array('jana', 'petr'); $n = 1; $n += 1;`)
	if v, ok := f.Text("$table_prefix"); v != "wp7_" || !ok {
		t.Errorf("table_prefix %q %v", v, ok)
	}
	for _, name := range []string{"$other", "$list", "$n"} {
		if _, ok := f.Text(name); ok || f.Settings[name].Why == "" {
			t.Errorf("%s: %+v", name, f.Settings[name])
		}
	}
}
