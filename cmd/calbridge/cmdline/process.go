package cmdline

import "io"

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
