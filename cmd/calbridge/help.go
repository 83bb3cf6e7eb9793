package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// writeSettingsHelp prints the flags of a command that has settings. own are the
// flags that are no settings.
func writeSettingsHelp(w io.Writer, name string, table []setting, fs *flag.FlagSet, own map[string]bool) {
	fmt.Fprintf(w, "Usage: calbridge %s [flags]\n", name)
	if len(own) > 0 {
		fmt.Fprint(w, "\nThis command:\n")
		fs.VisitAll(func(f *flag.Flag) {
			if own[f.Name] {
				arg, help := flag.UnquoteUsage(f)
				writeFlagHelp(w, f.Name, arg, help, shownDefault(f))
			}
		})
	}
	for _, group := range groups() {
		title := group + ":"
		for i := range table {
			s := &table[i]
			if s.group != group {
				continue
			}
			if title != "" {
				fmt.Fprintf(w, "\n%s\n", title)
				title = ""
			}
			writeFlagHelp(w, s.name, s.arg, s.help, s.def)
		}
	}
	fmt.Fprint(w, `
Every setting can also be given as environment variable (--table-prefix is
CALBRIDGE_TABLE_PREFIX), secrets also as a file that CALBRIDGE_…_FILE names, and as a
line "table-prefix = wp_" of the file that --config names. Flags win over the environment,
that over the configuration file, that over wp-config.php.
`)
}

// writeSettingsReference prints the table of all settings for the README.
func writeSettingsReference(w io.Writer) {
	table := settingTable()
	for _, group := range groups() {
		fmt.Fprintf(w, "\n**%s**\n\n| Flag and key | Environment | Default | `wp-config.php` | Meaning |\n|---|---|---|---|---|\n", group)
		for i := range table {
			s := &table[i]
			if s.group != group {
				continue
			}
			name := "`--" + s.name + "`"
			if s.arg != "" {
				name = "`--" + s.name + " " + s.arg + "`"
			}
			env := "`" + envName(s.name) + "`"
			if s.secret {
				env += " (secret: also `…_FILE`)"
			}
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", name, env, code(s.def), code(s.constant), strings.ReplaceAll(s.help, "|", `\|`))
		}
	}
	fmt.Fprintln(w)
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}
