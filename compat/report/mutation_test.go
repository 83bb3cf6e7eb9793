package report

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gojunit "github.com/joshdk/go-junit"
	"github.com/jstemmer/go-junit-report/v2/junit"

	"calbridge/compat/compattest"
	"calbridge/compat/diff"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
)

type mutation struct {
	name   string
	mutate func(*recording.Response)
	level  diff.Level // the coarsest at which it is to be found
	where  string     // the beginning of the place at which
}

// mutations returns possible bugs of a second server.
func mutations() []mutation {
	return []mutation{
		{"status", func(r *recording.Response) { r.Status = 404 }, diff.LevelStatus, ""},
		{"status of the same class", func(r *recording.Response) { r.Status = 201 }, diff.LevelStatus, ""},
		{"header gone", func(r *recording.Response) { delete(r.Headers, "vary") }, diff.LevelHeaders, "vary"},
		{"header changed", func(r *recording.Response) { r.Headers["x-tec-total"] = recording.HeaderValues{"3"} }, diff.LevelHeaders, "x-tec-total"},
		{"header added", func(r *recording.Response) { r.Headers["x-new"] = recording.HeaderValues{"<b>"} }, diff.LevelHeaders, "x-new"},
		{"content type", func(r *recording.Response) { r.Headers["content-type"] = recording.HeaderValues{"text/plain"} }, diff.LevelHeaders, "content-type"},
		{"key missing", compattest.Replace(`"cost":"10",`, ``), diff.LevelSchema, "$.cost"},
		{"key added", compattest.Replace(`"cost":"10"`, `"cost":"10","currency":"CZK"`), diff.LevelSchema, "$.currency"},
		{"key renamed", compattest.Replace(`"cost":`, `"price_":`), diff.LevelSchema, "$.cost"},
		{"text to number", compattest.Replace(`"cost":"10"`, `"cost":10`), diff.LevelSchema, "$.cost"},
		{"boolean to text", compattest.Replace(`"all_day":false`, `"all_day":"0"`), diff.LevelSchema, "$.all_day"},
		{"object to list", compattest.Replace(`"sizes":{}`, `"sizes":[]`), diff.LevelSchema, "$.image.sizes"},
		{"list to null", compattest.Replace(`"venue":[]`, `"venue":null`), diff.LevelSchema, "$.venue"},
		{"no JSON", func(r *recording.Response) { r.Body = "<b>Fatal error</b>" }, diff.LevelSchema, "byte 0"},
		{"text changed", compattest.Replace(`"title":"A`, `"title":"B`), diff.LevelSemantic, "$.title"},
		{"other boolean", compattest.Replace(`"all_day":false`, `"all_day":true`), diff.LevelSemantic, "$.all_day"},
		{"value in a list", compattest.Replace(`"name":"y"`, `"name":"z"`), diff.LevelSemantic, "$.tags[1].name"},
		{"list shorter", compattest.Replace(`,{"id":2,"name":"y"}`, ``), diff.LevelSemantic, "$.tags"},
		{"list in another order", compattest.Replace(`{"id":1,"name":"x"},{"id":2,"name":"y"}`, `{"id":2,"name":"y"},{"id":1,"name":"x"}`), diff.LevelSemantic, "$.tags[0].id"},
		{"keys in another order", compattest.Replace(`"id":5,"cost":"10"`, `"cost":"10","id":5`), diff.LevelBytes, "$"},
		{"slash not escaped", compattest.Replace(`https:\/\/`, `https://`), diff.LevelBytes, "$.image.url"},
		{"character not escaped", compattest.Replace(`\u010d`, `č`), diff.LevelBytes, "$.title"},
		{"number spelt otherwise", compattest.Replace(`1.0e+25`, `1e25`), diff.LevelBytes, "$.price"},
		{"white space", compattest.Replace(`"id":5,`, `"id": 5,`), diff.LevelBytes, "byte 6"},
		{"newline at the end", func(r *recording.Response) { r.Body += "\n" }, diff.LevelBytes, "byte"},
	}
}

const mutationBody = `{"id":5,"cost":"10","title":"A \u010d &#8220;b&#8221; <\/script>","all_day":false,"image":{"url":"https:\/\/town.example\/a.jpg","sizes":{}},` +
	`"tags":[{"id":1,"name":"x"},{"id":2,"name":"y"}],"venue":[],"price":1.0e+25}`

// Every mutation is found at its level and all finer ones, at no coarser one, and is in
// every report.
func TestMutationsAtEveryLevelInEveryReport(t *testing.T) {
	x := compattest.Exchange("town-0001", "GET", "/wp-json/tribe/events/v1/events/5", mutationBody)
	x.Response.Headers["x-tec-total"] = recording.HeaderValues{"2"}
	file := compattest.WriteRecording(t, "reads.jsonl", recording.Header{Format: recording.HeaderFormat, Home: "https://town.example"}, x)
	for _, m := range mutations() {
		t.Run(m.name, func(t *testing.T) {
			server := compattest.ReplayServer(t, []string{file}, nil, func(_ *recording.Exchange, r *recording.Response) {
				r.Headers = maps.Clone(r.Headers)
				m.mutate(r)
			})
			for _, level := range diff.Levels() {
				report, err := replay.Compare(context.Background(), replay.Options{Target: server.URL, Recordings: []string{file}, Level: level, Details: true})
				if err != nil {
					t.Fatal(err)
				}
				if found := report.ExitCode() == replay.ExitFailed; found != level.Sees(m.level) {
					t.Errorf("level %s: found %v, differences %v", level, found, report.Differing)
				}
				if !level.Sees(m.level) || len(report.Differing) == 0 {
					continue
				}
				if got := report.Differing[0].Level; got != m.level || report.Levels[m.level] != 1 {
					t.Errorf("level %s: first seen at %s, want %s: %v", level, got, m.level, report.Differing[0])
				}
				if d := report.Differing[0].Differences[0]; !strings.HasPrefix(d.Where, m.where) {
					t.Errorf("found at %q, want %q", d.Where, m.where)
				}
				checkReports(t, report, m.where)
			}
		})
	}
}

func checkReports(t *testing.T, report *replay.Report, where string) {
	t.Helper()
	dir := t.TempDir()
	files := Files{JSON: filepath.Join(dir, "r.json"), JUnit: filepath.Join(dir, "r.xml"), HTML: filepath.Join(dir, "r.html")}
	if err := files.Write(report); err != nil {
		t.Fatal(err)
	}
	read := func(file string) []byte {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	data := read(files.JSON)
	for _, fault := range validateReport(t, data) {
		t.Error("JSON report:", fault)
	}
	var d document
	if err := json.Unmarshal(data, &d); err != nil || d.Totals.Different != 1 || len(d.Cases) != 1 || !strings.HasPrefix(d.Cases[0].Differences[0].Where, where) ||
		!strings.HasPrefix(d.Cases[0].Curl, "curl ") || d.ExitCode != replay.ExitFailed {
		t.Errorf("JSON report %s, error %v", data, err)
	}
	var suites junit.Testsuites
	if err := xml.Unmarshal(read(files.JUnit), &suites); err != nil {
		t.Fatal(err)
	}
	checkJUnit(t, suites)
	if suites.Failures != 1 || !strings.Contains(suites.Suites[0].Testcases[0].Failure.Data, where) {
		t.Errorf("JUnit report %+v", suites)
	}
	parsed, err := gojunit.IngestFile(files.JUnit)
	if err != nil || len(parsed) != 1 || parsed[0].Totals.Failed != 1 || parsed[0].Totals.Tests != 1 || !strings.Contains(parsed[0].Tests[0].Error.Error(), where) {
		t.Errorf("JUnit report as a public parser reads it: %+v, %v", parsed, err)
	}
	html := read(files.HTML)
	if !bytes.Contains(html, []byte("town-0001")) || bytes.Count(html, []byte("</script>")) != 3 || bytes.Contains(html, []byte("ZgotmplZ")) {
		t.Errorf("HTML report without the case or with broken elements (%d ends of script)", bytes.Count(html, []byte("</script>")))
	}
	for _, outside := range []string{"src=", "<link", "@import", "url("} {
		if bytes.Contains(html, []byte(outside)) {
			t.Errorf("HTML report may load something: %q", outside)
		}
	}
	var summary strings.Builder
	Summary(&summary, report)
	if !strings.Contains(summary.String(), "1 different") || !strings.Contains(summary.String(), "first seen at level: ") {
		t.Errorf("summary %s", summary.String())
	}
}

// checkJUnit checks what readers of JUnit files rely on: names, times, and consistent
// counts.
func checkJUnit(t *testing.T, all junit.Testsuites) {
	t.Helper()
	var tests, failures, errs, skipped int
	for _, s := range all.Suites {
		var f, e, k int
		for _, c := range s.Testcases {
			if c.Name == "" || c.Classname == "" || c.Time == "" {
				t.Errorf("test case without name, class or time: %+v", c)
			}
			if c.Failure != nil {
				f++
			}
			if c.Error != nil {
				e++
			}
			if c.Skipped != nil {
				k++
			}
		}
		if s.Name == "" || s.Timestamp == "" || s.Tests != len(s.Testcases) || s.Failures != f || s.Errors != e || s.Skipped != k {
			t.Errorf("suite %s: %d tests, %d failures, %d errors, %d skipped do not add up", s.Name, s.Tests, s.Failures, s.Errors, s.Skipped)
		}
		tests, failures, errs, skipped = tests+s.Tests, failures+f, errs+e, skipped+k
	}
	if all.Tests != tests || all.Failures != failures || all.Errors != errs || all.Skipped != skipped {
		t.Errorf("the totals do not add up: %+v", all)
	}
}
