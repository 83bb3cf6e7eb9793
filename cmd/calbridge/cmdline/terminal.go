package cmdline

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := underlying(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Color is a terminal colour.
type Color string

// These colours have their ANSI numbers.
const (
	Red    Color = "31"
	Green  Color = "32"
	Yellow Color = "33"
)

// Paint colours text. It returns the text unchanged if the output has no colours.
type Paint func(Color, string) string

// Control returns a terminal sequence, such as "2K", to print to w.
func Control(w io.Writer, sequence string) string {
	if o, ok := w.(*Output); ok {
		return o.Control(sequence)
	}
	return "\x1b[" + sequence
}

// Raw returns the terminal below w, for a library that controls it directly.
func Raw(w io.Writer) io.Writer { return underlying(w) }

// PaintOn returns the Paint of an output. It colours on a terminal, unless the environment
// variable NO_COLOR is set (https://no-color.org) or TERM is dumb.
func (p *Process) PaintOn(w io.Writer) Paint {
	if !IsTerminal(w) || p.Getenv("NO_COLOR") != "" || p.Getenv("TERM") == "dumb" {
		return func(_ Color, text string) string { return text }
	}
	return func(c Color, text string) string { return Control(w, string(c)+"m") + text + Control(w, "0m") }
}

// ErrNoInput is returned when a process has no standard input, or nothing in it.
var ErrNoInput = errors.New("standard input is empty")

// maxSecret limits a secret on standard input, in bytes.
const maxSecret = 4096

// ReadSecret returns a line of standard input. On a terminal it shows the prompt, and not what
// is typed.
func (p *Process) ReadSecret(prompt string) (string, error) {
	if f, ok := p.Stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprint(p.Stderr, prompt)
		secret, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(p.Stderr)
		return string(secret), err
	}
	if p.Stdin == nil {
		return "", ErrNoInput
	}
	lines := bufio.NewScanner(io.LimitReader(p.Stdin, maxSecret))
	if !lines.Scan() {
		return "", errors.Join(ErrNoInput, lines.Err())
	}
	return lines.Text(), nil
}

// Size returns the columns and rows of the terminal w, 80 and 24 if they are unknown.
func Size(w io.Writer) (columns, rows int) {
	if f, ok := underlying(w).(*os.File); ok {
		if columns, rows, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 && rows > 0 {
			return columns, rows
		}
	}
	return 80, 24
}

// RawLines returns text whose lines begin at the left edge of a terminal in raw mode too.
func RawLines(w io.Writer, text string) string {
	return strings.ReplaceAll(text, "\n", "\n"+Control(w, "G"))
}

// ReadKeys puts the process's terminal into raw mode and sends the keys that are pressed until ctx
// ends. restore ends that, and must be called. Without a terminal no keys come.
func ReadKeys(ctx context.Context) (keys <-chan rune, restore func()) {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return nil, func() {}
	}
	// Fd would make reads block, so that closing the terminal would not end them.
	conn, err := tty.SyscallConn()
	if err != nil {
		tty.Close()
		return nil, func() {}
	}
	var before *term.State
	failed := conn.Control(func(fd uintptr) { before, err = term.MakeRaw(int(fd)) })
	if failed != nil || err != nil {
		tty.Close()
		return nil, func() {}
	}
	pressed, ended := make(chan rune), make(chan struct{})
	go func() { // ends when restore closes the terminal
		defer close(ended)
		in := bufio.NewReader(tty)
		for {
			key, _, err := in.ReadRune()
			if err != nil {
				return
			}
			select {
			case pressed <- key:
			case <-ctx.Done():
				return
			}
		}
	}()
	return pressed, func() {
		_ = conn.Control(func(fd uintptr) { _ = term.Restore(int(fd), before) })
		tty.Close()
		<-ended
	}
}
