package sitecheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/rest/sitefacts"
	"calbridge/wpstore/check"
)

// Success returns a finding without a problem.
func Success(name, found string) check.Finding {
	return check.Finding{Name: name, Status: check.StatusOK, Found: found}
}

// Warning returns a problem that does not prevent serving.
func Warning(name, found, advice string) check.Finding {
	return check.Finding{Name: name, Status: check.StatusWarn, Found: found, Advice: advice}
}

// Failure returns a problem that prevents serving.
func Failure(name, found, advice string) check.Finding {
	return check.Finding{Name: name, Status: check.StatusFail, Found: found, Advice: advice}
}

// Require logs warnings, and returns an error if the site can't be served.
func Require(logger *slog.Logger, findings check.Report) error {
	var failed []error
	for _, f := range findings {
		switch f.Status {
		case check.StatusFail:
			failed = append(failed, fmt.Errorf("%s: %s\n  %s", f.Name, f.Found, indented(f.Advice)))
		case check.StatusWarn:
			logger.Warn(f.Found, "check", f.Name, "advice", inLine(f.Advice))
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("this site cannot be served:\n%w", errors.Join(failed...))
	}
	return nil
}

// longestInLog is the length up to which an advice of several lines is logged as a whole.
const longestInLog = 300

// inLine returns an advice as one line of the log. Long lists of statements are left to check.
func inLine(advice string) string {
	first, _, more := strings.Cut(advice, "\n")
	switch {
	case !more || len(advice) <= longestInLog:
		return strings.ReplaceAll(advice, "\n", " ")
	case strings.HasSuffix(first, ":"):
		return strings.TrimSuffix(first, ":") + " what `calbridge check` prints."
	}
	return first + " `calbridge check` prints the rest."
}

// indented indents all lines of a text but the first.
func indented(text string) string { return strings.ReplaceAll(text, "\n", "\n  ") }

// compared is the name of the finding of a comparison with WordPress.
const compared = "site.compared"

// OfSettings reports whether a finding is about the settings alone.
func OfSettings(f check.Finding) bool {
	return f.Name == "settings" || strings.HasPrefix(f.Name, "settings.")
}

// WriteText prints the findings and whether the site can be served.
func WriteText(w io.Writer, report check.Report, paint cmdline.Paint) {
	verdict := paint(cmdline.Green, "this site can be served")
	if slices.ContainsFunc(report, func(f check.Finding) bool { return f.Name == compared && f.Status != check.StatusOK }) {
		verdict = paint(cmdline.Yellow, "this site can be served, but see "+compared+" before you switch over")
	}
	if report.Worst() == check.StatusFail {
		verdict = paint(cmdline.Red, "this site cannot be served yet")
	}
	WriteFindings(w, report, paint, verdict)
}

// WriteFindings prints one line per finding, advice below, then their numbers and a verdict.
func WriteFindings(w io.Writer, report check.Report, paint cmdline.Paint, verdict string) {
	WriteLines(w, report, paint)
	counts := map[check.Status]int{}
	for _, f := range report {
		counts[f.Status]++
	}
	fmt.Fprintf(w, "\n%d ok, %s, %s: %s\n", counts[check.StatusOK],
		Counted(counts[check.StatusWarn], "warning"), Counted(counts[check.StatusFail], "failure"), verdict)
}

// Mark returns a status in its color, four characters wide.
func Mark(status check.Status, paint cmdline.Paint) string {
	colors := map[check.Status]cmdline.Color{check.StatusOK: cmdline.Green, check.StatusWarn: cmdline.Yellow, check.StatusFail: cmdline.Red}
	return paint(colors[status], fmt.Sprintf("%-4s", status))
}

// WriteLines prints one line per finding, with advice below.
func WriteLines(w io.Writer, report check.Report, paint cmdline.Paint) {
	for _, f := range report {
		fmt.Fprintf(w, "%s  %-24s %s\n", Mark(f.Status, paint), f.Name, strings.ReplaceAll(f.Found, "\n", "\n                               "))
		if f.Advice != "" && f.Status != check.StatusOK {
			fmt.Fprintf(w, "      %-24s → %s\n", "", strings.ReplaceAll(f.Advice, "\n", "\n                                 "))
		}
	}
}

// Counted returns a number and a noun, in the plural unless n is 1.
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// WriteJSON prints the findings, the worst status, and the site's facts, which may be nil.
func WriteJSON(w io.Writer, report check.Report, facts *sitefacts.Document) error {
	out := struct {
		Status   check.Status        `json:"status"`
		Findings check.Report        `json:"findings"`
		Facts    *sitefacts.Document `json:"facts,omitempty"`
	}{report.Worst(), report, facts}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(out)
}
