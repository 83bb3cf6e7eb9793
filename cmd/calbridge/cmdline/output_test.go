package cmdline

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestOutput(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttext\n": "plain\ttext\n",
		"příliš žluťoučký 日本 👍🏽":     "příliš žluťoučký 日本 👍🏽",
		"\x1b[2J\x1b]0;title\x07":    `\u001b[2J\u001b]0;title\u0007`,
		"a\rb\bc\x00d\x7f":           `a\u000db\u0008c\u0000d\u007f`,
		"\u009b31m\u0085":            `\u009b31m\u0085`,
		"\x9b31m \x85 \xe9":          `\u009b31m \u0085 ` + "\xe9",
		"\u202egnp.exe\u2066x\u2069": `\u202egnp.exe\u2066x\u2069`,
		"\u061c\u200e\u200f\u2028":   `\u061c\u200e\u200f\u2028`,
	} {
		for step := range len(text) + 1 { // write the text whole, and in two pieces
			var out bytes.Buffer
			o := NewOutput(&out)
			for _, part := range []string{text[:step], text[step:]} {
				if n, err := o.Write([]byte(part)); n != len(part) || err != nil {
					t.Fatal(n, err)
				}
			}
			if strings.HasSuffix(text, "\xe9") { // the byte may begin a character
				if err := o.Close(); err != nil {
					t.Fatal(err)
				}
				want = strings.ReplaceAll(want, "\xe9", "\ufffd")
			}
			if out.String() != want {
				t.Errorf("%q in pieces of %d: %q, want %q", text, step, out.String(), want)
			}
		}
	}
}

// TestOutputKeepsJSON checks that the output of JSON has the same meaning.
func TestOutputKeepsJSON(t *testing.T) {
	in := map[string]string{"a\x1b\u009b": "b\u202e\x7f\r\n\t"}
	var out bytes.Buffer
	if err := json.NewEncoder(NewOutput(&out)).Encode(in); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got["a\x1b\u009b"] != in["a\x1b\u009b"] {
		t.Errorf("%q: %v", out.String(), err)
	}
	if strings.ContainsAny(out.String(), "\u009b\u202e\x7f") {
		t.Errorf("%q", out.String())
	}
}

// TestControl checks that the program's own sequences reach the terminal, and that similar
// sequences in a text don't.
func TestControl(t *testing.T) {
	var out bytes.Buffer
	o := NewOutput(&out)
	_, _ = o.Write([]byte(o.Control("31m") + "red\x1b[0m\x00" + o.Control("0m")))
	if want := "\x1b[31mred" + `\u001b[0m\u0000` + "\x1b[0m"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
