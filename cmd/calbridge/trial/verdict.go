package trial

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/compat/diff"
	"calbridge/compat/replay"
	"calbridge/wpstore/check"
)

// MostLines bounds the lines of a verdict.
const MostLines = 25

// Bounds of its parts.
const (
	mostGroups = 4  // of a category
	valueWidth = 48 // bytes of a value in an example
)

// Verdict is the outcome of a trial.
type Verdict struct {
	Site string // its URL
	// WordPress and Calendar are versions, "" where they are not known.
	WordPress, Calendar string
	// OldWordPress reports a version before 6.5, the oldest that calbridge was compared with.
	OldWordPress bool
	// Among names the site among several of a network or a file, and how to try the others; "" for one site.
	Among    string
	Findings check.Report
	Compared *replay.Report
	// Requests is the number of requests to the site, Took the time that recording took.
	Requests int
	Took     time.Duration
	// ForUsers is the number of messages that the profile lacks and that a login may get.
	ForUsers int
	// Folder has the files of the trial. Command serves the site, Auto is the same with --mode
	// auto, and Warm proves most of it within minutes.
	Folder, Command, Auto, Warm string
}

// Served is a way to serve a site.
type Served string

// The ways, the best first.
const (
	Natively Served = "natively"
	InAuto   Served = "with --mode auto"
	NotYet   Served = "not yet"
)

// Served returns how the site can be served.
func (v *Verdict) Served() Served {
	switch {
	case v.Findings.Worst() == check.StatusFail || v.Compared == nil || v.Compared.SameBody == 0:
		return NotYet
	case v.Compared.Different > 0 || len(v.Compared.Failures) > 0:
		return InAuto
	}
	return Natively
}

// Write writes the verdict in the order in which it is read: whether the site can be served, what is
// identical, which messages are missing, what differs and why, and what to do next.
func (v *Verdict) Write(w io.Writer) error {
	lines, next := append(v.head(), v.differences()...), strings.Split(strings.Join(v.next(), "\n"), "\n")
	if most := MostLines - len(next); len(lines) > most {
		lines = append(lines[:most-1], fmt.Sprintf("            %d more lines: see the report.", len(lines)-most+1))
	}
	_, err := io.WriteString(w, strings.Join(append(lines, next...), "\n")+"\n")
	return err
}

// head returns what the site is, whether it can be served, and how much is identical.
func (v *Verdict) head() []string {
	lines := []string{"Site        " + v.Site}
	if v.WordPress != "" || v.Calendar != "" {
		lines[0] += fmt.Sprintf(" (WordPress %s, The Events Calendar %s)", cmp.Or(v.WordPress, "unknown"), cmp.Or(v.Calendar, "unknown"))
	}
	if v.OldWordPress {
		lines = append(lines, fmt.Sprintf("            WordPress %s is older than 6.5: what it renders differently from 6.5 counts as unexplained; writes were not compared.", v.WordPress))
	}
	if v.Among != "" {
		lines = append(lines, "            "+v.Among)
	}
	switch v.Served() {
	case Natively:
		lines = append(lines, "Verdict     This site can be served natively: every difference is explained.")
	case InAuto:
		lines = append(lines, "Verdict     This site can be served with --mode auto: calbridge answers what it has compared, WordPress the rest.")
	default:
		lines = append(lines, "Verdict     This site can't be served yet.")
	}
	for _, f := range v.Findings {
		if f.Status == check.StatusFail {
			lines = append(lines, "            "+sentences(f.Found, f.Advice))
		}
	}
	if warnings := v.warnings(); warnings > 0 {
		lines = append(lines, fmt.Sprintf("            %s of check: see %s/check.txt.", sitecheck.Counted(warnings, "warning"), v.Folder))
	}
	if r := v.Compared; r != nil {
		lines = append(lines, fmt.Sprintf("Identical   %d of %d responses in status and body (%d in all headers too); %s to the site in %s.",
			r.SameBody, r.Compared(), r.Same, sitecheck.Counted(v.Requests, "request"), v.Took.Round(time.Second)))
	}
	if v.ForUsers > 0 {
		lines = append(lines, fmt.Sprintf("Messages    %s for users in calbridge's words: run this again with --user NAME to get the site's; see %s/check.txt.",
			sitecheck.Counted(v.ForUsers, "message"), v.Folder))
	}
	return lines
}

func (v *Verdict) warnings() (n int) {
	for _, f := range v.Findings {
		if f.Status == check.StatusWarn {
			n++
		}
	}
	return n
}

// differences returns the groups of differences: intended ones, headers, races, and unexplained
// ones.
func (v *Verdict) differences() (lines []string) {
	if v.Compared == nil {
		return nil
	}
	for _, c := range []struct {
		category diff.Category
		title    string
		always   bool // also without a group
	}{
		{diff.Intended, "Intended", true},
		{diff.Headers, "Headers", false},
		{diff.Raced, "Raced", false},
		{diff.Unexplained, "Unexplained", true},
	} {
		var groups []*replay.Group
		for i := range v.Compared.Groups {
			if g := &v.Compared.Groups[i]; g.Category == c.category {
				groups = append(groups, g)
			}
		}
		if len(groups) == 0 && c.always {
			lines = append(lines, fmt.Sprintf("%-11s none", c.title))
		}
		slices.SortStableFunc(groups, func(a, b *replay.Group) int { return b.Count - a.Count })
		if c.category == diff.Headers {
			groups = joined(groups)
		}
		for i, g := range groups {
			title := ""
			if i == 0 {
				title = c.title
			}
			if i == mostGroups && len(groups) > mostGroups+1 {
				lines = append(lines, fmt.Sprintf("%-11s and %d more causes: see the report.", "", len(groups)-i))
				break
			}
			lines = append(lines, fmt.Sprintf("%-11s %s", title, groupLine(g)))
		}
	}
	if slices.ContainsFunc(v.Compared.Groups, func(g replay.Group) bool { return g.Category == diff.Intended }) {
		lines = append(lines, "            --compat exact gives WordPress's behaviour instead of the intended differences.")
	}
	return lines
}

// joined returns groups of headers, those with one cause as one group. Its count is the largest.
func joined(groups []*replay.Group) (all []*replay.Group) {
	for _, g := range groups {
		at := slices.IndexFunc(all, func(earlier *replay.Group) bool { return earlier.What == g.What })
		if at < 0 {
			first := *g
			all = append(all, &first)
			continue
		}
		all[at].Where += ", " + g.Where
	}
	return all
}

// groupLine returns a group in one line.
func groupLine(g *replay.Group) string {
	place := strings.TrimSpace(string(g.Part) + " " + g.Where)
	values := fmt.Sprintf("WordPress %s, calbridge %s", oneLine(diff.Head(g.First.Recorded, valueWidth)), oneLine(diff.Head(g.First.Got, valueWidth)))
	switch {
	case g.Category == diff.Intended:
		return fmt.Sprintf("%d × %s: %s, as in %s", g.Count, g.Name, g.What, g.Example)
	case g.What != "":
		return fmt.Sprintf("%d × %s: %s", g.Count, place, g.What)
	}
	return fmt.Sprintf("%d × %s: %s, as in %s", g.Count, place, values, g.Example)
}

// next returns what to do next.
func (v *Verdict) next() []string {
	report := fmt.Sprintf("            Report: %s/report.html", v.Folder)
	switch v.Served() {
	case Natively:
		return []string{"Next        " + v.Command, report}
	case InAuto:
		return []string{"Next        " + v.Auto, "            then " + v.Warm, report}
	}
	return []string{"Next        Do what the verdict says, then run the same command again."}
}

// sentences returns texts as sentences in one line, without those that are empty.
func sentences(texts ...string) string {
	var all []string
	for _, text := range texts {
		if text = oneLine(text); text != "" {
			all = append(all, text+".")
		}
	}
	return strings.Join(all, " ")
}

// oneLine returns a text without line breaks and a full stop at its end.
func oneLine(s string) string { return strings.TrimSuffix(strings.Join(strings.Fields(s), " "), ".") }
