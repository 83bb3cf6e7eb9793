package systemtest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/compat/recording"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

// explainedReport holds the parts of a JSON report that the tests read.
type explainedReport struct {
	Compat string
	Totals struct {
		Compared, Same, Intended, Headers, Raced, Different int
		SameBody                                            int `json:"same_body"`
	}
	Groups []struct {
		Category, Name, Part, Where, Remedy, Example string
		Count                                        int
	}
	Cases []struct {
		ID, Outcome string
		Differences []struct {
			Part, Where, Recorded, Got string
			Cause                      struct{ Category, Name string }
		}
	}
}

// group returns the number of exchanges of a cause.
func (r *explainedReport) group(category, name string) (count int) {
	for _, g := range r.Groups {
		if g.Category == category && g.Name == name {
			count += g.Count
		}
	}
	return count
}

// recordedSite writes the recorded reads of a site to one file, changed as a web server changes
// answers.
func recordedSite(t *testing.T, site string, change func(*recording.Exchange)) string {
	t.Helper()
	files, err := recording.ExpandGlobs([]string{testdata.Shared(t, "recordings", site) + "/reads-*.jsonl.gz"})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), site+".jsonl")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := recording.Read(files, func(e recording.Entry) error {
		if e.Exchange == nil {
			return nil
		}
		if change != nil {
			change(e.Exchange)
		}
		return recording.WriteLine(out, e.Exchange)
	}); err != nil {
		t.Fatal(err)
	}
	return file
}

// serveRecorded serves a recorded site with the program.
func serveRecorded(t *testing.T, site string, args ...string) string {
	t.Helper()
	db := wptest.SiteCopy(t, "sqlite", site)
	env := map[string]string{}
	for name, value := range siteKeys(t, site) {
		env["CALBRIDGE_"+name] = value
	}
	s := start(t, env, append([]string{"serve", "--dsn", db.DSN, "--table-prefix", db.TablePrefix, "--clock", db.Now().UTC().Format("2006-01-02T15:04:05Z"), "--namespace", recording.DefaultNamespace,
		"--language-param", "wpml_language", "--record-password-use=false"}, args...)...)
	return s.api
}

// compareExplained runs compare and returns the summary and the JSON report.
func compareExplained(t *testing.T, target, file, site string, args ...string) (code int, summary string, report *explainedReport, html string) {
	t.Helper()
	dir := t.TempDir()
	html = filepath.Join(dir, "report.html")
	code, summary, stderr := once(t, nil, append([]string{"compare", "--target", target, "--recordings", file, "--site", testdata.Shared(t, "sites", site+".json"),
		"--out-of-scope", testdata.Shared(t, "recordings", "out-of-scope.txt"), "--json", filepath.Join(dir, "report.json"), "--junit", filepath.Join(dir, "report.xml"), "--html", html}, args...)...)
	if stderr != "" {
		t.Fatal(stderr)
	}
	data, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	report = &explainedReport{}
	if err := json.Unmarshal(data, report); err != nil {
		t.Fatal(err)
	}
	junit, err := os.ReadFile(filepath.Join(dir, "report.xml"))
	if err != nil {
		t.Fatal(err)
	}
	if failures := fmt.Sprintf(`failures="%d"`, report.Totals.Different); !strings.Contains(string(junit), failures) || report.Totals.Intended > 0 && !strings.Contains(string(junit), "(intended, ") {
		t.Errorf("JUnit report without %s, or without what is intended", failures)
	}
	return code, summary, report, html
}

// TestCompareUnworded follows the old quick start: a recorded site whose PHP adds headers is
// compared with a server without profile at the default level. The report counts what is
// identical in body, what is intended, and what comes from headers.
func TestCompareUnworded(t *testing.T) {
	t.Parallel()
	file := recordedSite(t, "mono", func(x *recording.Exchange) {
		x.Response.Headers["x-powered-by"] = recording.HeaderValues{"PHP/8.2.28"}
		x.Response.Headers["server-timing"] = recording.HeaderValues{"total;dur=" + strconv.Itoa(len(x.Response.Body)%97)}
	})
	url := serveRecorded(t, "mono")
	code, summary, report, html := compareExplained(t, url, file, "mono")
	n := &report.Totals
	t.Logf("%+v\n%s", *n, summary)
	if code != 1 || report.Compat != "safe" || n.Same != 0 || n.Headers < n.Compared/2 || n.Intended < 200 || n.SameBody < n.Compared/2 || n.Different > n.Compared/2 {
		t.Errorf("exit %d, level %q, %+v", code, report.Compat, *n)
	}
	for _, number := range []string{"S1", "S2", "S9"} {
		if report.group("intended", number) == 0 || !strings.Contains(summary, "× "+number+" ") {
			t.Errorf("%s is not among the intended differences", number)
		}
	}
	// The wording is one line, not hundreds, and names the flag.
	if report.group("unexplained", "wording") < 500 || !strings.Contains(summary, "calbridge serve --profile FILE") {
		t.Errorf("wording counts %d", report.group("unexplained", "wording"))
	}
	if lines := strings.Count(summary, "\n"); lines > 120 {
		t.Errorf("%d lines", lines)
	}
	for _, c := range report.Cases {
		if c.Outcome == "headers" && slices.ContainsFunc(c.Differences, func(d struct {
			Part, Where, Recorded, Got string
			Cause                      struct{ Category, Name string }
		}) bool {
			return d.Part != "headers"
		}) {
			t.Errorf("%s differs in more than headers: %+v", c.ID, c.Differences)
		}
	}
	checkReportPage(t, html, []string{"need a decision", "Intended", "S2: lists leave out events", "--profile FILE"})
}

// TestCompareLevels: at exact nothing is intended, and a server that is exact shows it. A level
// that is given is the one that counts.
func TestCompareLevels(t *testing.T) {
	oneAtATime(t)
	t.Parallel()
	file := recordedSite(t, "mono", nil)
	profile := filepath.Join(t.TempDir(), "profile.json")
	if code, _, stderr := once(t, nil, "profile", "build", "--recordings", testdata.Shared(t, "recordings", "mono")+"/*.jsonl.gz", "--site", testdata.Shared(t, "sites", "mono.json"), "--out", profile); code != cmdline.OK {
		t.Fatal(stderr)
	}
	exact, safe := serveRecorded(t, "mono", "--compat", "exact", "--profile", profile), serveRecorded(t, "mono", "--profile", profile)
	_, _, atExact, _ := compareExplained(t, exact, file, "mono", "--shard", "1/3")
	_, _, atSafe, _ := compareExplained(t, safe, file, "mono", "--shard", "1/3")
	_, _, told, _ := compareExplained(t, safe, file, "mono", "--target-compat", "exact", "--shard", "1/3")
	t.Logf("exact %+v, safe %+v, safe as exact %+v", atExact.Totals, atSafe.Totals, told.Totals)
	if n := &atExact.Totals; n.Intended > 5 || n.Headers > 0 || n.Same+n.Different+n.Intended+n.Raced != n.Compared || atExact.group("intended", "S2") > 0 {
		t.Errorf("exact: %+v", *n)
	}
	if n := &atSafe.Totals; atSafe.Compat != "safe" || n.Intended < 80 || n.Different > 0 {
		t.Errorf("safe: %s %+v", atSafe.Compat, *n)
	}
	if n := &told.Totals; told.Compat != "exact" || n.Different < n.Compared/3 || told.group("intended", "S2") > 0 {
		t.Errorf("safe, told to be exact: %+v", *n)
	}
}

// TestCompareOtherSites compares recordings of a site with Polylang, of one with an older calendar,
// of one that sells tickets, and of iCalendar exports with the program. What is intended there is
// named by its number, and next to nothing stays unexplained.
func TestCompareOtherSites(t *testing.T) {
	t.Parallel()
	shared := testdata.Shared(t)
	variants := func(label string) string { return filepath.Join(shared, "recordings", "variants", label+".jsonl.gz") }
	exports := func(site string) []string {
		return []string{"--recordings", filepath.Join(shared, "recordings", site, "feeds.jsonl.gz")}
	}
	for _, c := range []struct {
		name, site, level string
		args              []string // for compare
		most              int      // unexplained exchanges
		want              []string
	}{
		{"poly", "poly", "safe", []string{"--shard", "2/4"}, 0, []string{"S1", "S2", "S8", "S9"}},
		{"WPML's language parameter", "wpml", "fixed", []string{"--run", "-languages-", "--shard", "1/2"}, 0, []string{"F5"}},
		{"tec-6.8.3", "", "safe", nil, 1, []string{"S2", "S9", "S15"}},
		{"tickets-rsvp-commerce", "", "safe", []string{"--run", "-single-05|-t0"}, 0, []string{"D12"}},
		{"exports", "mono", "fixed", append(exports("mono"), "--run", "-feeds-.*[05]$"), 1, []string{"F9", "F10", "F11", "S9"}},
		{"exports of mono at safe", "mono", "safe", append(exports("mono"), "--run", "-feeds-"), 0, []string{"D14", "S9"}},
		{"exports of poly at safe", "poly", "safe", append(exports("poly"), "--run", "-feeds-"), 0, []string{"D14", "S9"}},
		{"exports of wpml at safe", "wpml", "safe", append(exports("wpml"), "--run", "-feeds-"), 0, []string{"D14", "S9"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var url, file string
			site := c.site
			if site == "" {
				site, file = "mono", variants(c.name)
				v := variantOf(t, c.name)
				db := wptest.VariantCopy(t, v)
				url = start(t, nil, append([]string{"serve"}, append((&variant{*v}).arguments(t, db.DSN, buildProfileFile(t, shared, "mono"), db.Now().Format(time.RFC3339), true, true), "--compat", c.level)...)...).api
			} else {
				file = filepath.Join(shared, "recordings", site, "reads-*.jsonl.gz")
				url = serveRecorded(t, site, "--compat", c.level, "--profile", buildProfileFile(t, shared, site))
			}
			_, summary, report, _ := compareExplained(t, url, file, site, c.args...)
			t.Logf("%+v\n%s", report.Totals, summary)
			if report.Totals.Compared < 20 || report.Totals.Different > c.most {
				t.Errorf("%d of %d differ", report.Totals.Different, report.Totals.Compared)
			}
			for _, number := range c.want {
				if report.group("intended", number) == 0 {
					t.Errorf("%s is not among the intended differences", number)
				}
			}
		})
	}
}

// TestCompareOtherAddress: a site under another address is one line with a count and the rule
// that allows it.
func TestCompareOtherAddress(t *testing.T) {
	oneAtATime(t)
	t.Parallel()
	file := recordedSite(t, "mono", func(x *recording.Exchange) {
		x.Response = x.Response.Map(recording.Replacer("https://kalendar.example", "http://localhost:8085").Replace)
		x.Origin = "https://kalendar.example"
	})
	url := serveRecorded(t, "mono", "--compat", "exact")
	_, summary, report, _ := compareExplained(t, url, file, "mono", "--shard", "1/3")
	found := regexp.MustCompile(`(?m)^ +(\d+) × address: .*\n +to allow it: rule (.+)$`).FindAllStringSubmatch(summary, -1)
	if len(found) != 1 || report.group("unexplained", "address") < 100 {
		t.Fatalf("%d lines, %d exchanges\n%s", len(found), report.group("unexplained", "address"), summary)
	}
	rules := filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(rules, []byte(`{"format":"calbridge-rules/1","rules":[`+strings.Replace(found[0][2], "…", "a copy", 1)+`]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, allowed, _ := compareExplained(t, url, file, "mono", "--shard", "1/3", "--rules", rules); allowed.group("unexplained", "address") > 0 {
		t.Errorf("with the proposed rule %d exchanges still differ", allowed.group("unexplained", "address"))
	}
}

// checkReportPage opens a report in a browser: it has the texts, passes axe-core in all tabs, can
// be used by keyboard, and copies requests. CALBRIDGE_SCREENSHOTS names a folder for pictures.
func checkReportPage(t *testing.T, file string, texts []string) {
	t.Helper()
	needBrowser(t, "playwright-core", "axe-core")
	for _, window := range [][2]string{{"360", "light"}, {"360", "dark"}, {"1600", "light"}, {"1600", "dark"}} {
		width := strings.Join(window[:], " ")
		args := []string{"testdata/browser/report.js", file, window[0], window[1]}
		if dir := os.Getenv("CALBRIDGE_SCREENSHOTS"); dir != "" {
			args = append(args, filepath.Join(dir, "report-"+window[0]+"-"+window[1]))
		}
		out, err := exec.CommandContext(t.Context(), "node", args...).Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var found struct {
			Violations, Messages, Tabs               []string
			Overflow, Cases                          int
			Text, Around, End, Copied, Detail, First string
		}
		if err := json.Unmarshal(out, &found); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if len(found.Violations)+len(found.Messages) > 0 || found.Overflow > 0 {
			t.Errorf("%s: axe-core: %q, messages: %q, wider than the window by %d", width, found.Violations, found.Messages, found.Overflow)
		}
		for _, text := range texts {
			if !strings.Contains(found.Text, text) {
				t.Errorf("%s: the report lacks %q", width, text)
			}
		}
		if len(found.Tabs) != 5 || found.Tabs[0] != "tab|true|Overview|tabpanel" || !strings.HasPrefix(found.Tabs[1], "tab|true|Cases") || found.Around != "Overview" || !strings.HasPrefix(found.End, "Rules") {
			t.Errorf("%s: by keyboard: %q, around %q, end %q", width, found.Tabs, found.Around, found.End)
		}
		if !strings.HasPrefix(found.Copied, "curl ") || found.Cases == 0 || !strings.Contains(found.Detail, "Ask again") {
			t.Errorf("%s: copied %q, %d cases, detail %.300q", width, found.Copied, found.Cases, found.Detail)
		}
		if found.First != "tag different" {
			t.Errorf("%s: the first case is %q, want one that needs a decision", width, found.First)
		}
	}
}
