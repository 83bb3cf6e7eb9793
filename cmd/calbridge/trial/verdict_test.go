package trial

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"calbridge/compat/diff"
	"calbridge/compat/replay"
	"calbridge/wpstore/check"
)

// group returns a group of differences.
func group(category diff.Category, name string, count int) replay.Group {
	return replay.Group{
		Cause: diff.Cause{Category: category, Name: name}, What: "what " + name, Part: diff.PartBody, Where: "$.title", Count: count, Example: "r1",
		First: diff.Difference{Recorded: `"A"`, Got: `"B"`},
	}
}

// header returns a group of a header.
func header(name, what string, count int) replay.Group {
	return replay.Group{Cause: diff.Cause{Category: diff.Headers}, What: what, Part: diff.PartHeaders, Where: name, Count: count}
}

// TestVerdict checks how a site can be served, and the order and number of the lines.
func TestVerdict(t *testing.T) {
	identical := func() *replay.Report {
		return &replay.Report{Counts: replay.Counts{Same: 10}, SameBody: 10}
	}
	differing := func(groups ...replay.Group) *replay.Report {
		r := identical()
		r.Different, r.Groups = 3, groups
		return r
	}
	many := make([]replay.Group, 40)
	for i := range many {
		many[i] = group(diff.Unexplained, "", i)
		many[i].Where, many[i].What = fmt.Sprintf("$.field%d", i), ""
	}
	var everywhere []replay.Group
	for i := range 6 {
		name := fmt.Sprint(i)
		everywhere = append(everywhere, group(diff.Intended, name, 9), header("x-"+name, "what "+name, 9), group(diff.Raced, name, 9), group(diff.Unexplained, name, 9))
	}
	failed := check.Report{{Name: "database.connection", Status: check.StatusFail, Found: "access denied.\nfor wp", Advice: "Correct the password."}}
	for _, c := range []struct {
		name     string
		verdict  Verdict
		served   Served
		in, lack []string
	}{
		{"identical", Verdict{Compared: identical(), Command: "calbridge serve"}, Natively,
			[]string{"can be served natively", "10 of 10 responses", "Intended    none", "Unexplained none", "Next        calbridge serve\n"}, []string{"--compat exact", "Messages"}},
		{"intended", Verdict{Compared: &replay.Report{Counts: replay.Counts{Same: 8, Intended: 2}, SameBody: 8, Groups: []replay.Group{group(diff.Intended, "S2", 2)}}}, Natively,
			[]string{"Intended    2 × S2: what S2, as in r1", "--compat exact"}, nil},
		{"messages for users", Verdict{Compared: identical(), ForUsers: 14}, Natively, []string{"Messages    14 messages for users in calbridge's words: run this again with --user NAME to get the site's; see calbridge-trial/check.txt.\n"}, nil},
		{"headers", Verdict{Compared: &replay.Report{Counts: replay.Counts{Headers: 2}, SameBody: 2, Groups: []replay.Group{group(diff.Headers, "x", 2)}}}, Natively, []string{"Headers     2 × body $.title: what x"}, nil},
		{"headers with one cause", Verdict{Compared: &replay.Report{Counts: replay.Counts{Headers: 2}, SameBody: 2, Groups: []replay.Group{
			header("etag", "caching", 2), header("x-powered-by", "PHP", 3), header("vary", "caching", 1)}}}, Natively,
			[]string{"Headers     3 × headers x-powered-by: PHP\n", "            2 × headers etag, vary: caching\n"}, nil},
		{"unexplained", Verdict{Compared: differing(group(diff.Unexplained, "", 3)), Auto: "calbridge serve --mode auto", Warm: "calbridge proof warm"}, InAuto,
			[]string{"with --mode auto: calbridge answers", "Unexplained 3 × ", "Next        calbridge serve --mode auto\n            then calbridge proof warm\n"}, []string{"natively"}},
		{"many", Verdict{Compared: differing(many...)}, InAuto, []string{"39 × body $.field39: WordPress \"A\", calbridge \"B\", as in r1", "and 36 more causes"}, []string{"$.field0:"}},
		{"more than the lines", Verdict{Compared: differing(everywhere...), OldWordPress: true, Among: "Site 3 of a network.", ForUsers: 1, Auto: "calbridge serve --mode auto", Warm: "calbridge proof warm"}, InAuto,
			[]string{"1 message for users in calbridge's words", "            6 more lines: see the report.\nNext        calbridge serve --mode auto\n            then calbridge proof warm\n            Report: "}, nil},
		{"nothing identical", Verdict{Compared: &replay.Report{Counts: replay.Counts{Different: 9}}}, NotYet, []string{"can't be served yet", "0 of 9 responses"}, []string{"--mode auto"}},
		{"nothing compared", Verdict{Compared: &replay.Report{}}, NotYet, []string{"can't be served yet"}, nil},
		{"failed check", Verdict{Findings: failed}, NotYet, []string{"can't be served yet", "access denied. for wp. Correct the password.\n", "run the same command again"}, []string{"Intended"}},
		{"failed check without advice", Verdict{Findings: check.Report{{Status: check.StatusFail, Found: "no database."}}}, NotYet, []string{"Site        https://town.example\n", "            no database.\n"}, []string{"unknown", " ."}},
		{"old WordPress", Verdict{WordPress: "6.1", OldWordPress: true, Compared: identical()}, Natively, []string{"WordPress 6.1 is older than 6.5"}, nil},
		{"network", Verdict{Among: "Site 3 of a network.", Compared: identical()}, Natively, []string{"Site 3 of a network"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.verdict.Site, c.verdict.Folder, c.verdict.Took = "https://town.example", "calbridge-trial", time.Minute
			var out strings.Builder
			if err := c.verdict.Write(&out); err != nil || c.verdict.Served() != c.served {
				t.Errorf("served %s, want %s: %v", c.verdict.Served(), c.served, err)
			}
			for _, text := range c.in {
				if !strings.Contains(out.String(), text) {
					t.Errorf("lacks %q:\n%s", text, &out)
				}
			}
			for _, text := range c.lack {
				if strings.Contains(out.String(), text) {
					t.Errorf("has %q:\n%s", text, &out)
				}
			}
			if n := strings.Count(out.String(), "\n"); n > MostLines {
				t.Errorf("%d lines", n)
			}
		})
	}
}
