package sitecompare

import (
	"fmt"
	"io"
	"strings"

	"calbridge/compat/replay"
	"calbridge/wpstore/check"
)

// Result is what a comparison found.
type Result struct {
	Target    string `json:"target"`
	Requests  int    `json:"requests"` // that were compared
	Identical int    `json:"identical"`
	// Headers differ only in headers of the web server, PHP, a CDN or of caching, Raced only in
	// times and in data that changed, Intended as calbridge does on purpose at every level.
	Headers  int `json:"headers"`
	Raced    int `json:"raced"`
	Intended int `json:"intended"`
	Known    int `json:"known"` // differ as the rules say
	// Groups are the differences by kind, Suggestions what they suggest.
	Groups      []Group      `json:"groups"`
	Suggestions []Suggestion `json:"suggestions"`
	// Problem is why the comparison could not be made or finished.
	Problem string `json:"problem,omitempty"`

	report *replay.Report
}

// take counts the pairs and groups their differences.
func (r *Result) take(pairs []*pair) {
	g := newGrouping()
	for _, p := range pairs {
		r.Requests++
		switch p.outcome {
		case replay.Same:
			r.Identical++
		case replay.Headers:
			r.Headers++
		case replay.Raced:
			r.Raced++
		case replay.Intended:
			r.Intended++
		case replay.Known:
			r.Known++
		}
		g.add(p)
	}
	r.Groups, r.Suggestions = g.sorted()
}

// Report returns the comparison with all answers, for package compat/report.
func (r *Result) Report() *replay.Report { return r.report }

// shownSuggestions bounds the suggestions of the finding.
const shownSuggestions = 12

// Finding returns the result as one finding of the check; its details are r.
func (r *Result) Finding() check.Finding {
	f := check.Finding{Name: "site.compared", Status: check.StatusOK, Details: r}
	counts := fmt.Sprintf("%d of %d answers identical to WordPress's at --compat exact", r.Identical, r.Requests)
	for _, one := range []struct {
		n    int
		what string
	}{{r.Headers, "differ only in headers of the web server, PHP or a CDN"}, {r.Raced, "differ only in times"}, {r.Intended, "differ on purpose"}} {
		if one.n > 0 {
			counts += fmt.Sprintf(", %d %s", one.n, one.what)
		}
	}
	if r.Known > 0 {
		counts += fmt.Sprintf(", %d differ as --compare-rules allows", r.Known)
	}
	lines := []string{counts}
	for i, s := range r.Suggestions {
		if i == shownSuggestions {
			lines = append(lines, fmt.Sprintf("and %d more", len(r.Suggestions)-i))
			break
		}
		lines = append(lines, fmt.Sprintf("%3d × %s\n      see %s", s.Count, s.Suggests, s.Look))
	}
	if r.Problem != "" {
		f.Status, f.Advice = check.StatusWarn, "Set --upstream to an address at which PHP itself answers for this site, and --upstream-host to the site's host name."
		if r.Requests == 0 {
			lines = nil
		}
		lines = append([]string{r.Problem}, lines...)
	} else if len(r.Groups) > 0 {
		f.Status, f.Advice = check.StatusWarn, "Look at the differences; --html FILE shows them in detail. Put differences that no client depends on into --compare-rules."
	}
	f.Found = strings.Join(lines, "\n")
	return f
}

// WriteText prints the groups, with one example each; nothing for a nil Result.
func (r *Result) WriteText(w io.Writer) {
	if r == nil || len(r.Groups) == 0 {
		return
	}
	fmt.Fprintf(w, "\nDifferences from %s by kind, with one example each and its sign in brackets:\n", r.Target)
	for _, g := range r.Groups {
		fmt.Fprintf(w, "%4d × %s %s [%s]\n", g.Count, g.Route, strings.TrimSpace(g.Kind+" "+g.Where), g.Sign)
		e := g.Example
		who := ""
		if e.As != "anonymous" {
			who = " as " + e.As
		}
		fmt.Fprintf(w, "         %s %s%s\n         WordPress %s\n         calbridge %s\n", e.Method, e.Path, who, e.WordPress, e.Calbridge)
	}
}
