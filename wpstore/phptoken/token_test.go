package phptoken_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"calbridge/wpstore/phptoken"
)

// show writes tokens as kind:text@line.
func show(src string) string {
	kinds := []string{"end", "var", "word", "num", "single", "double", "heredoc", "unreadable", "compound", "op"}
	var b strings.Builder
	for t := range phptoken.All(src) {
		fmt.Fprintf(&b, "%s:%s@%d ", kinds[t.Kind], t.Text, t.Line)
	}
	return strings.TrimSpace(b.String())
}

func TestAll(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"", "op:;@1 end:@1"},
		{"html\n<?php\n$a = 1;", "op:;@1 var:a@3 op:=@3 num:1@3 op:;@3 end:@3"},
		{"<?= $a ?>\nhtml", "op:;@1 var:a@1 op:;@1 end:@2"},
		{"<?PHP a // b ?> c <? d", "op:;@1 word:a@1 op:;@1 word:d@1 end:@1"},
		{"<?php # a\n/* b\n */ // c\nd", "op:;@1 word:d@4 end:@4"},
		{"<?php /* a", "op:;@1 end:@1"},
		{`<?php \a\b namespace\c é_1 $é $ 1`, `op:;@1 word:a\b@1 word:namespace\c@1 word:é_1@1 var:é@1 op:$@1 num:1@1 end:@1`},
		{`<?php 0x1F .5 1.5e3 1_000 a.b`, "op:;@1 num:0x1F@1 num:.5@1 num:1.5e3@1 num:1_000@1 word:a@1 op:.@1 word:b@1 end:@1"},
		{`<?php 'it\'s' "a\"b" '\\'`, `op:;@1 single:it\'s@1 double:a\"b@1 single:\\@1 end:@1`},
		{"<?php 'a\nb' c", "op:;@1 single:a\nb@1 word:c@2 end:@2"},
		{"<?php 'a", "op:;@1 unreadable:'a@1 end:@1"},
		{"<?php `ls` a", "op:;@1 unreadable:`ls`@1 word:a@1 end:@1"},
		{"<?php <<<'E'\n a E\n Eb\n  E . a", "op:;@1 heredoc:E@1 op:.@4 word:a@4 end:@4"},
		{"<?php <<<\"E\"\r\n a", "op:;@1 heredoc:E@1 end:@2"},
		{"<?php 1 <<< E", "op:;@1 num:1@1 op:<<@1 op:<@1 word:E@1 end:@1"},
		{"<?php a .= b ??= c **= 1", "op:;@1 word:a@1 compound:.=@1 word:b@1 compound:??=@1 word:c@1 compound:**=@1 num:1@1 end:@1"},
		{"<?php a === b <=> c ?-> d :: e => f", "op:;@1 word:a@1 op:===@1 word:b@1 op:<=>@1 word:c@1 op:?->@1 word:d@1 op:::@1 word:e@1 op:=>@1 word:f@1 end:@1"},
	} {
		if got := show(tt.src); got != tt.want {
			t.Errorf("%q:\n%s, want\n%s", tt.src, got, tt.want)
		}
	}
}

func TestQuoted(t *testing.T) {
	for src, want := range map[string]string{
		`'a'`:                      "a",
		`'it\'s \\ \n $x {$y}'`:    `it's \ \n $x {$y}`,
		`"a\tb\n\r\v\e\f\\\$\"\q"`: "a\tb\n\r\v\x1b\f\\$\"\\q",
		`"\0\7\101\1018\777"`:      "\x00\x07AA8\xff",
		`"\x4\x41\x414\xg"`:        "\x04AA4\\xg",
		`"\u{e9}\u{1F389}"`:        "é🎉",
		`"5$ $1 $$ {a} \{"`:        `5$ $1 $$ {a} \{`,
		`"{\$a}"`:                  "{$a}",
		`""`:                       "",
		`"$"`:                      "$",
		`"a $b"`:                   "none",
		`"a ${b}"`:                 "none",
		`"a {$b}"`:                 "none",
		`"$é"`:                     "none",
		`"\u{110000}"`:             "none",
		`"\u{e9"`:                  "none",
		`"\u{}"`:                   "none",
		`1`:                        "none",
		`a`:                        "none",
		"<<<A\nA":                  "none",
		"`a`":                      "none",
	} {
		tokens := slices.Collect(phptoken.All("<?php " + src))
		got, ok := tokens[1].Quoted()
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("%s is %q, want %q", src, got, want)
		}
	}
}

// TestAllIsLinear runs sources that look for an end again and again. They take for ever
// where each search goes to the end of the file.
func TestAllIsLinear(t *testing.T) {
	for _, piece := range []string{"<<<", "<<<A", "<?php '\\", "$", "\\", "/", "?", "# ?", "<<<A\nB"} {
		n := 0
		for range phptoken.All("<?php " + strings.Repeat(piece, 512<<10/len(piece))) {
			n++
		}
		if n < 2 {
			t.Errorf("%q: %d tokens", piece, n)
		}
	}
}

func FuzzAll(f *testing.F) {
	f.Add("<?php $a .= \"\\x4\\u{1F600}\\777 $\" . (int) '5' ?> <?= `ls` // x ?>\n<<<'E'\n a\n E;")
	f.Add("<?php add_filter( 'the_content', fn( $x ) => $x ); /* add_action('a', 'b') */ # c")
	f.Fuzz(func(t *testing.T, src string) {
		last := phptoken.Token{Kind: phptoken.Operator, Line: 1}
		length := 0
		for token := range phptoken.All(src) {
			if token.Line < last.Line || last.Kind == phptoken.EndOfFile {
				t.Fatalf("%v after %v", token, last)
			}
			token.Quoted()
			length += len(token.Text)
			last = token
		}
		if last.Kind != phptoken.EndOfFile || last.Line != 1+strings.Count(src, "\n") {
			t.Errorf("the last token is %v", last)
		}
		if length > len(src)+strings.Count(src, "?>")+1 {
			t.Errorf("tokens of %d bytes from %d", length, len(src))
		}
	})
}
