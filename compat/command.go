package compat

import (
	"context"
	"errors"
	"fmt"
	"io"

	"calbridge/compat/profile"
	"calbridge/compat/record"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/compat/report"
	"calbridge/compat/wprest"
)

// RunCompare runs the compare command with parsed options. It writes the differing
// exchanges and a summary to stdout, errors to stderr and the reports to files, and
// returns the exit code.
func RunCompare(ctx context.Context, o replay.Options, files report.Files, stdout, stderr io.Writer) int {
	o.Out = stdout
	o.Details = o.Details || files.Any()
	outcome, err := replay.Compare(ctx, o)
	if outcome.Compared()+outcome.Skipped > 0 {
		report.Summary(stdout, outcome)
	}
	if err != nil {
		fmt.Fprintln(stderr, "calbridge compare:", err)
	}
	if err := files.Write(outcome); err != nil {
		fmt.Fprintln(stderr, "calbridge compare:", err)
		return max(outcome.ExitCode(), replay.ExitUsage)
	}
	return outcome.ExitCode()
}

// RunRecord runs the record command with parsed options. It records the site and writes
// a summary to stdout and errors to stderr. It returns the exit code: 0 recorded, 1
// interrupted, 2 wrong settings or files, 3 site unreachable.
func RunRecord(ctx context.Context, o record.Options, stdout, stderr io.Writer) int {
	result, err := record.Record(ctx, o)
	if result != nil {
		result.WriteSummary(stdout, o)
	}
	if err == nil {
		return replay.ExitSame
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(stderr, "calbridge record: interrupted; run the same command again to continue")
		return replay.ExitFailed
	}
	fmt.Fprintln(stderr, "calbridge record:", err)
	var unreachable *replay.UnreachableError
	if errors.As(err, &unreachable) {
		return replay.ExitUnreachable
	}
	return replay.ExitUsage
}

// RunConvert runs the convert command with parsed options. It writes the file, or
// stdout when out is "-", and returns the exit code, 0 or 2.
func RunConvert(o recording.ConvertOptions, out string, stdout, stderr io.Writer) int {
	count := 0
	convert := func(w io.Writer) (err error) {
		count, err = recording.Convert(o, w)
		return err
	}
	var err error
	if out == "-" {
		err = convert(stdout)
	} else {
		err = recording.WriteFile(out, convert)
	}
	if err != nil {
		fmt.Fprintln(stderr, "calbridge convert:", err)
		return replay.ExitUsage
	}
	if out != "-" {
		fmt.Fprintf(stdout, "%s: %d exchanges\n", out, count)
	}
	return replay.ExitSame
}

// RunProfileBuild runs the profile build command with parsed options. It writes the
// profile to the file out, or to stdout when out is "" or "-", and warnings and errors
// to stderr. It returns the exit code, 0 or 2.
func RunProfileBuild(o profile.Options, out string, stdout, stderr io.Writer) int {
	if err := buildProfile(o, out, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "calbridge profile build:", err)
		return replay.ExitUsage
	}
	return replay.ExitSame
}

func buildProfile(o profile.Options, out string, stdout, stderr io.Writer) error {
	p, err := profile.Build(o)
	if err != nil {
		return err
	}
	for _, warning := range p.Warnings {
		fmt.Fprintln(stderr, "calbridge profile build: warning:", warning)
	}
	if out == "" || out == "-" {
		return p.Write(stdout)
	}
	if err := p.WriteFile(out); err != nil {
		return err
	}
	own := p.Languages[wprest.DefaultLanguage]
	fmt.Fprintf(stdout, "%s: %d languages, %d error messages, %d routes with descriptions, %d texts of the document, %d words, %d blocks\n",
		out, len(p.Languages), len(own.Errors), len(own.Args), len(own.Doc), len(own.Words), len(own.Blocks))
	return nil
}
