// Package cmdline is what the program's subcommands have in common: how they are
// called and how they end.
//
//   - process.go: the Process that a command runs in, and the exit codes with the
//     errors that stand for them
//   - flags.go: parsing flags, with clear sentences for what is wrong with them, and
//     showing them in a help
//
// In come the arguments of a command; out go the parsed values, or an error that
// the program turns into an exit code. The package knows no subcommand and imports
// nothing of calbridge.
package cmdline
