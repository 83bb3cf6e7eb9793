package cmdline

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Manual describes a program and its commands, in the order of its help.
type Manual struct {
	Program, Summary, Version string
	Commands                  []CommandHelp
}

// CommandHelp is a command of a Manual. Commands with two words, such as "profile build", may
// share their first word with others.
type CommandHelp struct {
	Help
	Summary string
}

// WriteMan prints the manual as a man page with the macros of man(7). Settings that several
// commands share are described once, under the first of these commands.
func (m *Manual) WriteMan(w io.Writer) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, ".TH %s 1 \"\" \"%s\" \"User Commands\"\n", roff(strings.ToUpper(m.Program)), roff(m.Version))
	fmt.Fprintf(b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", roff(m.Program), roff(m.Summary))
	for i, c := range m.Commands {
		if i > 0 {
			b.WriteString(".br\n")
		}
		fmt.Fprintf(b, ".B %s\n", roff(c.Usage))
	}
	settings := m.Commands[0].Groups
	b.WriteString(".SH COMMANDS\n")
	for _, c := range m.Commands {
		fmt.Fprintf(b, ".SS %s\n%s.\n", roff(c.Command), roff(c.Summary))
		var shared []string
		for _, g := range c.Groups {
			switch at := slices.IndexFunc(settings, func(s FlagGroup) bool { return s.Title == g.Title }); {
			case at < 0:
				manFlags(b, g.Flags)
			case len(settings[at].Flags) == len(g.Flags):
				shared = append(shared, "all of "+g.Title)
			default:
				for _, f := range g.Flags {
					shared = append(shared, "--"+f.Name)
				}
			}
		}
		if len(shared) > 0 {
			fmt.Fprintf(b, ".PP\nSettings (see below): %s.\n", roff(strings.Join(shared, ", ")))
		} else if c.After != "" {
			fmt.Fprintf(b, ".PP\n%s\n", roff(c.After))
		}
	}
	b.WriteString(".SH SETTINGS\n")
	for _, g := range settings {
		fmt.Fprintf(b, ".SS %s\n", roff(g.Title))
		manFlags(b, g.Flags)
	}
	fmt.Fprintf(b, ".PP\n%s\n", roff(m.Commands[0].After))
	b.WriteString(".SH EXIT STATUS\n")
	for _, c := range ExitCodes() {
		fmt.Fprintf(b, ".TP\n.B %d\n%s: %s.\n", c.Code, roff(c.Name), roff(c.Meaning))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func manFlags(b *strings.Builder, flags []Flag) {
	for _, f := range flags {
		fmt.Fprintf(b, ".TP\n.BR %s", roff("--"+f.Name))
		if f.Arg != "" {
			fmt.Fprintf(b, " \" \" \\fI%s\\fR", roff(f.Arg))
		}
		fmt.Fprintf(b, "\n%s.", roff(f.Text))
		if f.Default != "" {
			fmt.Fprintf(b, " Default: %s.", roff(f.Default))
		}
		b.WriteByte('\n')
	}
}

// roff escapes text for a man page. A line that begins with a dot or an apostrophe would be
// read as a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\"", `\(dq`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
