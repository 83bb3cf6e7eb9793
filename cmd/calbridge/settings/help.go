package settings

import (
	"flag"

	"calbridge/cmd/calbridge/cmdline"
)

// mostFlags is the most settings that a command's short help shows whether or not most sites need
// them.
const mostFlags = 40

// help returns the help of a command with the settings of t. own holds the names of its other
// flags. actions precedes the text after the flags.
func help(t table, fs *flag.FlagSet, own map[string]bool, actions string) cmdline.Help {
	h := cmdline.Help{Command: fs.Name(), Usage: "calbridge " + fs.Name() + " [flags]", After: actions + sources}
	if len(own) > 0 {
		this := cmdline.FlagGroup{Title: "This command"}
		fs.VisitAll(func(f *flag.Flag) {
			if own[f.Name] {
				this.Flags = append(this.Flags, cmdline.FlagOf(f))
			}
		})
		h.Groups = append(h.Groups, this)
	}
	for _, s := range t.current() { // t is ordered by groups
		if n := len(h.Groups); n == 0 || h.Groups[n-1].Title != string(s.group) {
			h.Groups = append(h.Groups, cmdline.FlagGroup{Title: string(s.group)})
		}
		g := &h.Groups[len(h.Groups)-1]
		g.Flags = append(g.Flags, cmdline.Flag{Name: s.name, Arg: s.arg, Text: s.help, Default: s.def, Values: s.set.values, Rare: len(t.current()) > mostFlags && !s.common})
	}
	return h
}

const sources = `Every setting can also be an environment variable (--table-prefix is
CALBRIDGE_TABLE_PREFIX), or a line "table-prefix = wp_" of the file named by --config.
Secrets can also be in a file named by CALBRIDGE_…_FILE. Flags take precedence over the
environment, that over the configuration file, that over wp-config.php.`
