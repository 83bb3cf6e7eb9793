package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"calbridge/compat/replay"
)

// JUnit writes the report as JUnit XML for CI systems: a suite for every recording, a
// test case for every exchange. The type of a failure is the coarsest level at which the
// exchange differs. Other failures are in a suite of their own. The comparison must be
// made with replay.Options.Details.
func JUnit(w io.Writer, r *replay.Report) error {
	var suites []*junit.Testsuite
	took := map[*junit.Testsuite]float64{}
	suite := func(name string) *junit.Testsuite {
		i := slices.IndexFunc(suites, func(s *junit.Testsuite) bool { return s.Name == name })
		if i < 0 {
			i = len(suites)
			suites = append(suites, &junit.Testsuite{Name: name, ID: i, Timestamp: r.Started.UTC().Format("2006-01-02T15:04:05")})
		}
		return suites[i]
	}
	for i := range r.Cases {
		s := suite(r.Cases[i].File)
		s.AddTestcase(junitOf(&r.Cases[i]))
		took[s] += r.Cases[i].TookMS
	}
	for _, failure := range r.Failures {
		suite("comparison").AddTestcase(junit.Testcase{Name: failure, Classname: "rules", Time: "0", Failure: &junit.Result{Message: failure, Type: "rules"}})
	}
	if r.Err != nil {
		suite("comparison").AddTestcase(junit.Testcase{Name: "comparison", Classname: "comparison", Time: "0", Error: &junit.Result{Message: r.Err.Error(), Type: "error"}})
	}
	all := junit.Testsuites{Name: "calbridge compare " + r.Target, Time: fmt.Sprintf("%.6f", r.Elapsed.Seconds())}
	for _, s := range suites {
		s.Time = seconds(took[s])
		all.AddSuite(*s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	return all.WriteXML(w)
}

func junitOf(r *replay.Result) junit.Testcase {
	c := junit.Testcase{Name: fmt.Sprintf("%s %s %s", r.ID, r.Method, r.Path), Classname: strings.TrimSpace(r.Route + " " + r.Language), Time: seconds(r.TookMS)}
	var lines []string
	for _, d := range r.Differences {
		lines = append(lines, d.String())
	}
	text := strings.Map(printable, strings.Join(lines, "\n"))
	switch r.Outcome {
	case replay.Skipped:
		c.Skipped = &junit.Result{Message: r.Reason}
	case replay.Different:
		c.Failure = &junit.Result{Message: r.Differences[0].String(), Type: string(r.Level), Data: text + "\n" + strings.Map(printable, r.Curl)}
	case replay.Known, replay.Intended, replay.Headers, replay.Raced:
		c.Classname = strings.TrimSpace(c.Classname + " " + string(r.Outcome))
		c.SystemOut = &junit.Output{Data: text}
	}
	return c
}

// printable replaces characters that are not allowed in XML.
func printable(r rune) rune {
	if unicode.IsPrint(r) || r == '\n' || r == '\t' {
		return r
	}
	return unicode.ReplacementChar
}

func seconds(ms float64) string { return fmt.Sprintf("%.6f", ms/1000) }
