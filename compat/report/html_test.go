package report

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"calbridge/compat/compattest"
	"calbridge/compat/diff"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/compat/rules"
)

// manyCases makes a recording of n cases in three languages and two roles, with
// answers of some 30 KB, and the report of a comparison in which a fifth of them
// differ.
func manyCases(t *testing.T, n int) *replay.Report {
	t.Helper()
	index := compattest.Exchange("index", "GET", "/wp-json/tribe/events/v1", `{"namespace":"tribe\/events\/v1","routes":{`+
		`"\/tribe\/events\/v1\/events":{"namespace":"tribe\/events\/v1","endpoints":[{"methods":["GET"],"args":{"page":{},"search":{"type":"string"},"start_date":{},"venue":{}}}]},`+
		`"\/tribe\/events\/v1\/events\/(?P<id>\\d+)":{"namespace":"tribe\/events\/v1","endpoints":[{"methods":["GET"],"args":{"id":{},"password":{}}}]},`+
		`"\/tribe\/events\/v1\/venues":{"namespace":"tribe\/events\/v1","endpoints":[{"methods":["GET"],"args":{"page":{}}}]}}}`)
	lines := []any{recording.Header{Format: recording.HeaderFormat, Home: "https://town.example"}, index}
	var items strings.Builder
	for i := range 40 {
		fmt.Fprintf(&items, `,{"id":%d,"title":"Concert no. %d","description":"%s","cost":"%d","all_day":false}`, i, i, strings.Repeat("caf\\u00e9 ", 60), i*10)
	}
	for i := range n - 1 {
		language := []string{"", "/en", "/de"}[i%3]
		path := fmt.Sprintf("%s/wp-json/tribe/events/v1/events?page=%d", language, i)
		if i%4 == 1 {
			path = fmt.Sprintf("%s/wp-json/tribe/events/v1/events/%d", language, i)
		}
		x := compattest.Exchange(fmt.Sprintf("town-%04d", i), "GET", path, `{"events":[{"id":-1}`+items.String()+`],"total":`+strconv.Itoa(i)+`}`)
		x.TookMS = float64(20 + i%400)
		if i%5 == 0 {
			x.As = "jana"
		}
		lines = append(lines, x)
	}
	file := compattest.WriteRecording(t, "town.jsonl", lines...)
	site, err := recording.LoadSite(compattest.TownSite(t))
	if err != nil {
		t.Fatal(err)
	}
	number := 0
	server := compattest.ReplayServer(t, []string{file}, site, func(x *recording.Exchange, r *recording.Response) {
		number++
		switch number % 25 {
		case 3:
			r.Status = 500
		case 6:
			r.Headers = map[string]recording.HeaderValues{"content-type": {"application/json; charset=UTF-8"}}
		case 9:
			r.Body = strings.Replace(r.Body, "Concert no. 7", "Konzert Nr. 7", 1)
		case 12:
			r.Body = strings.Replace(r.Body, `"cost":"90",`, ``, 1)
		case 15:
			r.Body = strings.ReplaceAll(r.Body, `\u00e9`, `é`)
		}
	})
	rules := &rules.File{Format: rules.Format,
		Rules: []rules.Rule{{Kind: rules.Ignore, Path: "$..modified", Reason: "saved again by the import"}},
		Known: []rules.Known{{Number: 1, Reason: "issue 123: accents", Match: &rules.Match{ID: "."}, Where: "$.events[*].description"}}}
	report, err := replay.Compare(context.Background(), replay.Options{Target: server.URL, Recordings: []string{file}, Logins: map[string]string{"jana": site.Users["jana"].ApplicationPassword},
		Details: true, Rules: rules, Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

var readyAfter = regexp.MustCompile(`data-ready="(\d+)"`)

// A report of 2,000 cases opens in Chromium, in less than two seconds with
// CALBRIDGE_LONG=1 on an otherwise idle machine. With CALBRIDGE_SCREENSHOTS set to a
// directory, screenshots are written there. Without Chromium the test is skipped, or
// fails with CALBRIDGE_REQUIRE_BROWSER=1.
func TestReportOpensInChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CALBRIDGE_REQUIRE_BROWSER") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	report := manyCases(t, 2000)
	dir := t.TempDir()
	shots := os.Getenv("CALBRIDGE_SCREENSHOTS")
	if shots != "" {
		dir = shots
	}
	file := filepath.Join(dir, "report.html")
	if err := (Files{HTML: file}).Write(report); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	browse := func(fragment string, args ...string) string {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage", "--no-first-run",
			"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir=" + t.TempDir()}, args...)
		out, err := exec.CommandContext(ctx, chromium, append(args, "file://"+file+fragment)...).Output()
		if err != nil {
			t.Fatalf("chromium: %v", err)
		}
		return string(out)
	}
	page := browse("", "--dump-dom")
	ready := readyAfter.FindStringSubmatch(page)
	if ready == nil || !strings.Contains(page, " answers differ") {
		t.Fatalf("the report's script did not run to its end: %s", diff.Head(page[max(0, len(page)-2000):], 2000))
	}
	if ms, _ := strconv.Atoi(ready[1]); ms >= 2000 && os.Getenv("CALBRIDGE_LONG") != "" {
		t.Errorf("ready after %d ms", ms)
	}
	t.Logf("%d bytes, ready after %s ms", info.Size(), ready[1])
	differing := ""
	for _, r := range report.Differing {
		if r.Differences[0].Part == diff.PartBody && strings.Contains(r.Differences[0].Got, "Konzert") {
			differing = r.ID
			break
		}
	}
	if one := browse("#tab=cases&case="+differing, "--dump-dom", "--virtual-time-budget=4000"); !strings.Contains(one, "equal lines") || !strings.Contains(one, "<mark>") {
		t.Errorf("the case %s does not show its difference", differing)
	}
	if shots != "" {
		for name, fragment := range map[string]string{"totals": "", "list": "#tab=cases&outcome=different&language=en&q=concert", "diff": "#tab=cases&case=" + differing, "timing": "#tab=timing", "coverage": "#tab=coverage"} {
			browse(fragment, "--screenshot="+filepath.Join(shots, name+".png"), "--window-size=1280,1000", "--virtual-time-budget=4000")
		}
		browse("#tab=cases&case="+differing, "--screenshot="+filepath.Join(shots, "phone-diff.png"), "--window-size=500,900", "--virtual-time-budget=4000")
		browse("", "--screenshot="+filepath.Join(shots, "phone-dark.png"), "--window-size=500,900", "--force-dark-mode", "--blink-settings=preferredColorScheme=0")
	}
}
