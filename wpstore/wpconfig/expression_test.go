package wpconfig

import (
	"strings"
	"testing"

	"calbridge/wpstore/php"
)

// environment returns the tests' getenv.
func environment(name string) string {
	return map[string]string{"SET": "from env", "SECRET_FILE": "testdata/secret", "BROKEN_FILE": "testdata/none", "ONE": "1"}[name]
}

func parse(src string) *File { return Parse("<?php\n"+src, environment) }

// settings are texts of files with what they set X to.
type settings []struct {
	src  string
	want php.Value
}

func (s settings) test(t *testing.T) {
	for _, c := range s {
		if got, ok := parse(c.src).Settings["X"]; !ok || got.Why != "" || got.Value != c.want {
			t.Errorf("%s\n got %#v, want %#v", c.src, got, c.want)
		}
	}
}

// refusals are texts of files with why X cannot be read.
type refusals []struct{ src, why string }

func (r refusals) test(t *testing.T) {
	for _, c := range r {
		if got := parse(c.src).Settings["X"]; !strings.Contains(got.Why, c.why) || got.Line == 0 {
			t.Errorf("%s\n got %#v, want %q", c.src, got, c.why)
		}
	}
}

func TestExpression(t *testing.T) {
	settings{
		{`define('X', 'plain');`, "plain"},
		{`define("X", "plain") ;`, "plain"},
		{`DEFINE ( 'X' , 'plain' , false );`, "plain"},
		{`\define('X', 'plain');`, "plain"},
		{`@define('X', 'plain');`, "plain"},
		{`const X = 'plain', Y = 2;`, "plain"},
		{`define('X', 4 | 2 & 3 ^ 1);`, int64(7)},
		{`define('X', 6 ^ 3);`, int64(5)},
		{`define('X', MYSQLI_CLIENT_SSL | 64);`, int64(2112)},
		{`define('X', 'it\'s \\ \n $y');`, `it's \ \n $y`},
		{`define('X', "a\tb\$c\"\q\\x\n\r\v\e\f");`, "a\tb$c\"\\q\\x\n\r\v\x1b\f"},
		{`define('X', "\x41\102\u{e9}");`, "ABé"},
		{`define('X', "costs 5$ {a} $ 1");`, "costs 5$ {a} $ 1"},
		{`define('X', 42);`, int64(42)},
		{`define('X', 0x1F);`, int64(31)},
		{`define('X', 1_000);`, int64(1000)},
		{`define('X', -7);`, int64(-7)},
		{`define('X', TRUE);`, true},
		{`define('X', null);`, nil},
		{`define('X', !true);`, false},
		{`define('X', (string) 5);`, "5"},
		{`define('X', (bool) "0");`, false},
		{`define('X', 'a' . "b" . 'c' . 4);`, "abc4"},
		{`define('A', 'https://a'); define('X', A . '/wp');`, "https://a/wp"},
		{`$h = 'h'; define('X', $h . ':1');`, "h:1"},
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
		{`define('X', trim(' a ') . rtrim('b ') . strtolower('C') . strval(1) . intval('2x'));`, "abc12"}, {`define('X', 'a' === "a" && 'a' !== 'b' && 'a' == 'a' && 'a' != 'b' && 'a' <> 'b');`, true},
		{`define('X', 'a' === 'b' || 'a' !== 'a' || 'a' == 'b' || 'a' != 'a' || 'a' <> 'a');`, false},
		{`define('X', false == '' && '0' != true);`, true},
		{`define('X', true and 'a');`, true},
		{`define('X', false or 0);`, false},
		{`define('X', null ?? null ?? 'a');`, "a"},
		{`define('X', 'a' ?? 'b');`, "a"},
		// How strongly operators bind.
		{`define('X', 'a' . 'b' == 'ab');`, true},
		{`define('X', 'a' == 'b' && false == true);`, false},
		{`define('X', true || false && false);`, true},
		{`define('X', null ?? false || true);`, true},
		{`define('X', null ?? '' ? 'b' : 'c');`, "c"},
		{`define('X', true or true and false);`, true},
		{`$a = false or true; define('X', $a);`, false},
		{`$a = true and false; define('X', $a);`, true},
		{`$a = true ? 'b' : 'c'; define('X', $a);`, "b"},
		{`define('X', true ? false ? 1 : 2 : 3);`, int64(2)},
		{`define('X', !'' . 'a');`, "1a"},
		{`define('X', (string) 5 . (int) '6a' . (bool) 'x');`, "561"},
		{`define('X', (STRING) 5);`, "5"},
		{`define('X', md5("") . strval(true) . intval('07') . trim("\t a\n") . rtrim(" b \r\n") . StrToLower('ÄB'));`, "d41d8cd98f00b204e9800998ecf8427e17a b\xc3\x84b"},
		{`define('X', rtrim('bq'));`, "bq"},
		{`A::$b = define('X', 1);`, int64(1)},
		{`define('X', isset($_ENV['UNSET']));`, false},
		{`define('X', empty($_ENV['ONE']));`, false},
		{`define('X', include ABSPATH . 'wp-settings.php');`, true},
	}.test(t)
	refusals{
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
		{`define('X', 7 / 2);`, "not followed"}, {`$a = 'a'; $a .= 'b'; define('X', $a);`, "step by step"},
		{`define('X', $n[0]['x']);`, "$n"},
		{`define('X', 1.5);`, "a number other than a plain integer"},
		{`define('X', 60 * 60);`, "is computed"},
		{`define('X', -'a');`, "is computed"},
		{`define('X', 1 == 2);`, "is computed"},
		{`define('X', ('a' 'b'));`, "is computed"},
		{`define('X', [1, 2]);`, "not followed"},
		{`$l = array('a', 'b'); define('X', $l[1]);`, "array"},
		{`$l = 'ab'; define('X', $l[1]);`, "a list or a function"},
		{`$l = 'ab'; $l[1] = 'c'; define('X', $l);`, "step by step"},
		{`define('X', $_ENV[name()]);`, "computed name"},
		{`define('X', "{$l}");`, "text with variables"},
		{`define('X', "\u{e9");`, "text with variables"},
		{"define('X', <<<'E'\n  a\n  b\n  E . 'c');", "heredoc"},
		{`define('X', md5('a', true));`, "calls md5"},
		{`define('X', getenv('A', 1, 2, 3));`, "calls getenv"},
		{`define('X', isset($_SERVER['HTTPS']));`, "$_SERVER"},
		{`define('X', include 'a.php');`, "another file"},
		{`define('X', eval($b));`, "run as code"},
		{`define('X', is_ssl() ?: 'a');`, "function is_ssl"},
		{`define('X', is_ssl() and true);`, "function is_ssl"},
		{`define('X', true && is_ssl());`, "function is_ssl"},
		{`define('X', 'a' . is_ssl());`, "function is_ssl"},
		{`define('X', is_ssl() ?? 'a');`, "function is_ssl"},
		{`define('X', defined(name()));`, "computed"},
		{`define('X', defined('ABSPATH'));`, "ABSPATH"},
		{`define('X', defined('WPINC'));`, "WPINC"},
		{`define('X', true ? 1);`, "depends on a condition that only PHP can decide"},
	}.test(t)
}

// TestOperatorsNotComputed shows that each of them is read over: what it computes is
// unknown, and so is what depends on that.
func TestOperatorsNotComputed(t *testing.T) {
	if got := parse("define('X', 7 / 2);").Settings["X"].Why; got != "is computed in a way that is not followed" {
		t.Error(got)
	}
	for _, op := range []string{
		"xor", "<", "<=", ">", ">=", "<=>", "<<", ">>", "+", "-", "*", "/", "%", "**", "instanceof", "XOR",
	} {
		f := parse("define('A', 6 " + op + " 2); 6 " + op + " 2 && define('X', 1);")
		for name, why := range map[string]string{"A": computed, "X": undecided} {
			if got := f.Settings[name]; got.Why != why {
				t.Errorf("%s: %s is %+v, want %q", op, name, got, why)
			}
		}
	}
}
