package cmdline

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// NewFlags returns a flag set that prints nothing, since the caller reports errors.
func NewFlags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return fs
}

// ParseFlags parses the flags of a command without settings. For --help it shows the help,
// with the text after at the end, and returns flag.ErrHelp.
func ParseFlags(p *Process, fs *flag.FlagSet, args []string, usage, after string) error {
	err := Parse(fs, args)
	if err != flag.ErrHelp {
		return err
	}
	var all FlagGroup
	fs.VisitAll(func(f *flag.Flag) { all.Flags = append(all.Flags, FlagOf(f)) })
	p.Show(Help{Command: fs.Name(), Usage: usage, Groups: []FlagGroup{all}, After: after}, true)
	return flag.ErrHelp
}

// HelpOfAll reports whether arguments for which Parse has returned flag.ErrHelp ask for the help of
// all flags, as in --help all.
func HelpOfAll(fs *flag.FlagSet) bool { return fs.Arg(0) == "all" }

// Parse parses args. It words its errors as clear sentences.
func Parse(fs *flag.FlagSet, args []string) error {
	err := fs.Parse(args)
	if err == nil {
		if fs.NArg() > 0 {
			return Usagef("%s: unexpected argument %q; run `calbridge %[1]s --help`", fs.Name(), fs.Arg(0))
		}
		return nil
	}
	if err == flag.ErrHelp {
		return err
	}
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		return Usagef("%s: unknown flag --%s%s; run `calbridge %[1]s --help all` for all flags", fs.Name(), name, suggestion(fs, name))
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return Usagef("%s: --%s needs a value", fs.Name(), name)
	}
	return Usagef("%s: %s", fs.Name(), text)
}

// suggestion returns the flag with the most similar name.
func suggestion(fs *flag.FlagSet, name string) string {
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	best := Nearest(name, names)
	if best == "" {
		return ""
	}
	return " (did you mean --" + best + "?)"
}

// Nearest returns the first of the names that are most similar to mistyped. It returns "" if
// every name differs in more than two places.
func Nearest(mistyped string, names []string) string {
	best, least := "", 3
	for _, name := range names {
		if d := distance(name, mistyped); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance returns the Levenshtein distance.
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

// List is the value of a flag that may be repeated.
type List []string

// String implements flag.Value.
func (l *List) String() string { return fmt.Sprint([]string(*l)) }

// Set implements flag.Value.
func (l *List) Set(text string) error {
	*l = append(*l, text)
	return nil
}
