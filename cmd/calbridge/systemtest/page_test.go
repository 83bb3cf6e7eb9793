package systemtest

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// pageFindings is the output of testdata/browser/page.js.
type pageFindings struct {
	Violations, Messages, Elsewhere []string
	Text                            string
	Overflow                        int
}

// needBrowser skips a test if Debian's chromium, node, or packages of npm in NODE_PATH are
// missing. With CALBRIDGE_REQUIRE_BROWSER=1 it fails the test instead.
func needBrowser(t *testing.T, packages ...string) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	needModules(t, "CALBRIDGE_REQUIRE_BROWSER", packages...)
	if _, err := exec.LookPath("chromium"); err != nil {
		missing(t, "CALBRIDGE_REQUIRE_BROWSER", "chromium is not installed")
	}
}

// needModules skips a test if node or packages of npm in NODE_PATH are missing. It fails the
// test if the environment variable required is 1.
func needModules(t *testing.T, required string, packages ...string) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		missing(t, required, "node is not installed")
	}
	for _, name := range packages {
		if err := exec.Command("node", "-e", "require.resolve('"+name+"')").Run(); err != nil {
			missing(t, required, name+" is not installed where NODE_PATH leads")
		}
	}
}

// missing skips a test because something is missing. It fails the test if the environment
// variable required is 1.
func missing(t *testing.T, required, what string) {
	t.Helper()
	if os.Getenv(required) == "1" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// lookAt opens a page in narrow and wide windows, light and dark, and reports faults that any page
// may have, but for the rules of axe-core in known. CALBRIDGE_SCREENSHOTS names a folder for
// pictures.
func lookAt(t *testing.T, name, url string, seconds int, known ...string) (text string) {
	t.Helper()
	for _, window := range []struct{ width, scheme string }{{"360", "light"}, {"360", "dark"}, {"1600", "light"}, {"1600", "dark"}} {
		args := []string{"testdata/browser/page.js", url, window.width, window.scheme, strconv.Itoa(seconds)}
		if dir := os.Getenv("CALBRIDGE_SCREENSHOTS"); dir != "" {
			args = append(args, filepath.Join(dir, name+"-"+window.width+"-"+window.scheme+".png"))
		}
		out, err := exec.CommandContext(t.Context(), "node", args...).Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var found pageFindings
		if err := json.Unmarshal(out, &found); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		found.Violations = slices.DeleteFunc(found.Violations, func(v string) bool {
			rule, _, _ := strings.Cut(v, ":")
			return slices.Contains(known, rule)
		})
		if len(found.Violations)+len(found.Messages)+len(found.Elsewhere) > 0 || found.Overflow > 0 {
			t.Errorf("%s pixels, %s: axe-core: %q, messages: %q, requests to elsewhere: %q, wider than the window by %d", window.width, window.scheme, found.Violations, found.Messages, found.Elsewhere, found.Overflow)
		}
		text = found.Text
	}
	return text
}

// TestConsolePage checks that the console shows live figures, findings and settings, and no
// secret.
func TestConsolePage(t *testing.T) {
	needBrowser(t, "playwright-core", "axe-core")
	t.Parallel()
	s := start(t, map[string]string{"CALBRIDGE_COMPANION_SECRET": strings.Repeat("hidden", 8)}, "demo")
	if resp, body := fetch(t, s.api+"/wp-json/calendar/events/v1/events"); resp.StatusCode != 200 {
		t.Fatal(body)
	}
	text := lookAt(t, "console", s.ops+"/console/", 5)
	for _, want := range []string{
		"live", "/events", "calendar/events/v1", "Requests a second", "--ops-listen", "settings have their default", "not needed",
		"The demo has none", "In mode native, calbridge answers by itself",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the console lacks %q", want)
		}
	}
	if strings.Contains(text, "hidden") {
		t.Error("the console shows a secret")
	}
	if strings.Contains(text, "Native and proxied") {
		t.Error("the console shows proofs, which only mode auto has")
	}
}

// TestConsolePlots checks that the plots of the console have axes and values, fill their width, and
// show each of their ranges; and that settings with their default are folded in.
func TestConsolePlots(t *testing.T) {
	needBrowser(t, "playwright-core")
	s := start(t, nil, "demo", "--extensions=false")
	out, err := exec.CommandContext(t.Context(), "node", "testdata/browser/console.js", s.ops+"/console/").Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderrOf(err))
	}
	type plot struct {
		Title, Figure string
		X, Y          []string
		Ends          [2]int
	}
	var saw struct {
		Messages, Changed, Filtered []string
		Hour, Minutes, Day          plot
		Pointed, Left               string
		Folded                      int
	}
	if err := json.Unmarshal(out, &saw); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if len(saw.Messages) > 0 {
		t.Errorf("messages: %q", saw.Messages)
	}
	for name, c := range map[string]struct{ got, want plot }{
		"hour":    {saw.Hour, plot{"Requests, a second", "120 · max 120", []string{"11:40", "11:50", "12:00"}, []string{"200", "100", "0"}, [2]int{0, 300}}},
		"minutes": {saw.Minutes, plot{"Requests, a second", "120 · max 120", []string{"11:55:00", "11:57:30", "12:00:00"}, []string{"200", "100", "0"}, [2]int{0, 300}}},
		"day":     {saw.Day, plot{"Requests, a second", "120 · max 300", []string{"16:00", "02:00", "12:00"}, []string{"500", "250", "0"}, [2]int{0, 300}}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, c.got, c.want)
		}
	}
	if saw.Pointed != "11:50:00: 60" || saw.Left != saw.Hour.Figure {
		t.Errorf("pointed at: %q, then %q", saw.Pointed, saw.Left)
	}
	if !slices.ContainsFunc(saw.Changed, func(row string) bool { return strings.HasPrefix(row, "--extensions") }) || len(saw.Changed) > 8 || saw.Folded < 20 {
		t.Errorf("settings: %q and %d folded", saw.Changed, saw.Folded)
	}
	if len(saw.Filtered) != 1 || !strings.HasPrefix(saw.Filtered[0], "--namespace") {
		t.Errorf("filtered: %q", saw.Filtered)
	}
}

// TestConsoleProof checks that, in mode auto, the console shows which side answers and why,
// which kinds of requests are proven, and in which fields others differ.
func TestConsoleProof(t *testing.T) {
	needBrowser(t, "playwright-core", "axe-core")
	t.Parallel()
	dsn := wptest.Replicated(t)
	newCoherentSite(t, dsn, 6)
	ref := newReference(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}})
	ref.broken.Store(&[2]string{`"zip":`, `"postcode":`})
	s := start(t, nil, "serve", "--dsn", dsn, "--clock", modesNow, "--read-only", "--compat", "exact", "--mode", "auto", "--upstream", ref.URL,
		"--proof-comparisons", "2", "--proof-time", "1s", "--proof-without-companion")
	ask := func(path string) string {
		t.Helper()
		resp, body := fetch(t, s.api+"/wp-json/calendar/events/v1"+path)
		if resp.StatusCode != 200 {
			t.Fatalf("%s: %d %s", path, resp.StatusCode, body)
		}
		return resp.Header.Get("X-Powered-By")
	}
	waitFor(t, func() bool { return ask("/categories?per_page=5") == "" })
	waitFor(t, func() bool {
		ask("/venues?per_page=5&page=1")
		_, body := fetch(t, s.ops+"/proof")
		return strings.Contains(body, `"differing"`)
	})
	text := lookAt(t, "console-proof", s.ops+"/console/", 3)
	for _, want := range []string{"Native and proxied", "Kinds proven", "page=number per_page=number", "proven", "differing", "zip", "too few identical answers so far", "What was learned", "Pages have up to 50 entries", "Likely because of"} {
		if !strings.Contains(text, want) {
			t.Errorf("the console lacks %q:\n%s", want, text)
		}
	}
	_, found, _ := strings.Cut(text, "Native and proxied\n")
	if found, _, _ = strings.Cut(found, "What check says"); strings.Contains(found, "per_page=5") {
		t.Errorf("the console shows values: %s", found)
	}
}

// TestAPIPage checks that the API page shows the valid document whatever the level is, sends
// requests with and without a login, and does not exist with --compat exact.
func TestAPIPage(t *testing.T) {
	needBrowser(t, "playwright-core", "axe-core")
	t.Parallel()
	s := start(t, nil, "demo", "--extensions", "--compat", "safe")
	const path = "/wp-json/calendar/events/v1/docs"
	// Swagger UI itself breaks two rules: its badges, buttons and stamps are white or pale on bright
	// colours, and the heading of an operation is a button with a button and a link in it.
	for _, language := range []string{"cs", "en"} {
		root := map[string]string{"cs": "", "en": "/en"}[language]
		lookAt(t, "docs-"+language, s.api+root+path, 3, "color-contrast", "nested-interactive")
	}
	text := lookAt(t, "docs-de", s.api+"/de"+path, 3, "color-contrast", "nested-interactive")
	for _, want := range []string{"Veranstaltungskalender", "/events/{id}", "/events.ics", "Authorize", "openapi.json"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for name, url := range map[string]string{"rest_route": s.api + "/?rest_route=/calendar/events/v1/docs", "path": s.api + "/en" + path} {
		t.Run(name, func(t *testing.T) { tryAPIPage(t, url, quotedPassword(t, s.stdout.String())) })
	}
	exact := start(t, nil, "demo", "--extensions", "--compat", "exact")
	if resp, body := fetch(t, exact.api+path); resp.StatusCode != 404 || !strings.Contains(body, "rest_no_route") {
		t.Errorf("under exact: %d %s", resp.StatusCode, body)
	}
}

// TestAPIPageOperations sends a request of every operation from the API page, with an application
// password, and checks the status that the page shows.
func TestAPIPageOperations(t *testing.T) {
	needBrowser(t, "playwright-core")
	t.Parallel()
	dsn := wptest.Replicated(t)
	sampleWithLogin(t, dsn)
	s := start(t, nil, "serve", "--dsn", dsn, "--extensions", "--state-dir", t.TempDir(), "--application-passwords", "on")
	const path = "/wp-json/calendar/events/v1"
	_, text := fetch(t, s.api+path+"/openapi.json")
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string
			Responses   map[string]any
		}
	}
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "node", "testdata/browser/operations.js", s.api+path+"/docs", "demo:"+demoPassword).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderrOf(err))
	}
	var saw struct {
		Messages, Opened, Unlinked []string
		Statuses                   map[string]string
	}
	if err := json.Unmarshal(out, &saw); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if len(saw.Messages)+len(saw.Unlinked) > 0 || len(saw.Opened) != 5 {
		t.Errorf("messages: %q, without a link: %q, opened by their links: %q", saw.Messages, saw.Unlinked, saw.Opened)
	}
	for path, methods := range document.Paths {
		for method, operation := range methods {
			want := "200"
			if _, creates := operation.Responses["201"]; creates {
				want = "201"
			}
			if got := saw.Statuses[operation.OperationID]; got != want && path != "/docs" {
				t.Errorf("%s %s: the page shows %q, want %s", method, path, got, want)
			}
		}
	}
}

// TestAPIPageInLog checks that the log names the API page where it is served, and only there.
func TestAPIPageInLog(t *testing.T) {
	for compat, named := range map[string]bool{"safe": true, "exact": false} {
		t.Run(compat, func(t *testing.T) {
			s := start(t, nil, "demo", "--extensions", "--compat", compat)
			if got := strings.Contains(s.stderr.String(), " docs=/wp-json/calendar/events/v1/docs\n"); got != named {
				t.Errorf("named: %t, want %t:\n%s", got, named, s.stderr)
			}
		})
	}
}

func tryAPIPage(t *testing.T, url, password string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "node", "testdata/browser/docs.js", url, "demo:"+password).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderrOf(err))
	}
	type answer struct{ Status, Body, Request string }
	var saw struct {
		Messages   []string
		Operations int
		File       struct {
			Version    string
			Operations int
		}
		List, Refused, Allowed, Created answer
	}
	if err := json.Unmarshal(out, &saw); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if len(saw.Messages) > 0 {
		t.Errorf("messages: %q", saw.Messages)
	}
	if saw.File.Version != "3.1.0" || saw.File.Operations < 20 || saw.Operations != saw.File.Operations {
		t.Errorf("%d operations of %+v", saw.Operations, saw.File)
	}
	if saw.List.Status != "200" || !strings.Contains(saw.List.Body, `"venues"`) || !strings.Contains(saw.List.Body, "x-tec-total: ") || !strings.Contains(saw.List.Request, "curl -X 'GET'") {
		t.Errorf("list: %+v", saw.List)
	}
	if !strings.HasPrefix(saw.Refused.Status, "40") || saw.Allowed.Status != "200" || saw.Created.Status != "201" {
		t.Errorf("without a login %+v, with it %+v, and created %+v", saw.Refused, saw.Allowed, saw.Created)
	}
}

func stderrOf(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(exit.Stderr)
	}
	return ""
}

// TestConsoleSites checks the console's table of sites: what each does, and why one isn't served. Sites without
// metrics of their own are in it.
func TestConsoleSites(t *testing.T) {
	needBrowser(t, "playwright-core", "axe-core")
	t.Parallel()
	conf := configFile(t, "[town]\naddress = https://town.example/\n[lake]\naddress = https://lake.example/\n[broken]\naddress = https://broken.example/\ndsn = sqlite:none.db\n[quiet]\naddress = https://quiet.example/\n")
	s := start(t, nil, "serve", "--sites", conf, "--dsn", "sqlite:"+sampleFile(t), "--metrics-sites", "1")
	for address, want := range map[string]int{"https://town.example": 200, "https://lake.example": 200, "https://broken.example": 503} {
		if resp, body := asNetwork(t, s, address+eventsPath); resp.StatusCode != want {
			t.Fatalf("%s: %d %s", address, resp.StatusCode, body)
		}
	}
	text := lookAt(t, "console-sites", s.ops+"/console/", 5)
	for _, want := range []string{"town\ttown.example/\tnative\topen\t", "lake\tlake.example/\tnative\topen\t", "broken\tbroken.example/\tnative\tbroken\t", "dsn: the file none.db does not exist", "3 of 3 sites that were asked for since the start"} {
		if !strings.Contains(text, want) {
			t.Errorf("the table of sites lacks %q:\n%s", want, text)
		}
	}
}
