package shortcode

import (
	"fmt"
	"strings"
	"testing"

	"calbridge/rest/wptext/texttest"
	"calbridge/wpstore/php"
)

// TestParseAttrs: each form of an attribute.
func TestParseAttrs(t *testing.T) {
	for in, want := range map[string]string{
		"":                             "",
		" \n":                          "",
		`a="b c" D='e "f"' g=h`:        `a=b c|d=e "f"|g=h`,
		`a = "b"  c='d'`:               "a=b|c=d",
		`x "y z" 'w' 5`:                "0=x|1=y z|2=w|3=5",
		`a="b"c`:                       `0=a="b"c`,
		`a="b" c="d`:                   `a=b|0=c="d`,
		`a=b"c`:                        `0=a=b"c`,
		"a=":                           "0=a=",
		`a-b_1="c" =d`:                 "a-b_1=c|0==d",
		`a="" b=''`:                    "a=|b=",
		`a="1" a="2" A=3`:              "a=3",
		"a=\u00a0\u200b\u00a0b\u00a0c": "a=b|0=c",
		`a="<b>x</b>" c="<b" d="x>y"`:  "a=<b>x</b>|c=|d=x>y",
		`é=1`:                          "0=é=1",
	} {
		var list []string
		for key, value := range ParseAttrs(in).All() {
			list = append(list, fmt.Sprint(key.String(), "=", php.ToString(value)))
		}
		if got := strings.Join(list, "|"); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	attrs := ParseAttrs("a=b")
	if got := Attr(attrs, "a", "x") + Attr(attrs, "c", "y"); got != "by" {
		t.Errorf("Attr: %q", got)
	}
}

// TestUnescapeC: what PHP's stripcslashes returns (checked with php 8.2).
func TestUnescapeC(t *testing.T) {
	texttest.CheckPairs(t, unescapeC,
		"plain", "plain", `a\nb\tc\rd\ae\vf\bg\fh`, "a\nb\tc\rd\ae\vf\bg\fh", `\\ \" \' \q \é`, `\ " ' q é`, `a\`, `a\`,
		`\x41\x4\x4g\xg\x414`, "A\x04\x04gxgA4", `\101\61\0\08\1012`, "A1\x00\x008A2", `\777\8`, "\xff8", "\\\n", "\n", "\xff\\n", "\xff\n")
}
