package cmdline

import (
	"errors"
	"flag"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParseFlags(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string // the expected error
	}{
		"good":       {[]string{"--target", "http://x", "--one", "a", "--one=b", "--strict"}, ""},
		"misspelt":   {[]string{"--targte", "x"}, "try: unknown flag --targte (did you mean --target?); run `calbridge try --help all` for all flags"},
		"unknown":    {[]string{"--colour"}, "try: unknown flag --colour; run"},
		"very long":  {[]string{"--" + strings.Repeat("x", 100)}, "try: unknown flag"},
		"no value":   {[]string{"--target"}, "try: --target needs a value"},
		"bad value":  {[]string{"--timeout", "soon"}, "try: invalid value \"soon\""},
		"argument":   {[]string{"now"}, "try: unexpected argument \"now\"; run `calbridge try --help`"},
		"help":       {[]string{"-h"}, flag.ErrHelp.Error()},
		"double one": {[]string{"--ome", "a"}, "did you mean --one?"},
	} {
		fs := NewFlags("try")
		target := fs.String("target", "", "`URL` of the server")
		var ones List
		fs.Var(&ones, "one", "one of `MANY`")
		strict := fs.Bool("strict", false, "fail on everything")
		fs.Duration("timeout", 5*time.Second, "longest `TIME`")
		var out strings.Builder
		err := ParseFlags(&Process{Stdout: &out}, fs, c.args, "calbridge try [flags]", "Exit codes: 0.")
		if c.want == "" {
			if err != nil || *target != "http://x" || ones.String() != "[a b]" || !*strict {
				t.Errorf("%s: %v, %q %v %v", name, err, *target, ones, *strict)
			}
			continue
		}
		var usage UsageError
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, &usage) == errors.Is(err, flag.ErrHelp) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if help := out.String(); name == "help" && help != "Usage: calbridge try [flags]\n\n"+
			"  --one MANY\n        one of MANY\n  --strict\n        fail on everything\n  --target URL\n        URL of the server\n"+
			"  --timeout TIME\n        longest TIME (default 5s)\n\nExit codes: 0.\n" {
			t.Errorf("help:\n%s", help)
		}
	}
}

// TestHelpText checks that long texts are wrapped at 96 columns, and only between words.
func TestHelpText(t *testing.T) {
	var out strings.Builder
	listen := Flag{Name: "listen", Arg: "ADDR", Text: strings.Repeat("word ", 40) + strings.Repeat("x", 100), Default: ":80"}
	Help{Usage: "calbridge try", Groups: []FlagGroup{{Title: "Listening", Flags: []Flag{listen}}}}.WriteText(&out, false)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if !slices.Equal(lines[:4], []string{"Usage: calbridge try", "", "Listening:", "  --listen ADDR"}) {
		t.Errorf("%q", lines[:4])
	}
	lines = lines[3:]
	for _, line := range lines {
		if len(line) > 96 && !strings.Contains(line, "xxx") {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	if got := strings.Join(strings.Fields(strings.Join(lines[1:], " ")), " "); got != strings.Repeat("word ", 40)+strings.Repeat("x", 100)+" (default :80)" {
		t.Errorf("%q", got)
	}
}

// TestHelpOfAll: rare flags are shown only on request, and the short help says so.
func TestHelpOfAll(t *testing.T) {
	help := Help{Command: "try", Usage: "calbridge try", Groups: []FlagGroup{
		{"Some", []Flag{{Name: "often"}, {Name: "seldom", Rare: true}}}, {"Rare ones", []Flag{{Name: "never", Rare: true}}},
	}, After: "The end."}
	for _, c := range []struct {
		name, args, want string
	}{
		{"short", "--help", "Usage: calbridge try\n\nSome:\n  --often\n        \n\nThese are the settings that most sites need. `calbridge try --help all` shows 2 more.\n\nThe end.\n"},
		{"all", "--help all", "Usage: calbridge try\n\nSome:\n  --often\n        \n  --seldom\n        \n\nRare ones:\n  --never\n        \n\nThe end.\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fs := NewFlags("try")
			if err := Parse(fs, strings.Fields(c.args)); !errors.Is(err, flag.ErrHelp) {
				t.Fatal(err)
			}
			var out strings.Builder
			if help.WriteText(&out, HelpOfAll(fs)); out.String() != c.want {
				t.Errorf("%q, want %q", out.String(), c.want)
			}
		})
	}
}

func TestExit(t *testing.T) {
	if err := Exit(OK); err != nil {
		t.Error(err)
	}
	var exit ExitError
	if err := Exit(3); !errors.As(err, &exit) || exit != 3 || err.Error() != "exit code 3" {
		t.Error(err)
	}
}
