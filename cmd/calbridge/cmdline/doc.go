// Package cmdline is shared by the program's subcommands.
//
//   - process.go: the Process of a command, and exit codes with their errors
//   - flags.go: parsing flags, with clear errors, and printing their help
//
// In come the arguments of a command; out go parsed values, or an error that the program
// turns into an exit code. The package imports nothing of calbridge.
package cmdline
