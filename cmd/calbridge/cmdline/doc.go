// Package cmdline is shared by the program's subcommands.
//
//   - process.go: the Process of a command
//   - exit.go: the table of exit codes, and their errors
//   - flags.go: parsing flags, with clear errors
//   - terminal.go: colours, and reading a secret
//   - help.go: what a command's help says, and printing it
//   - manual.go, completion.go: the man page and the shell completions, made from all helps
//
// It turns the arguments of a command into parsed values, or into an error that the program
// turns into an exit code. The package imports nothing of calbridge.
package cmdline
