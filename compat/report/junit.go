package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"calbridge/compat/replay"
	"calbridge/compat/verdict"
)

// The JUnit format, in the form that CI systems read.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string      `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Skipped   int         `xml:"skipped,attr"`
	Time      string      `xml:"time,attr"`
	Timestamp string      `xml:"timestamp,attr"`
	Cases     []junitCase `xml:"testcase"`

	took float64 // seconds
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	Time      string        `xml:"time,attr"`
	Skipped   *junitFailure `xml:"skipped"`
	Failure   *junitFailure `xml:"failure"`
	Error     *junitFailure `xml:"error"`
	Output    string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// JUnit writes the report as JUnit XML: a suite for every recording, a test
// case for every exchange, a failure of the type of the coarsest level at which
// it differs. What fails besides is a suite of its own. The comparison has to be
// made with replay.Options.Details.
func JUnit(w io.Writer, r *replay.Report) error {
	all := junitSuites{Name: "calbridge compare " + r.Target, Time: seconds(r.Elapsed.Seconds())}
	at := map[string]int{}
	for i := range r.Cases {
		c := &r.Cases[i]
		if _, found := at[c.File]; !found {
			at[c.File] = len(all.Suites)
			all.Suites = append(all.Suites, junitSuite{Name: c.File})
		}
		all.Suites[at[c.File]].add(junitOf(c), c.TookMS/1000)
	}
	other := junitSuite{Name: "comparison"}
	for _, failure := range r.Failures {
		other.add(junitCase{Name: failure, ClassName: "rules", Time: "0", Failure: &junitFailure{Message: failure, Type: "rules"}}, 0)
	}
	if r.Err != nil {
		other.add(junitCase{Name: "comparison", ClassName: "comparison", Time: "0", Error: &junitFailure{Message: r.Err.Error(), Type: "error"}}, 0)
	}
	if len(other.Cases) > 0 {
		all.Suites = append(all.Suites, other)
	}
	for i := range all.Suites {
		s := &all.Suites[i]
		s.Time, s.Timestamp = seconds(s.took), r.Started.UTC().Format("2006-01-02T15:04:05")
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		all.Skipped += s.Skipped
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *junitSuite) add(c junitCase, took float64) {
	s.Tests++
	s.took += took
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func junitOf(r *replay.Result) junitCase {
	c := junitCase{Name: fmt.Sprintf("%s %s %s", r.ID, r.Method, r.Path), ClassName: strings.TrimSpace(r.Route + " " + r.Language), Time: seconds(r.TookMS / 1000)}
	var lines []string
	for _, d := range r.Differences {
		lines = append(lines, d.String())
	}
	text := strings.Join(lines, "\n")
	switch r.Outcome {
	case verdict.Skipped:
		c.Skipped = &junitFailure{Message: r.Reason}
	case verdict.Different:
		c.Failure = &junitFailure{Message: r.Differences[0].String(), Type: string(r.Level), Text: text + "\n" + r.Curl}
	case verdict.Known:
		c.Output = text
	}
	return c
}

func seconds(n float64) string { return fmt.Sprintf("%.6f", n) }
