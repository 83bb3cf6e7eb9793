package cmdline

import (
	"crypto/rand"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// Output is an output of the process that may be a terminal. Some of what commands print comes
// from recordings, servers, databases and clients. It must not move the cursor, change colours,
// or change the order of text. Output therefore escapes control characters, except tab and
// newline, and characters that set the direction of text, in the form \u001b. JSON keeps its
// meaning, since only its strings may contain such characters.
//
// Sequences of the program's own come from [Output.Control]. An Output is safe for concurrent
// use.
type Output struct {
	to io.Writer
	// mark begins the program's own sequences. It is random, so that no other text can contain
	// it.
	mark string

	mu sync.Mutex
	// rest is the incomplete character at the end of the last write.
	rest []byte
	out  []byte
}

// NewOutput returns an Output that writes to w.
func NewOutput(w io.Writer) *Output { return &Output{to: w, mark: "\x00" + rand.Text()[:10]} }

// Control returns a terminal sequence, such as "2K" or "31m", to print to this Output.
func (o *Output) Control(sequence string) string { return o.mark + sequence }

// Write implements io.Writer.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.out = o.out[:0]
	text := p
	if len(o.rest) > 0 {
		text = append(o.rest, p...)
		o.rest = nil
	}
	for len(text) > 0 {
		n := plain(text)
		o.out, text = append(o.out, text[:n]...), text[n:]
		if len(text) == 0 {
			break
		}
		if len(text) >= len(o.mark) && string(text[:len(o.mark)]) == o.mark {
			o.out, text = append(o.out, "\x1b["...), text[len(o.mark):]
			continue
		}
		if !utf8.FullRune(text) {
			o.rest = append([]byte(nil), text...)
			break
		}
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1 && text[0] < 0xa0: // C1 controls on terminals without UTF-8
			o.out = fmt.Appendf(o.out, `\u%04x`, text[0])
		case steers(r):
			o.out = fmt.Appendf(o.out, `\u%04x`, r)
		default:
			o.out = append(o.out, text[:size]...)
		}
		text = text[size:]
	}
	if _, err := o.to.Write(o.out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close writes the rest of an incomplete character. It does not close the underlying writer.
func (o *Output) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	rest := o.rest
	o.rest = nil
	if len(rest) == 0 {
		return nil
	}
	_, err := o.to.Write([]byte(strings.ToValidUTF8(string(rest), "\ufffd")))
	return err
}

// plain returns the number of bytes at the beginning of text that are printable ASCII, tabs or
// newlines.
func plain(text []byte) int {
	for i, b := range text {
		if (b < ' ' && b != '\t' && b != '\n') || b >= 0x7f {
			return i
		}
	}
	return len(text)
}

// steers reports whether a terminal may act on a character instead of showing it. These are
// C0, DEL and C1 controls, line separators, and characters that set the direction of text.
func steers(r rune) bool {
	switch {
	case r == '\t', r == '\n':
		return false
	case r < ' ', r >= 0x7f && r <= 0x9f:
		return true
	}
	return r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// underlying returns the writer below an Output, or w itself.
func underlying(w io.Writer) io.Writer {
	if o, ok := w.(*Output); ok {
		return o.to
	}
	return w
}
