package app

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/cmdline"
)

// TestManual checks that every command and action has its own help, from which the man page is
// made.
func TestManual(t *testing.T) {
	m, err := manual(t.Context(), process(t))
	if err != nil {
		t.Fatal(err)
	}
	flags := map[string][]string{"serve": {"mode", "dsn", "listen"}, "demo": {"keep"}, "demo load": {"home"}, "check": {"json"}, "profile build": {"merge"}, "version": nil, "man": nil}
	for _, c := range m.Commands {
		names := map[string]bool{}
		for _, g := range c.Groups {
			for _, f := range g.Flags {
				names[f.Name] = true
			}
		}
		for _, name := range flags[c.Command] {
			if !names[name] {
				t.Errorf("%s lacks --%s", c.Command, name)
			}
		}
		delete(flags, c.Command)
	}
	if len(flags) > 0 {
		t.Errorf("no help of %v", flags)
	}
}

// TestManPage checks that mandoc warns of nothing and that the rendered page has all texts.
func TestManPage(t *testing.T) {
	mandoc := tool(t, "mandoc")
	page := filepath.Join(t.TempDir(), "calbridge.1")
	written(t, page, "man")
	out, _ := exec.CommandContext(t.Context(), mandoc, "-T", "lint", "-W", "warning", page).CombinedOutput() // mandoc's exit code is not 0 after warnings
	for line := range strings.Lines(string(out)) {
		if !strings.Contains(line, "missing date") { // a date would change with each build
			t.Error(line)
		}
	}
	out, err := exec.CommandContext(t.Context(), mandoc, "-T", "ascii", "-O", "width=200", page).Output()
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(".\b").ReplaceAllString(string(out), "") // mandoc prints bold as a letter over the same letter
	for _, want := range []string{"calbridge profile build --recordings GLOB", "CALBRIDGE_TABLE_PREFIX", `"table-prefix = wp_"`, "Exit codes: 0 success", "EXIT STATUS"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestCompletions checks the completions in each shell itself.
func TestCompletions(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "uploads"), 0o755); err != nil {
		t.Fatal(err)
	}
	ask := map[string]func(script string, words []string) string{
		"bash": func(script string, words []string) string {
			return output(t, dir, "bash", append([]string{"-c", `source "$0"; COMP_WORDS=(calbridge "$@"); COMP_CWORD=$#; _calbridge; printf '%s\n' "${COMPREPLY[@]}"`, script}, words...)...)
		},
		"fish": func(script string, words []string) string {
			return output(t, dir, "fish", "--no-config", "-c", "source "+script+"; complete -C '"+strings.Join(append([]string{"calbridge"}, words...), " ")+"'")
		},
		"zsh": func(script string, words []string) string {
			return output(t, dir, "zsh", append([]string{"-f", "-c", `
				zmodload zsh/zpty
				zpty z zsh -f -i
				zpty -w z "PS1=ASK; LISTMAX=1000; cd ` + dir + `; autoload -U compinit; compinit -u -D; source $0; echo READY"
				zpty -r -m z line '*READY*READY*ASK*'
				zpty -w -n z "calbridge $*"$'\t'" #END"$'\n'
				zpty -r -m z line '*#END*'
				print -r -- "$line"`, script}, words...)...)
		},
	}
	for shell, complete := range ask {
		t.Run(shell, func(t *testing.T) {
			tool(t, shell)
			script := filepath.Join(dir, "calbridge."+shell)
			written(t, script, "completion", shell)
			for _, c := range []struct{ words, want string }{
				{"heal", "healthcheck"},
				{"serve --mode-s", "--mode-share"},
				{"serve --mode diff-p", "diff-proxy"},
				{"demo lo", "load"},
				{"demo load --hom", "--home"},
				{"profile build --mer", "--merge"},
				{"serve --uploads-dir up", "uploads"},
			} {
				if got := complete(script, strings.Fields(c.words)); !strings.Contains(got, c.want) {
					t.Errorf("%s: %q", c.words, got)
				}
			}
		})
	}
	var usage strings.Builder
	p := process(t)
	p.Stderr = &usage
	if code := Run(t.Context(), []string{"completion", "tcsh"}, p.Getenv, p.Stdout, &usage); code != 2 || !strings.Contains(usage.String(), `"tcsh" is not one of bash, zsh, fish`) {
		t.Errorf("%d %s", code, usage.String())
	}
}

func process(t *testing.T) *cmdline.Process {
	return &cmdline.Process{Getenv: func(string) string { return "" }, Stdout: t.Output(), Stderr: t.Output()}
}

// written runs the program and writes its output to a file.
func written(t *testing.T, file string, args ...string) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if code := Run(t.Context(), args, func(string) string { return "" }, f, t.Output()); code != 0 {
		t.Fatalf("%v: exit code %d", args, code)
	}
}

// output runs a program in a folder and returns its output. It fails the test if the program
// fails.
func output(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, name, args...)
	command.Dir, command.Env = dir, append(os.Environ(), "TERM=xterm")
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return string(out)
}

// tool returns the path of a program. Without it, it skips the test, or fails it if all tests
// have to run.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if os.Getenv("CALBRIDGE_REQUIRE_OPS") == "1" {
		t.Fatal(err)
	}
	t.Skip(err)
	return ""
}
