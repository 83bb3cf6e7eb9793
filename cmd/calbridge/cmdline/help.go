package cmdline

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// WriteFlag prints a flag with its help.
func WriteFlag(w io.Writer, f *flag.Flag) {
	arg, help := flag.UnquoteUsage(f)
	def := f.DefValue
	switch def {
	case "false", "0", "0s", "[]":
		def = ""
	}
	WriteHelp(w, f.Name, arg, help, def)
}

// WriteHelp prints one flag with its help, wrapped. arg and def may be "".
func WriteHelp(w io.Writer, name, arg, help, def string) {
	head := "--" + name
	if arg != "" {
		head += " " + arg
	}
	if def != "" {
		help += " (default " + def + ")"
	}
	const indent, width = "        ", 96
	fmt.Fprintf(w, "  %s\n", head)
	line := indent
	for word := range strings.FieldsSeq(help) {
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
