package cmdline

import (
	"fmt"
	"io"
)

// These are the exit codes of all commands. Commands with more codes list them in their help.
const (
	OK     = 0
	Failed = 1
	Usage  = 2
)

// Process holds the environment and the outputs of a command.
type Process struct {
	Getenv  func(string) string
	Environ func() []string // all variables as NAME=value; nil if they are unknown
	Stdin   io.Reader       // nil if there is none
	// Stdout and Stderr are of type [Output] when the program runs.
	Stdout, Stderr io.Writer
	// ShowHelp receives the help of a command instead of Stdout, unless it is nil.
	ShowHelp func(Help)
}

// Show shows the help of a command, of all flags or without rare ones.
func (p *Process) Show(h Help, all bool) {
	if p.ShowHelp != nil {
		p.ShowHelp(h)
		return
	}
	h.WriteText(p.Stdout, all)
}

// UsageError is a mistake in the arguments.
type UsageError struct{ text string }

// Error implements error.
func (e UsageError) Error() string { return e.text }

// Usagef returns a UsageError.
func Usagef(format string, args ...any) error { return UsageError{fmt.Sprintf(format, args...)} }

// ExitError is the exit code of a command that has already printed the reason.
type ExitError int

// Error implements error.
func (e ExitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// Exit returns the ExitError of a code, or nil for OK.
func Exit(code int) error {
	if code == OK {
		return nil
	}
	return ExitError(code)
}
