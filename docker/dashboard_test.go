package docker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// panel is one panel of a Grafana dashboard.
type panel struct {
	Title   string
	Targets []struct{ Expr string }
	Panels  []panel
}

// dashboardQueries lists the dashboard's queries by panel.
func dashboardQueries(t *testing.T) map[string][]string {
	t.Helper()
	var board struct {
		UID    string
		Panels []panel
	}
	if err := json.Unmarshal([]byte(read(t, "grafana/dashboards/calbridge.json")), &board); err != nil {
		t.Fatal(err)
	}
	if board.UID != "calbridge" {
		t.Errorf("the dashboard's uid is %q", board.UID)
	}
	queries := map[string][]string{}
	var collect func([]panel)
	collect = func(panels []panel) {
		for _, p := range panels {
			for _, target := range p.Targets {
				queries[p.Title] = append(queries[p.Title], target.Expr)
			}
			collect(p.Panels)
		}
	}
	collect(board.Panels)
	return queries
}

// withoutVariables replaces variables as Grafana would.
func withoutVariables(expr string) string {
	return strings.NewReplacer("$job", ".*", "$instance", ".*", "$__rate_interval", "1m").Replace(expr)
}

var (
	ruleExpr   = regexp.MustCompile(`(?m)^ +expr: *(?:\|-\n((?: {10}.*\n)+)|(.+)\n)`)
	metricName = regexp.MustCompile(`\b(?:calbridge|go|process|promhttp)_[a-z0-9_]+\b`)
	labelList  = regexp.MustCompile(`\{[^}]*\}|"[^"]*"|\bby \([^)]*\)`)
	recordLine = regexp.MustCompile(`(?m)^ +- record: (\S+)$`)
	recorded   = regexp.MustCompile(`\b[a-z_]+:[a-z0-9_]+:[a-z0-9_]+\b`)
)

// metricNames lists the metrics that an expression reads.
func metricNames(expr string) []string {
	expr = labelList.ReplaceAllString(expr, "")
	return metricName.FindAllString(recorded.ReplaceAllString(expr, ""), -1)
}

// served is a demo that has received requests of all kinds, over TLS so that the
// certificate's metric exists, with a Prometheus that scrapes it.
type served struct{ api, ops, prometheus string }

// serveDemo starts both and loads the demo until the test ends.
func serveDemo(t *testing.T) served {
	t.Helper()
	prometheus := tool(t, "prometheus")
	dir := t.TempDir()
	cert, key := writeCertificate(t, dir)
	s := served{api: freeAddr(t), ops: freeAddr(t), prometheus: freeAddr(t)}
	start(t, exec.Command(binary(t), "demo", "--listen", s.api, "--ops-listen", s.ops, "--tls-cert", cert, "--tls-key", key, "--log-level", "warn"))
	listening(t, s.ops)
	write(t, dir, "rules.yml", read(t, "prometheus/rules.yml"))
	conf := strings.NewReplacer("calbridge:9464", s.ops, "localhost:9090", s.prometheus, "15s", "1s").Replace(read(t, "prometheus/prometheus.yml"))
	start(t, exec.Command(prometheus, "--config.file="+write(t, dir, "prometheus.yml", conf), "--storage.tsdb.path="+dir+"/data",
		"--web.listen-address="+s.prometheus, "--log.level=warn"))
	go s.load(t.Context())
	listening(t, s.prometheus)
	return s
}

// load sends various requests until ctx ends.
func (s served) load(ctx context.Context) {
	client := insecureClient()
	base := "https://" + s.api + "/wp-json/calendar/events/v1"
	for {
		for _, path := range []string{"", "/events?per_page=5", "/events?page=zero", "/events/by-slug/nothing", "/venues", "/organizers", "/categories", "/tags", "/doc", "/nothing"} {
			for _, password := range []string{"", "wrong"} {
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+path, nil)
				if err != nil {
					return
				}
				if password != "" {
					req.SetBasicAuth("demo", password)
				}
				resp, err := client.Do(req)
				if ctx.Err() != nil {
					return
				}
				if err == nil {
					_, _ = io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
				time.Sleep(20 * time.Millisecond)
			}
		}
	}
}

// query sends a query to Prometheus and returns the number of series in the result.
func (s served) query(ctx context.Context, expr string) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.prometheus+"/api/v1/query?query="+url.QueryEscape(expr), nil)
	if err != nil {
		return 0, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	var answer struct {
		Status, Error string
		Data          struct{ Result []any }
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return 0, err
	}
	if answer.Status != "success" {
		return 0, fmt.Errorf("%s", answer.Error)
	}
	return len(answer.Data.Result), nil
}

// TestDashboard puts load on a server that Prometheus scrapes, and runs every query of
// the dashboard and of the rules. promtool checks the metrics themselves.
func TestDashboard(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for Prometheus to gather data")
	}
	queries := dashboardQueries(t)
	s := serveDemo(t)

	for _, m := range recordLine.FindAllStringSubmatch(read(t, "prometheus/rules.yml"), -1) {
		queries["rules.yml"] = append(queries["rules.yml"], m[1])
	}
	for title, exprs := range queries {
		for _, expr := range exprs {
			var problem error
			deadline := time.Now().Add(3 * time.Minute)
			for series := 0; series == 0; time.Sleep(200 * time.Millisecond) {
				if series, problem = s.query(t.Context(), withoutVariables(expr)); problem != nil && series == 0 && strings.Contains(problem.Error(), "parse") || time.Now().After(deadline) {
					t.Errorf("%s: no data (%v) for\n%s", title, problem, expr)
					break
				}
			}
		}
	}

	metrics := get(t, "http://"+s.ops+"/metrics")
	known := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z_]\w*)[{ ]`).FindAllStringSubmatch(metrics, -1) {
		known[m[1]] = true
	}
	known["calbridge_memory_limit_bytes"] = true // only under a limit of memory
	for _, m := range ruleExpr.FindAllStringSubmatch(read(t, "prometheus/rules.yml"), -1) {
		for _, name := range metricNames(m[1] + m[2]) {
			if !known[name] {
				t.Errorf("rules.yml reads %s, which calbridge does not have", name)
			}
		}
	}

	check := exec.Command(tool(t, "promtool"), "check", "metrics")
	check.Stdin = strings.NewReader(metrics)
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("promtool check metrics: %v\n%s", err, out)
	}
	var firing struct {
		Data struct {
			Alerts []struct {
				Labels map[string]string
				State  string
			}
		}
	}
	if err := json.Unmarshal([]byte(get(t, "http://"+s.prometheus+"/api/v1/alerts")), &firing); err != nil {
		t.Error(err)
	}
	for _, a := range firing.Data.Alerts {
		if a.State == "firing" && a.Labels["severity"] == "critical" {
			t.Errorf("a healthy server wakes somebody: %v", a.Labels)
		}
	}
}

// get returns the body of a response, whose status must be 200.
func get(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %v", url, resp.StatusCode, err)
	}
	return string(body)
}
