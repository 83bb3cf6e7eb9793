package compat

import (
	"calbridge/compat/recording"
	"calbridge/compat/wire"
	"context"
	"errors"
	"fmt"
	"io"
)

// RunCompare is the compare command with its options parsed: it writes the
// differing exchanges and a summary to stdout, what keeps it from comparing to
// stderr, the reports that are asked for, and returns the exit code.
func RunCompare(ctx context.Context, o Options, files ReportFiles, stdout, stderr io.Writer) int {
	o.Out = stdout
	o.Details = o.Details || files.any()
	report, err := Compare(ctx, o)
	if report.Compared()+report.Skipped > 0 {
		report.WriteSummary(stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "calbridge compare:", err)
	}
	if err := files.Write(report); err != nil {
		fmt.Fprintln(stderr, "calbridge compare:", err)
		return max(report.ExitCode(), ExitUsage)
	}
	return report.ExitCode()
}

// RunRecord is the record command with its options parsed: it records the site,
// writes what came of it to stdout and what keeps it from going on to stderr, and
// returns the exit code: 0 recorded, 2 wrong settings or files or interrupted, 3
// site unreachable.
func RunRecord(ctx context.Context, o RecordOptions, stdout, stderr io.Writer) int {
	result, err := Record(ctx, o)
	if result != nil {
		result.WriteSummary(stdout, o)
	}
	if err == nil {
		return ExitSame
	}
	fmt.Fprintln(stderr, "calbridge record:", err)
	var unreachable *wire.UnreachableError
	if errors.As(err, &unreachable) {
		return ExitUnreachable
	}
	return ExitUsage
}

// WriteSummary writes what was recorded, and what a person should look at.
func (r *RecordResult) WriteSummary(w io.Writer, o RecordOptions) {
	if r.AlreadyFinished {
		fmt.Fprintf(w, "%s: finished before, nothing was asked\n", o.Out)
	} else {
		fmt.Fprintf(w, "%s: %d exchanges (%d from before), %d write cases, %d with noise rules, %d requests sent\n", o.Out, r.Exchanges, r.Resumed, r.Cases, r.Noisy, r.Requests)
	}
	for _, request := range r.Unstable {
		fmt.Fprintln(w, "  left out, its status changes:", request)
	}
	for _, code := range r.LanguagesNotFound {
		fmt.Fprintf(w, "  language %s has no directory, asked with the language argument\n", code)
	}
	for _, route := range r.Leftover {
		fmt.Fprintln(w, "  created and not deleted again, look at it:", route)
	}
	if r.ProfileLanguages > 0 {
		fmt.Fprintf(w, "%s: profile of %d languages\n", o.Profile, r.ProfileLanguages)
	}
	for _, warning := range r.ProfileWarnings {
		fmt.Fprintln(w, "  profile:", warning)
	}
}

// RunConvert is the convert command with its options parsed: it writes the file
// and returns the exit code, 0 or 2.
func RunConvert(o recording.ConvertOptions, out string, stdout, stderr io.Writer) int {
	count, err := recording.ConvertFile(o, out)
	if err != nil {
		fmt.Fprintln(stderr, "calbridge convert:", err)
		return ExitUsage
	}
	fmt.Fprintf(stdout, "%s: %d exchanges\n", out, count)
	return ExitSame
}

// RunProfileBuild is the profile build command with its options parsed: it writes
// the profile to the file out, or to stdout when out is "" or "-", warnings and
// errors to stderr, and returns the exit code, 0 or 2.
func RunProfileBuild(o ProfileOptions, out string, stdout, stderr io.Writer) int {
	p, err := BuildProfile(o)
	if err == nil {
		for _, warning := range p.Warnings {
			fmt.Fprintln(stderr, "calbridge profile build: warning:", warning)
		}
		if out == "" || out == "-" {
			err = p.Write(stdout)
		} else if err = p.WriteFile(out); err == nil {
			own := p.Languages[DefaultLanguage]
			fmt.Fprintf(stdout, "%s: %d languages, %d error messages, %d routes with descriptions, %d texts of the document, %d words, %d blocks\n",
				out, len(p.Languages), len(own.Errors), len(own.Args), len(own.Doc), len(own.Words), len(own.Blocks))
		}
	}
	if err != nil {
		fmt.Fprintln(stderr, "calbridge profile build:", err)
		return ExitUsage
	}
	return ExitSame
}
