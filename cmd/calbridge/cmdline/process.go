package cmdline

import (
	"fmt"
	"io"
)

// Exit codes. Commands with more of them say so in their help.
const (
	OK     = 0
	Failed = 1
	Usage  = 2
)

// Process is the environment and the output of a command.
type Process struct {
	Getenv  func(string) string
	Environ func() []string // lines NAME=value of all variables; nil: they are unknown
	// Stdout and Stderr are each an [Output] in the program.
	Stdout, Stderr io.Writer
	// ShowHelp, when not nil, takes the help of a command instead of Stdout.
	ShowHelp func(Help)
}

// Show shows the help of a command.
func (p *Process) Show(h Help) {
	if p.ShowHelp != nil {
		p.ShowHelp(h)
		return
	}
	h.WriteText(p.Stdout)
}

// UsageError is a mistake in the arguments.
type UsageError struct{ text string }

// Error implements error.
func (e UsageError) Error() string { return e.text }

// Usagef returns a UsageError.
func Usagef(format string, args ...any) error { return UsageError{fmt.Sprintf(format, args...)} }

// ExitError is an exit code of a command that has already printed the reason.
type ExitError int

// Error implements error.
func (e ExitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// Exit returns the ExitError of a code, nil for OK.
func Exit(code int) error {
	if code == OK {
		return nil
	}
	return ExitError(code)
}
