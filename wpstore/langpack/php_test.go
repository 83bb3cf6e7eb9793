package langpack_test

import (
	"fmt"
	"strings"
	"testing"

	"calbridge/wpstore/langpack"
)

func TestParsePHP(t *testing.T) {
	for name, src := range map[string]string{
		"brackets": `<?php
return ['domain'=>'default','plural-forms'=>'nplurals=2; plural=(n > 1);','x'=>[1,['a'=>-2,],[]],
'messages'=>['Free'=>'Zdarma','opening curly double quote` + "\x04" + `&#8220;'=>'&#8222;',
'Event' . "\0" . 'Events'=>'Akce' . "\0" . 'Akcí','not translated'=>'','broken'=>"\xff",],];
`,
		"array": `<?php // comment
			return array(
				'messages' => array(
					"Free" => "Zda" . 'rma' , /* ) */
					"opening curly double quote\x04&#8220;" => '&#8222;',
					"Event\0Events" => "Akce\000Akc\u{ed}",
				),
			)
			?>`,
	} {
		c, err := langpack.ParsePHP([]byte(src))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		expectSample(t, c)
	}
}

func TestParsePHPValues(t *testing.T) {
	c, err := langpack.ParsePHP([]byte(`<?php return ['messages'=>[55=>40,'it\'s \\'=>'to je $x \n',"a"=>"\$ 5\t\101",'a' . 1=>'x' . -2,'twice'=>'1','twice'=>'2']];`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"55": "40", `it's \`: `to je $x \n`, "a": "$ 5\tA", "a1": "x-2", "twice": "2"} {
		if got, _ := c.Lookup("", text); got != want {
			t.Errorf("Lookup(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestParsePHPRefuses(t *testing.T) {
	deep := strings.Repeat("['a'=>", 50) + "1" + strings.Repeat("]", 50)
	for _, tt := range []struct{ src, want string }{
		{"", "line 1: the file ends where the file has to return an array"},
		{"just a text", "the file ends where the file has to return"},
		{"<?php\nreturn 'a';", `line 2: "a" where an array has to be`},
		{"<?php\n$a = [];\nreturn $a;", `line 2: "a" where the file has to return an array`},
		{"<?php return ['messages'=>[\n'a'=>strlen('b')]];", `line 2: "strlen" where a plain text`},
		{"<?php return ['messages'=>[\n\n'a'=>\"b$c\"]];", `line 3: "b$c" where a plain text`},
		{"<?php return ['messages'=>['a'=>`ls`]];", "line 1: \"`ls`\" where a plain text"},
		{"<?php return ['messages'=>['a'=>NULL]];", `"NULL" where a plain text`},
		{"<?php return ['messages'=>['a'=>1.5]];", `"1.5" where a plain text`},
		{"<?php return ['messages'=>['a'=>1+1]];", `"+" where the next element`},
		{"<?php return ['messages'=>['a'=>['b']]];", `"[" where a plain text`},
		{"<?php return ['messages'=>['a'=>'b'.]];", `"]" where a plain text`},
		{"<?php return ['messages'=>['a'=>'b' 'c'=>'d']];", `"c" where the next element`},
		{"<?php return ['messages'=>['a'=>'b');", `")" where the next element`},
		{"<?php return ['messages'=>['a'=>'b'", "the file ends where the next element"},
		{"<?php return ['messages'=>['a'=>'b", `"'b" where a plain text`},
		{"<?php return ['messages'=>'a'];", `"a" where the array of messages has to be`},
		{"<?php return ['messages'=>[]] + ['a'=>1];", `"+" after the array`},
		{"<?php return ['messages'=>[]]; phpinfo();", `"phpinfo" after the array`},
		{"<?php return array['messages'];", `"[" where an array has to begin`},
		{"<?php return ['x'=>1];", "the array has no messages"},
		{"<?php return ['x'=>" + deep + "];", "nests arrays too deeply"},
		{"<?php return ['messages'=>[" + strings.Repeat("'a'=>'b',", 200_000) + "]];", "more than 200000 entries"},
		{strings.Repeat(" ", langpack.MaxFile+1), "16 MiB"},
	} {
		c, err := langpack.ParsePHP([]byte(tt.src))
		if err == nil || !strings.Contains(err.Error(), tt.want) || c != nil {
			t.Errorf("%.60q: %v, want %q", tt.src, err, tt.want)
		}
	}
}

func FuzzParsePHP(f *testing.F) {
	f.Add([]byte(`<?php return ['domain'=>'default','x'=>[1,['a'=>-2,],[]],'messages'=>['Free'=>'Zdarma',"a\0b"=>"\u{e9}" . 'c',],];`))
	f.Add([]byte("<?php // a\nreturn array('messages' => array(1 => \"b\\x04\"),) ?>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := langpack.ParsePHP(data)
		if err == nil {
			c.Lookup("", "Free")
		} else if c != nil {
			t.Error("an error and a catalogue")
		}
	})
}

// BenchmarkParsePHP parses a pack of the size of WordPress's own.
func BenchmarkParsePHP(b *testing.B) {
	var src strings.Builder
	src.WriteString("<?php return ['messages'=>[")
	for i := range 8000 {
		fmt.Fprintf(&src, "'Sorry, you are not allowed to do that here: %d.'=>'Na tohle tady nemáte oprávnění: %d.',", i, i)
	}
	src.WriteString("]];")
	data := []byte(src.String())
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := langpack.ParsePHP(data); err != nil {
			b.Fatal(err)
		}
	}
}
