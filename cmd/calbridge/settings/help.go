package settings

import (
	"flag"
	"fmt"
	"io"

	"calbridge/cmd/calbridge/cmdline"
)

// writeHelp prints the flags of a command with the settings of t. own are its flags that are
// not settings.
func writeHelp(w io.Writer, t table, fs *flag.FlagSet, own map[string]bool) {
	fmt.Fprintf(w, "Usage: calbridge %s [flags]\n", fs.Name())
	if len(own) > 0 {
		fmt.Fprint(w, "\nThis command:\n")
		fs.VisitAll(func(f *flag.Flag) {
			if own[f.Name] {
				cmdline.WriteFlag(w, f)
			}
		})
	}
	var group Group
	for _, s := range t { // ordered by groups
		if s.group != group {
			group = s.group
			fmt.Fprintf(w, "\n%s:\n", group)
		}
		cmdline.WriteHelp(w, s.name, s.arg, s.help, s.def)
	}
	fmt.Fprint(w, `
Every setting can also be an environment variable (--table-prefix is
CALBRIDGE_TABLE_PREFIX), or a line "table-prefix = wp_" of the file named by --config.
Secrets can also be in a file named by CALBRIDGE_…_FILE. Flags take precedence over the
environment, that over the configuration file, that over wp-config.php.
`)
}
