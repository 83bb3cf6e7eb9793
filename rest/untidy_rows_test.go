package rest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/testdata"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// untidyNow is a time on the day on which the cases of TestUntidyRows were recorded. They were
// recorded without a frozen clock.
var untidyNow = time.Date(2026, 11, 25, 20, 0, 0, 0, time.UTC)

// openUntidy names the kinds of rows for which responses differ from the reference's. Blocks that
// WordPress renders from other data are named by check instead (site.blocks).
var openUntidy = map[string]bool{
	"10-core-blocks": true,
}

// TestUntidyRows compares responses for untidy rows of real sites with those of the reference.
func TestUntidyRows(t *testing.T) {
	oneAtATime(t)
	dirs, err := filepath.Glob(filepath.Join(testdata.Shared(t, "bug-cases"), "*", "rows.sql"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, rows := range dirs {
		dir := filepath.Dir(rows)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			s := untidySite(t, rows)
			asks := untidyRequests(t, filepath.Join(dir, "request.txt"))
			open, differs := openUntidy[filepath.Base(dir)], false
			before := map[string]int{} // requests that a cut target names, by target
			for _, e := range untidyExpectations(t, filepath.Join(dir, "expected.txt")) {
				a, ok := untidyAsk(asks, e.target, before[e.target])
				if !ok {
					t.Errorf("no request for %s", e.target)
					continue
				}
				if a.target != e.target {
					before[e.target]++
				}
				if a.method == http.MethodPost {
					a.header = http.Header{"Authorization": {monoAdmin(t)}}
				}
				got, same := e.met(s.do(a))
				if differs = differs || !same; !same && !open {
					t.Errorf("%s %s\n got %s\nwant %s", e.target, e.what, got, e.want)
				}
			}
			if open && !differs {
				t.Error("all responses are those of the reference: remove the case from openUntidy")
			}
		})
	}
}

// untidySite serves a copy of mono with the statements of a file executed.
func untidySite(t *testing.T, file string) *testSite {
	t.Helper()
	db := wptest.SiteCopy(t, "mariadb", "mono")
	s := openTestSite(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, db.DSN)}})
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for statement := range strings.SplitSeq(string(text), ";\n") {
		if statement = strings.TrimSpace(statement); statement != "" && !strings.HasPrefix(statement, "--") || strings.Contains(statement, "\n") {
			s.exec(statement)
		}
	}
	s.serve(func(c *Config) {
		c.Settings.Profile = untidyProfile(t)
		c.Namespace, c.Now = "tribe/events/v1", func() time.Time { return untidyNow }
	})
	return s
}

// untidyProfile returns a profile with the messages of the reference that the cases show.
func untidyProfile(t *testing.T) *api.Profile {
	t.Helper()
	text, err := os.ReadFile(testdata.Shared(t, "bug-cases", "15-error-order", "expected.txt"))
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`"([^"]*): state, province"`).FindSubmatch(text)
	kind := regexp.MustCompile(`"state": "state ([^"]*) string\."`).FindSubmatch(text)
	if names == nil || kind == nil {
		t.Fatalf("the case has no messages:\n%s", text)
	}
	errors := map[string]string{"rest_invalid_param": string(names[1]) + ": {params}", "rest_invalid_type": "{param} " + string(kind[1]) + " {type}."}
	data, err := json.Marshal(map[string]any{"languages": map[string]any{"default": map[string]any{"errors": errors}}})
	if err != nil {
		t.Fatal(err)
	}
	profile := new(api.Profile)
	if err := json.Unmarshal(data, profile); err != nil {
		t.Fatal(err)
	}
	return profile
}

// monoAdmin returns the header Authorization of the administrator of mono.
func monoAdmin(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(testdata.Shared(t, "sites", "mono.json"))
	if err != nil {
		t.Fatal(err)
	}
	var info struct {
		Users map[string]struct {
			Password string `json:"application_password"`
		}
	}
	if err := json.Unmarshal(data, &info); err != nil {
		t.Fatal(err)
	}
	return "Basic " + base64.StdEncoding.EncodeToString([]byte("admin:"+info.Users["admin"].Password))
}

// untidyRequests reads the requests of a case: lines with method and target, each followed by
// indented headers and a body.
func untidyRequests(t *testing.T, file string) (asks []ask) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if field, indented := strings.CutPrefix(line, "  "); indented {
			a := &asks[len(asks)-1]
			switch name, value, _ := strings.Cut(field, ": "); name {
			case "body":
				a.body = value
			case "Content-Type":
				a.contentType = value
			}
			continue
		}
		if method, target, ok := strings.Cut(line, " "); ok {
			asks = append(asks, ask{method: method, target: target})
		}
	}
	return asks
}

// untidyAsk returns the request for a target. The expectations may cut targets short: skip is the
// number of requests to pass over.
func untidyAsk(asks []ask, target string, skip int) (ask, bool) {
	for _, a := range asks {
		if a.target == target || len(target) > 100 && strings.HasPrefix(a.target, target) {
			if skip == 0 {
				return a, true
			}
			skip--
		}
	}
	return ask{}, false
}

// untidyExpectation holds the reference's value in one place of a response.
type untidyExpectation struct{ target, what, want string }

func untidyExpectations(t *testing.T, file string) (out []untidyExpectation) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if want, ok := strings.CutPrefix(line, "   "); ok {
			out[len(out)-1].want = strings.ReplaceAll(strings.TrimSpace(want), "\r", "")
		} else if target, what, ok := strings.Cut(line, "  "); ok {
			out = append(out, untidyExpectation{target: target, what: what})
		}
	}
	return out
}

// pythonSpace is the space that the recorder writes after separators of JSON.
var pythonSpace = regexp.MustCompile(`([,:]) `)

// met returns what the response has in the place, and whether that is expected. The recorder
// cuts long values short.
func (e untidyExpectation) met(a answer) (got string, same bool) {
	switch {
	case e.what == "status":
		got = strconv.Itoa(a.status)
		return got, got == e.want
	case e.what == "body":
		got = strconv.Itoa(a.status) + " " + a.body
		return got, got == e.want || len(e.want) > 150 && strings.HasPrefix(got, e.want)
	case strings.HasPrefix(e.what, "header "):
		if got = a.header.Get(e.what[len("header "):]); got == "" {
			got = "None"
		}
		return got, got == e.want
	case strings.HasPrefix(e.what, "lines /"):
		var lines []string
		for _, line := range regexp.MustCompile(strings.TrimSuffix(e.what[len("lines /"):], "/")).FindAllString(strings.ReplaceAll(a.body, "\r\n ", ""), -1) {
			lines = append(lines, strings.TrimSpace(line))
		}
		got = strings.Join(lines, " | ")
		return got, got == e.want
	}
	var v, want any
	if err := json.Unmarshal([]byte(a.body), &v); err != nil {
		return fmt.Sprintf("no JSON: %d %.300s", a.status, a.body), false
	}
	for step := range strings.SplitSeq(strings.ReplaceAll(e.what, "[", ".["), ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[step]
		case []any:
			i, err := strconv.Atoi(strings.Trim(step, "[]"))
			if err != nil || i >= len(at) {
				return "absent", false
			}
			v = at[i]
		default:
			return fmt.Sprintf("absent: %d %.300s", a.status, a.body), false
		}
	}
	text, _ := json.Marshal(v)
	got = string(text)
	if err := json.Unmarshal([]byte(e.want), &want); err != nil { // cut short, in the order of the reference
		return got, strings.Contains(a.body, strings.ReplaceAll(pythonSpace.ReplaceAllString(e.want, "$1"), "/", `\/`))
	}
	return got, reflect.DeepEqual(v, want)
}
