package cmdline

import (
	"io"
	"os"

	"golang.org/x/term"
)

// IsTerminal says whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Color is a colour of a terminal.
type Color string

// The colours, by their ANSI numbers.
const (
	Red    Color = "31"
	Green  Color = "32"
	Yellow Color = "33"
)

// Paint colours text. It leaves text alone where there are no colours.
type Paint func(Color, string) string

// PaintOn returns the Paint of an output: colours on a terminal, unless the environment
// variable NO_COLOR is set (https://no-color.org) or TERM is dumb.
func (p *Process) PaintOn(w io.Writer) Paint {
	if !IsTerminal(w) || p.Getenv("NO_COLOR") != "" || p.Getenv("TERM") == "dumb" {
		return func(_ Color, text string) string { return text }
	}
	return func(c Color, text string) string { return "\x1b[" + string(c) + "m" + text + "\x1b[0m" }
}
