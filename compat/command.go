package compat

import (
	"context"
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
