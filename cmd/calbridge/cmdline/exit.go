package cmdline

import (
	"fmt"
	"io"
	"strings"
)

// These are the exit codes of all commands. [ExitCodes] describes them.
const (
	OK          = 0
	Failed      = 1
	Usage       = 2
	Unreachable = 3
	Warned      = 4
)

// ExitCode describes an exit code.
type ExitCode struct {
	Code          int
	Name, Meaning string
}

// ExitCodes returns all exit codes, in ascending order. The help, the man page and
// docker/operate.md show this table.
func ExitCodes() []ExitCode {
	return []ExitCode{
		{OK, "success", "done; or all is the same, the site can be served, the server is as it should be"},
		{Failed, "failure", "failed or interrupted; or there are differences, the site cannot be served, the server is not as it should be"},
		{Usage, "wrong usage", "a flag, a setting or a file that one of them names cannot be used"},
		{Unreachable, "unreachable", "the server that the command asks cannot be reached"},
		{Warned, "warnings", "`calbridge doctor` has warnings and no failures"},
	}
}

// WriteExitCodes prints the exit codes for a terminal.
func WriteExitCodes(w io.Writer) {
	for _, c := range ExitCodes() {
		fmt.Fprintf(w, "  %d  %-12s %s\n", c.Code, c.Name, c.Meaning)
	}
}

// CodesOf returns the line of a command's help that names its exit codes.
func CodesOf(codes ...int) string {
	var texts []string
	for _, c := range codes {
		texts = append(texts, fmt.Sprintf("%d %s", c, ExitCodes()[c].Name))
	}
	return "Exit codes: " + strings.Join(texts, ", ") + "; `calbridge help` explains them."
}

// UsageError is a mistake in the arguments.
type UsageError struct{ text string }

// Error implements error.
func (e UsageError) Error() string { return e.text }

// Usagef returns a UsageError.
func Usagef(format string, args ...any) error { return UsageError{fmt.Sprintf(format, args...)} }

// SettingError is returned for a setting that cannot be used, from whichever source.
type SettingError struct{ Err error }

// Error implements error.
func (e SettingError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e SettingError) Unwrap() error { return e.Err }

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
