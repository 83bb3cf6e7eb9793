package app

import (
	"context"
	"errors"
	"flag"
	"strings"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/cmdline"
)

// manual collects the help of all commands by running each with --help.
func manual(ctx context.Context, p *cmdline.Process) (*cmdline.Manual, error) {
	m := &cmdline.Manual{Program: "calbridge", Summary: purpose, Version: buildinfo.This().String()}
	var help *cmdline.Help
	asked := &cmdline.Process{Getenv: p.Getenv, Environ: p.Environ, Stdout: p.Stdout, Stderr: p.Stderr, ShowHelp: func(h cmdline.Help) { help = &h }}
	add := func(c command, summary string, args ...string) error {
		help = nil
		if err := c.run(ctx, asked, append(args, "--help")); !errors.Is(err, flag.ErrHelp) || help == nil {
			return errors.New("there is no help for " + strings.Join(append([]string{c.name}, args...), " "))
		}
		m.Commands = append(m.Commands, cmdline.CommandHelp{Help: *help, Summary: summary})
		return nil
	}
	for _, c := range commands() {
		first := len(m.Commands)
		if err := add(c, c.summary); err != nil {
			return nil, err
		}
		for _, a := range c.actions {
			if err := add(c, a.summary, a.name); err != nil {
				return nil, err
			}
		}
		if last := len(m.Commands) - 1; last > first && m.Commands[last].Command == m.Commands[first].Command {
			m.Commands = m.Commands[:last] // the command's only action
		}
	}
	return m, nil
}

// completionCommand prints the completion script for a shell.
func completionCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	shells := strings.Join(cmdline.Shells(), "|")
	var shell string
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		shell, args = args[0], args[1:]
	}
	const after = "Bash: source <(calbridge completion bash). The first lines of each script describe where to install it."
	if err := cmdline.ParseFlags(p, cmdline.NewFlags("completion"), args, "calbridge completion "+shells, after); err != nil {
		return err
	}
	if shell == "" {
		return cmdline.Usagef("completion: name a shell: %s", strings.Join(cmdline.Shells(), ", "))
	}
	m, err := manual(ctx, p)
	if err != nil {
		return err
	}
	return m.WriteCompletion(p.Stdout, shell)
}

// manCommand prints the man page.
func manCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	const after = "To read it: calbridge man | man -l -"
	if err := cmdline.ParseFlags(p, cmdline.NewFlags("man"), args, "calbridge man", after); err != nil {
		return err
	}
	m, err := manual(ctx, p)
	if err != nil {
		return err
	}
	return m.WriteMan(p.Stdout)
}
