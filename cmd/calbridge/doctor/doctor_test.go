package doctor

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/figures"
	"calbridge/wpstore/check"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// metrics returns the metrics of a healthy instance, by series.
func metrics() map[string]string {
	started := fmt.Sprint(now.Add(-time.Hour).Unix())
	return map[string]string{
		`calbridge_build_info{version="1.0.0",revision="a",goversion="go1"}`:     "1",
		`calbridge_config_last_reload_successful`:                                "1",
		`calbridge_config_last_reload_success_timestamp_seconds`:                 started,
		`process_start_time_seconds`:                                             started,
		`calbridge_rollout_mode{mode="native"}`:                                  "1",
		`calbridge_rollout_mode{mode="auto"}`:                                    "0",
		`calbridge_db_server_in_use{server="primary"}`:                           "1",
		`calbridge_db_server_in_use{server="replica 1"}`:                         "1",
		`calbridge_db_wait_seconds_total{server="primary"}`:                      "0",
		`calbridge_cache_enabled`:                                                "1",
		`calbridge_cache_followed`:                                               "1",
		`calbridge_listing_loaded_ratio`:                                         "1",
		`calbridge_cache_requests_total{result="hit"}`:                           "900",
		`calbridge_cache_requests_total{result="miss"}`:                          "100",
		`calbridge_http_requests_total{code="200",route="/events",method="GET"}`: "1000",
		`process_resident_memory_bytes`:                                          "1e8",
		`calbridge_memory_limit_bytes`:                                           "1e9",
		`process_open_fds`:                                                       "20",
		`process_max_fds`:                                                        "1000",
	}
}

func parse(t *testing.T, at time.Time, values map[string]string) *figures.Figures {
	t.Helper()
	var text strings.Builder
	family := ""
	for _, series := range slices.Sorted(maps.Keys(values)) {
		if name, _, _ := strings.Cut(series, "{"); name != family {
			family = name
			fmt.Fprintf(&text, "# TYPE %s gauge\n", name)
		}
		fmt.Fprintf(&text, "%s %s\n", series, values[series])
	}
	f, err := figures.Parse(strings.NewReader(text.String()), at)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestReport checks each finding of a healthy instance, and of one that differs in one respect.
func TestReport(t *testing.T) {
	const warned, failed = check.StatusWarn, check.StatusFail
	type values = map[string]string
	for name, c := range map[string]struct {
		before, after values
		change        func(*Reading)
		finding       string // "" for none
		status        check.Status
		found         string
	}{
		"healthy":              {},
		"not ready":            {change: func(r *Reading) { r.NotReady = errors.New("not ready: status 503") }, finding: "ready", status: failed, found: "status 503"},
		"another build":        {change: func(r *Reading) { r.Program.Revision = "b" }, finding: "version", status: warned, found: "calbridge 1.0.0 (revision b, go1) is on disk"},
		"reload failed":        {after: values{"calbridge_config_last_reload_successful": "0"}, finding: "settings", status: warned, found: "2026-11-21 11:00:00 are in force"},
		"file changed":         {change: func(r *Reading) { r.Files[0].Changed = now.Add(-time.Minute) }, finding: "settings", status: warned, found: "changed on disk since: calbridge.conf"},
		"certificate":          {after: values{"calbridge_tls_certificate_expiry_timestamp_seconds": fmt.Sprint(now.AddDate(0, 1, 0).Unix())}},
		"certificate ends":     {after: values{"calbridge_tls_certificate_expiry_timestamp_seconds": fmt.Sprint(now.AddDate(0, 0, 13).Unix())}, finding: "certificate", status: warned, found: "until 2026-12-04"},
		"certificate ended":    {after: values{"calbridge_tls_certificate_expiry_timestamp_seconds": fmt.Sprint(now.AddDate(0, 0, -1).Unix())}, finding: "certificate", status: failed, found: "invalid since 2026-11-20"},
		"replica out":          {after: values{`calbridge_db_server_in_use{server="replica 1"}`: "0"}, finding: "database", status: warned, found: "replica 1 0.0 s behind, not in use"},
		"pool exhausted":       {after: values{`calbridge_db_wait_seconds_total{server="primary"}`: "20"}, finding: "database", status: warned, found: "2.00 s of waiting a second"},
		"caches off":           {after: values{"calbridge_cache_enabled": "0", "calbridge_cache_followed": "0", "calbridge_listing_loaded_ratio": "0"}},
		"not followed":         {after: values{"calbridge_cache_followed": "0"}, finding: "feed", status: warned, found: "not followed"},
		"index incomplete":     {after: values{"calbridge_listing_loaded_ratio": "0.5"}, finding: "cache", status: warned, found: "90 % of 1000 cacheable requests from memory; 0 MiB; index 50 %"},
		"differences":          {after: values{`calbridge_comparisons_total{route="/events",outcome="different"}`: "2", `calbridge_comparisons_total{route="/events",outcome="identical"}`: "8"}, finding: "differences", status: warned, found: "2 of 10 compared"},
		"differences in auto":  {after: values{`calbridge_rollout_mode{mode="native"}`: "0", `calbridge_rollout_mode{mode="auto"}`: "1", `calbridge_comparisons_total{route="/events",outcome="different"}`: "2"}},
		"compares nothing":     {after: values{`calbridge_rollout_mode{mode="native"}`: "0", `calbridge_rollout_mode{mode="auto"}`: "1", "calbridge_proof_last_comparison_age_seconds": "7200", `calbridge_proof_answers_total{by="wordpress",reason="proving"}`: "300", `calbridge_proof_answers_total{by="calbridge",reason="none"}`: "100"}, finding: "proofs", status: warned, found: "25 % of 400 requests answered natively, the others by WordPress; last comparison 2h0m0s ago"},
		"errors now":           {after: values{`calbridge_http_requests_total{code="503",route="/events",method="GET"}`: "9", `calbridge_http_rejected_total{reason="slow"}`: "9"}, finding: "errors", status: failed, found: "9 of 1009 requests failed, 9 of the last 9; turned away: slow 9"},
		"errors earlier":       {before: values{`calbridge_http_requests_total{code="500",route="/events",method="GET"}`: "9"}, finding: "errors", status: warned, found: "9 of 1009 requests failed, 0 of the last 0"},
		"few errors earlier":   {before: values{`calbridge_http_requests_total{code="500",route="/events",method="GET"}`: "1"}},
		"a missing setting":    {after: values{`calbridge_http_requests_total{code="501",route="/events",method="POST"}`: "900"}},
		"database unavailable": {after: values{`calbridge_db_query_errors_total{query="posts.read",kind="unavailable"}`: "1"}, finding: "errors", status: failed, found: "queries: unavailable 1"},
		"unavailable earlier":  {before: values{`calbridge_db_query_errors_total{query="posts.read",kind="unavailable"}`: "1"}},
		"panics":               {before: values{"calbridge_http_panics_total": "1"}, finding: "errors", status: warned, found: "panics 1"},
		"memory":               {after: values{"process_resident_memory_bytes": "9e8"}, finding: "memory", status: warned, found: "858 of 954 MiB"},
		"memory, no limit":     {after: values{"process_resident_memory_bytes": "2e9", "calbridge_memory_limit_bytes": "0"}, finding: "memory", status: warned, found: "1907 MiB, without a limit"},
		"descriptors":          {after: values{"process_open_fds": "900"}, finding: "descriptors", status: warned, found: "900 of 1000 open"},
	} {
		t.Run(name, func(t *testing.T) {
			before, after := metrics(), metrics()
			for series, value := range c.before {
				before[series], after[series] = value, value
			}
			for series, value := range c.after {
				after[series] = value
			}
			r := &Reading{
				Before: parse(t, now.Add(-10*time.Second), before), After: parse(t, now, after),
				Files: []File{{"calbridge.conf", now.AddDate(0, 0, -1)}}, Program: buildinfo.Build{Version: "1.0.0", Revision: "a", GoVersion: "go1"},
			}
			if c.change != nil {
				c.change(r)
			}
			for _, f := range Report(r) {
				switch {
				case f.Name != c.finding:
					if f.Status != check.StatusOK {
						t.Errorf("%+v", f)
					}
				case f.Status != c.status || !strings.Contains(f.Found, c.found) || f.Advice == "":
					t.Errorf("%+v, want %s and %q", f, c.status, c.found)
				}
			}
		})
	}
}
