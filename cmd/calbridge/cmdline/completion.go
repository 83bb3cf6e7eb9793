package cmdline

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Shells returns the names of the shells that WriteCompletion supports.
func Shells() []string { return []string{"bash", "zsh", "fish"} }

// WriteCompletion prints a completion script for one of the Shells. It completes the program's
// commands, flags and values.
func (m *Manual) WriteCompletion(w io.Writer, shell string) error {
	b := &strings.Builder{}
	switch shell {
	case "bash":
		m.bash(b)
	case "zsh":
		m.zsh(b)
	case "fish":
		m.fish(b)
	default:
		return Usagef("completion: %q is not one of %s", shell, strings.Join(Shells(), ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// names returns the first words of all commands.
func (m *Manual) names() (names []string) {
	for _, c := range m.Commands {
		name, _, _ := strings.Cut(c.Command, " ")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// actions returns the second words of the commands whose first word is name.
func (m *Manual) actions(name string) (actions []string) {
	for _, c := range m.Commands {
		if first, action, ok := strings.Cut(c.Command, " "); ok && first == name {
			actions = append(actions, action)
		}
	}
	return actions
}

// summary returns the summary of the command or action that begins with name.
func (m *Manual) summary(name string) string {
	i := slices.IndexFunc(m.Commands, func(c CommandHelp) bool { return c.Command == name || strings.HasPrefix(c.Command, name+" ") })
	return m.Commands[i].Summary
}

func (c CommandHelp) flags() (flags []Flag) {
	for _, g := range c.Groups {
		flags = append(flags, g.Flags...)
	}
	return flags
}

// takesFile and takesFolder report whether the value of a flag is a file or a folder.
func (f Flag) takesFile() bool   { return f.Arg == "FILE" || f.Arg == "GLOB" }
func (f Flag) takesFolder() bool { return f.Arg == "DIR" }

// brief returns the beginning of a flag's help for a list.
func (f Flag) brief() string {
	text, _, _ := strings.Cut(f.Text, ";")
	text, _, _ = strings.Cut(text, ": ")
	return text
}

func (m *Manual) bash(b *strings.Builder) {
	fmt.Fprintf(b, `# Completion of %[1]s for bash: source <(%[1]s completion bash)
_%[1]s() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} values= flags= kind=
  COMPREPLY=()
  # Bash takes the sign in --flag=value for a word.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '%[2]s' -- "$cur"))
    return
  fi
  case $command in
`, m.Program, strings.Join(append(m.names(), "help"), " "))
	for _, name := range m.names() {
		if actions := m.actions(name); len(actions) > 0 {
			fmt.Fprintf(b, "    %s)\n      if ((COMP_CWORD == 2)) && [[ $cur != -* ]]; then COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return; fi\n", name, strings.Join(actions, " "))
			fmt.Fprintf(b, "      case ${COMP_WORDS[2]} in %s) command=\"%s ${COMP_WORDS[2]}\" ;; esac ;;\n", strings.Join(actions, "|"), name)
		}
	}
	fmt.Fprintf(b, "    help)\n      ((COMP_CWORD == 2)) && COMPREPLY=($(compgen -W '%s' -- \"$cur\"))\n      return ;;\n  esac\n  case \"$command $prev\" in\n", strings.Join(m.names(), " "))
	for _, c := range m.Commands {
		for _, f := range c.flags() {
			if f.Arg == "" {
				continue
			}
			kind := "kind=any"
			switch {
			case f.Values != nil:
				kind = fmt.Sprintf("kind=any values='%s'", strings.Join(f.Values, " "))
			case f.takesFile():
				kind = "kind=-f"
			case f.takesFolder():
				kind = "kind=-d"
			}
			fmt.Fprintf(b, "    '%s --%s') %s ;;\n", c.Command, f.Name, kind)
		}
	}
	b.WriteString("  esac\n  case $kind in\n    any) COMPREPLY=($(compgen -W \"$values\" -- \"$cur\")); return ;;\n    -*) compopt -o filenames; COMPREPLY=($(compgen $kind -- \"$cur\")); return ;;\n  esac\n  case $command in\n")
	for _, c := range m.Commands {
		names := make([]string, 0, len(c.flags()))
		for _, f := range c.flags() {
			names = append(names, "--"+f.Name)
		}
		fmt.Fprintf(b, "    '%s') flags='%s' ;;\n", c.Command, strings.Join(append(names, "--help"), " "))
	}
	fmt.Fprintf(b, "  esac\n  COMPREPLY=($(compgen -W \"$flags\" -- \"$cur\"))\n}\ncomplete -F _%[1]s %[1]s\n", m.Program)
}

func (m *Manual) zsh(b *strings.Builder) {
	fmt.Fprintf(b, "#compdef %[1]s\n# Completion of %[1]s for zsh: %[1]s completion zsh >\"${fpath[1]}/_%[1]s\"\n_%[1]s() {\n  local -a list\n  if ((CURRENT == 2)); then\n    list=(", m.Program)
	for _, name := range m.names() {
		fmt.Fprintf(b, " %s", quoted(name+":"+m.summary(name)))
	}
	b.WriteString(")\n    _describe command list\n    return\n  fi\n  local command=$words[2]\n  shift words\n  ((CURRENT--))\n")
	for _, name := range m.names() {
		if actions := m.actions(name); len(actions) > 0 {
			fmt.Fprintf(b, "  if [[ $command == %s ]]; then\n    if ((CURRENT == 2)) && [[ $PREFIX != -* ]]; then list=(%s); _describe action list; return; fi\n", name, strings.Join(actions, " "))
			fmt.Fprintf(b, "    if [[ $words[2] == (%s) ]]; then command=\"%s $words[2]\"; shift words; ((CURRENT--)); fi\n  fi\n", strings.Join(actions, "|"), name)
		}
	}
	b.WriteString("  case $command in\n")
	for _, c := range m.Commands {
		fmt.Fprintf(b, "    '%s') _arguments '--help[this help]'", c.Command)
		for _, f := range c.flags() {
			text := strings.NewReplacer(`[`, `\[`, `]`, `\]`, `:`, `\:`).Replace(f.brief())
			spec := "--" + f.Name + "[" + text + "]"
			if f.Arg != "" {
				spec = "--" + f.Name + "=[" + text + "]:" + f.Arg + ":"
				switch {
				case f.Values != nil:
					spec += "(" + strings.Join(f.Values, " ") + ")"
				case f.takesFile():
					spec += "_files"
				case f.takesFolder():
					spec += "_files -/"
				}
			}
			fmt.Fprintf(b, " \\\n      %s", quoted(spec))
		}
		b.WriteString(" ;;\n")
	}
	fmt.Fprintf(b, "  esac\n}\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then _%[1]s \"$@\"; else compdef _%[1]s %[1]s; fi\n", m.Program)
}

func (m *Manual) fish(b *strings.Builder) {
	fmt.Fprintf(b, "# Completion of %[1]s for fish: %[1]s completion fish >~/.config/fish/completions/%[1]s.fish\ncomplete -c %[1]s -f\n", m.Program)
	for _, name := range m.names() {
		fmt.Fprintf(b, "complete -c %s -n __fish_use_subcommand -a %s -d %s\n", m.Program, name, quoted(m.summary(name)))
		for _, action := range m.actions(name) {
			fmt.Fprintf(b, "complete -c %s -n '__fish_seen_subcommand_from %s; and not __fish_seen_subcommand_from %s' -a %[3]s -d %s\n", m.Program, name, action, quoted(m.summary(name+" "+action)))
		}
	}
	for _, c := range m.Commands {
		name, action, two := strings.Cut(c.Command, " ")
		when := "__fish_seen_subcommand_from " + name
		if two {
			when += "; and __fish_seen_subcommand_from " + action
		} else if actions := m.actions(name); len(actions) > 0 {
			when += "; and not __fish_seen_subcommand_from " + strings.Join(actions, " ")
		}
		for _, f := range c.flags() {
			value := ""
			switch {
			case f.Values != nil:
				value = " -x -a " + quoted(strings.Join(f.Values, " "))
			case f.takesFile():
				value = " -r -F"
			case f.takesFolder():
				value = " -x -a '(__fish_complete_directories)'"
			case f.Arg != "":
				value = " -x"
			}
			fmt.Fprintf(b, "complete -c %s -n '%s' -l %s%s -d %s\n", m.Program, when, f.Name, value, quoted(f.brief()))
		}
	}
}

// quoted returns text as a single-quoted word, which zsh and fish both read literally.
func quoted(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
