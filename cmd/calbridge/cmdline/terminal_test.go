package cmdline

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// TestPaint checks that colours appear only on terminals, and never with NO_COLOR.
func TestPaint(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	for name, c := range map[string]struct {
		env     map[string]string
		colored bool
	}{
		"terminal": {nil, true},
		"NO_COLOR": {map[string]string{"NO_COLOR": "1"}, false},
		"dumb":     {map[string]string{"TERM": "dumb"}, false},
	} {
		p := &Process{Getenv: func(name string) string { return c.env[name] }}
		want := "bad"
		if c.colored {
			want = "\x1b[31mbad\x1b[0m"
		}
		if got := p.PaintOn(terminal)(Red, "bad"); got != want {
			t.Errorf("%s: %q", name, got)
		}
		if got := p.PaintOn(&strings.Builder{})(Red, "bad"); got != "bad" {
			t.Errorf("%s, to a file: %q", name, got)
		}
	}
}

// TestReadSecret checks what standard input gives, without a prompt.
func TestReadSecret(t *testing.T) {
	for name, c := range map[string]struct {
		stdin io.Reader
		want  string
		err   error
	}{
		"none":      {nil, "", ErrNoInput},
		"empty":     {strings.NewReader(""), "", ErrNoInput},
		"a line":    {strings.NewReader("abcd efgh\r\nmore"), "abcd efgh", nil},
		"no end":    {strings.NewReader("abcd"), "abcd", nil},
		"very long": {strings.NewReader(strings.Repeat("x", 2*maxSecret)), strings.Repeat("x", maxSecret), nil},
	} {
		t.Run(name, func(t *testing.T) {
			var shown strings.Builder
			got, err := (&Process{Stdin: c.stdin, Stderr: &shown}).ReadSecret("Password: ")
			if got != c.want || !errors.Is(err, c.err) || shown.Len() > 0 {
				t.Errorf("%q, %v, shown %q", got, err, shown.String())
			}
		})
	}
}
