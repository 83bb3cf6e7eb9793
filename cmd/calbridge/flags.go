package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// newFlags returns a set of flags that stays silent: the caller tells errors.
func newFlags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return fs
}

// parseFlags parses the flags of a command that has no settings. Asked for help
// it prints it and returns flag.ErrHelp. after is printed below the flags.
func parseFlags(p *program, fs *flag.FlagSet, args []string, usage, after string) error {
	err := parseOnly(fs, args)
	if err != flag.ErrHelp {
		return err
	}
	fmt.Fprintf(p.stdout, "Usage: %s\n\n", usage)
	fs.VisitAll(func(f *flag.Flag) {
		arg, help := flag.UnquoteUsage(f)
		writeFlagHelp(p.stdout, f.Name, arg, help, shownDefault(f))
	})
	if after != "" {
		fmt.Fprintf(p.stdout, "\n%s\n", after)
	}
	return flag.ErrHelp
}

func shownDefault(f *flag.Flag) string {
	switch f.DefValue {
	case "false", "0", "0s", "[]":
		return ""
	}
	return f.DefValue
}

// parseOnly parses args and puts what is wrong with them into a clear sentence.
func parseOnly(fs *flag.FlagSet, args []string) error {
	err := fs.Parse(args)
	if err == nil {
		if fs.NArg() > 0 {
			return usagef("%s: unexpected argument %q; run `calbridge %[1]s --help`", fs.Name(), fs.Arg(0))
		}
		return nil
	}
	if err == flag.ErrHelp {
		return err
	}
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		return usagef("%s: unknown flag --%s%s; run `calbridge %[1]s --help` for all flags", fs.Name(), name, suggestion(fs, name))
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return usagef("%s: --%s needs a value", fs.Name(), name)
	}
	return usagef("%s: %s", fs.Name(), text)
}

// suggestion names the flag that was probably meant.
func suggestion(fs *flag.FlagSet, name string) string {
	best, least := "", 3
	fs.VisitAll(func(f *flag.Flag) {
		if d := distance(f.Name, name); d < least {
			best, least = f.Name, d
		}
	})
	if best == "" {
		return ""
	}
	return " (did you mean --" + best + "?)"
}

// distance counts the letters to change between two words.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := diagonal
			if a[i] != b[j] {
				next = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}

// writeFlagHelp prints one flag with its help, wrapped.
func writeFlagHelp(w io.Writer, name, arg, help, def string) {
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
