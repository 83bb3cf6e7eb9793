package cmdline

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Help describes a command. The text of --help, the man page and the shell completions are
// made from it.
type Help struct {
	Command string // such as "profile build"
	Usage   string // a single line
	Groups  []FlagGroup
	After   string // text after the flags, may be ""
}

// FlagGroup is a group of flags under a heading, which may be empty.
type FlagGroup struct {
	Title string
	Flags []Flag
}

// Flag describes a flag.
type Flag struct {
	Name    string
	Arg     string // placeholder of the value; "" for flags without one
	Text    string
	Default string   // "" for none
	Values  []string // all permitted values, or nil if any value is permitted
	// Rare marks a flag that only the help of all flags shows.
	Rare bool
}

// FlagOf describes a flag of package flag. The flag's usage names its value in backquotes.
func FlagOf(f *flag.Flag) Flag {
	d := Flag{Name: f.Name, Default: f.DefValue}
	d.Arg, d.Text = flag.UnquoteUsage(f)
	switch d.Default {
	case "false", "0", "0s", "[]":
		d.Default = ""
	}
	return d
}

// WriteText prints the help for a terminal, of all flags or without rare ones.
func (h Help) WriteText(w io.Writer, all bool) {
	fmt.Fprintf(w, "Usage: %s\n", h.Usage)
	hidden := 0
	for _, g := range h.Groups {
		if !all {
			shown := slices.DeleteFunc(slices.Clone(g.Flags), func(f Flag) bool { return f.Rare })
			hidden += len(g.Flags) - len(shown)
			g.Flags = shown
		}
		if len(g.Flags) == 0 {
			continue
		}
		fmt.Fprintln(w)
		if g.Title != "" {
			fmt.Fprintf(w, "%s:\n", g.Title)
		}
		for _, f := range g.Flags {
			f.writeText(w)
		}
	}
	if hidden > 0 {
		fmt.Fprintf(w, "\nThese are the settings that most sites need. `calbridge %s --help all` shows %d more.\n", h.Command, hidden)
	}
	if h.After != "" {
		fmt.Fprintf(w, "\n%s\n", h.After)
	}
}

// writeText prints the flag with its help, wrapped.
func (f Flag) writeText(w io.Writer) {
	head, text := "--"+f.Name, f.Text
	if f.Arg != "" {
		head += " " + f.Arg
	}
	if f.Default != "" {
		text += " (default " + f.Default + ")"
	}
	const indent, width = "        ", 96
	fmt.Fprintf(w, "  %s\n", head)
	line := indent
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > width && strings.TrimSpace(line) != "" {
			fmt.Fprintln(w, line)
			line = indent
		}
		if strings.TrimSpace(line) != "" {
			line += " "
		}
		line += word
	}
	fmt.Fprintln(w, line)
}
