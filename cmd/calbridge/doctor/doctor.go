// Package doctor judges a running instance by its metrics. Its limits are those of the alerts in
// docker/prometheus/rules.yml: what is critical there fails here.
package doctor

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	dto "github.com/prometheus/client_model/go"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/figures"
	"calbridge/rest/rollout"
	"calbridge/wpstore/check"
)

// Reading holds what was read of an instance.
type Reading struct {
	// NotReady is why the instance is not ready, nil if it is.
	NotReady error
	// Before and After are its metrics at the begin and the end of a period.
	Before, After *figures.Figures
	// Files are those that the settings name, as they are on disk.
	Files []File
	// Program is the build on disk: that of this program.
	Program buildinfo.Build
}

// File is a file that the instance has read.
type File struct {
	Name    string
	Changed time.Time
}

const (
	// fastBurn and slowBurn are the shares of requests that may fail within the period, and since the
	// start.
	fastBurn = 14.4 * 0.001
	slowBurn = 6 * 0.001
	// maxDelay is the time in seconds within which caches follow the binary log.
	maxDelay = 0.5
	// full is the share of a limit above which it may be exceeded soon.
	full = 0.8
	// memoryWithoutLimit is more than calbridge usually needs, in bytes.
	memoryWithoutLimit = 1 << 30
	// certificateTime is how long before its end a certificate should be replaced.
	certificateTime = 14 * 24 * time.Hour
	// comparisonAge is the time in seconds after which mode auto should have compared something.
	comparisonAge = 3600
	// fewRequests is the number of requests below which shares say little.
	fewRequests = 100
)

// Report returns the findings about an instance.
func Report(r *Reading) check.Report {
	return check.Report{
		r.ready(), r.version(), r.settings(), r.certificate(), r.database(), r.feed(), r.cache(), r.proofs(), r.differences(), r.errors(), r.memory(), r.files(),
	}
}

func ok(name, found string, args ...any) check.Finding {
	return check.Finding{Name: name, Status: check.StatusOK, Found: fmt.Sprintf(found, args...)}
}

func warn(advice string, f check.Finding) check.Finding {
	f.Status, f.Advice = check.StatusWarn, advice
	return f
}

func fail(advice string, f check.Finding) check.Finding {
	f.Status, f.Advice = check.StatusFail, advice
	return f
}

func (r *Reading) has(name string) bool { return len(r.After.Families[name].GetMetric()) > 0 }

func (r *Reading) value(name string) float64 { return r.After.Sum(name, nil) }

// mode returns the running mode.
func (r *Reading) mode() string {
	for mode, on := range r.After.By("rollout_mode", "mode") {
		if on == 1 {
			return mode
		}
	}
	return "unknown"
}

// at returns a metric that is a time in Unix seconds.
func (r *Reading) at(name string) time.Time {
	return time.UnixMilli(int64(1000 * r.value(name))).UTC()
}

func (r *Reading) uptime() time.Duration {
	return r.After.At.Sub(r.at("process_start_time_seconds")).Round(time.Second)
}

func (r *Reading) ready() check.Finding {
	const name = "ready"
	if r.NotReady != nil {
		return fail("Look at its log; see CalbridgeNotReady in docker/runbook.md.", ok(name, "%v", r.NotReady))
	}
	return ok(name, "mode %s, started %s ago", r.mode(), r.uptime())
}

func (r *Reading) version() check.Finding {
	const name = "version"
	var running buildinfo.Build
	for _, m := range r.After.Families["build_info"].GetMetric() {
		running = buildinfo.Build{Version: figures.Label(m, "version"), Revision: figures.Label(m, "revision"), GoVersion: figures.Label(m, "goversion")}
	}
	if running != r.Program {
		return warn("Restart the service, or run this command with the program that the service runs.", ok(name, "%s is running, and %s is on disk", running, r.Program))
	}
	return ok(name, "%s, as on disk", running)
}

func (r *Reading) settings() check.Finding {
	const name = "settings"
	read := r.at("config_last_reload_success_timestamp_seconds")
	if r.value("config_last_reload_successful") != 1 {
		return warn("The log has the reason. Correct it, then reload (SIGHUP).", ok(name, "the last reload failed; those of %s are in force", read.Format(time.DateTime)))
	}
	var newer, names []string
	for _, f := range r.Files {
		names = append(names, f.Name)
		if f.Changed.After(read) {
			newer = append(newer, f.Name)
		}
	}
	if len(newer) > 0 {
		return warn("Reload (SIGHUP).", ok(name, "read at %s; changed on disk since: %s", read.Format(time.DateTime), strings.Join(newer, ", ")))
	}
	if len(names) == 0 {
		return ok(name, "read at %s; name its configuration file with --config to compare it", read.Format(time.DateTime))
	}
	return ok(name, "read at %s; unchanged since: %s", read.Format(time.DateTime), strings.Join(names, ", "))
}

func (r *Reading) certificate() check.Finding {
	const name = "certificate"
	if !r.has("tls_certificate_expiry_timestamp_seconds") || r.value("tls_certificate_expiry_timestamp_seconds") == 0 {
		return ok(name, "none; a web server in front handles TLS")
	}
	end := r.at("tls_certificate_expiry_timestamp_seconds")
	f := ok(name, "valid until %s", end.Format(time.DateTime))
	switch left := end.Sub(r.After.At); {
	case left <= 0:
		f = ok(name, "invalid since %s", end.Format(time.DateTime))
		return fail("Renew --tls-cert, then reload (SIGHUP).", f)
	case left < certificateTime:
		return warn("Renew --tls-cert, then reload (SIGHUP).", f)
	}
	return f
}

func (r *Reading) database() check.Finding {
	const name = "database"
	use, lag := r.After.By("db_server_in_use", "server"), r.After.By("db_server_lag_seconds", "server")
	var parts, out []string
	for _, server := range slices.Sorted(maps.Keys(use)) {
		text := server
		if strings.HasPrefix(server, "replica") {
			text += fmt.Sprintf(" %.1f s behind", lag[server])
		}
		if use[server] == 0 {
			out = append(out, server)
			text += ", not in use"
		}
		parts = append(parts, text)
	}
	waited := (r.value("db_wait_seconds_total") - r.Before.Sum("db_wait_seconds_total", nil)) / max(r.seconds(), 1e-3)
	f := ok(name, "%s; %d of %d connections in use, %.2f s of waiting a second", strings.Join(parts, "; "), int(r.value("go_sql_in_use_connections")),
		int(r.value("go_sql_max_open_connections")), waited)
	switch {
	case len(out) > 0:
		return warn("See CalbridgeReplicaOut in docker/runbook.md.", f)
	case waited > 1:
		return warn("See CalbridgePoolExhausted in docker/runbook.md.", f)
	}
	return f
}

func (r *Reading) seconds() float64 { return r.After.At.Sub(r.Before.At).Seconds() }

func (r *Reading) feed() check.Finding {
	const name, histogram = "feed", "binlog_apply_delay_seconds"
	if r.value("cache_enabled") != 1 {
		return ok(name, "none: caches are off")
	}
	if r.value("cache_followed") != 1 {
		return warn("See CalbridgeCacheNotFollowed in docker/runbook.md.", ok(name, "changes are not followed, and the database answers"))
	}
	delays, of := r.After.Histogram(histogram, "", "").Since(r.Before.Histogram(histogram, "", "")), "now"
	if delays.Count() == 0 {
		delays, of = r.After.Histogram(histogram, "", ""), "since the start"
	}
	p99 := delays.Quantile(.99)
	f := ok(name, "followed; 99 %% of changes within %.0f ms %s; %d connections lost", 1000*p99, of, int(r.value("binlog_connection_failures_total")))
	if p99 > maxDelay {
		return warn("See CalbridgeCacheBehind in docker/runbook.md.", f)
	}
	return f
}

func (r *Reading) cache() check.Finding {
	const name = "cache"
	results := r.After.By("cache_requests_total", "result")
	cached := results["hit"] + results["miss"]
	bytes := r.value("cache_answer_bytes") + r.value("cache_row_bytes") + r.value("cache_rendered_bytes")
	loaded := r.value("listing_loaded_ratio")
	f := ok(name, "%.0f %% of %d cacheable requests from memory; %.0f MiB; index %.0f %% of %d dates", 100*results["hit"]/max(cached, 1), int(cached), bytes/(1<<20), 100*loaded, int(r.value("listing_dates")))
	if r.value("cache_enabled") == 1 && loaded < 1 && r.uptime() > 10*time.Minute {
		return warn("The index of events is incomplete ten minutes after the start: look at the log.", f)
	}
	return f
}

func (r *Reading) proofs() check.Finding {
	const name = "proofs"
	if r.mode() != "auto" {
		return ok(name, "none: mode %s", r.mode())
	}
	native, all := r.After.By("proof_answers_total", "by")["calbridge"], r.value("proof_answers_total")
	reasons, age := r.After.By("proof_answers_total", "reason"), r.value("proof_last_comparison_age_seconds")
	f := ok(name, "%.0f %% of %d requests answered natively, the others by WordPress; last comparison %s ago", 100*native/max(all, 1), int(all), time.Duration(age)*time.Second)
	if age > comparisonAge && reasons["none"]+reasons["proving"]+reasons["unseen"] > fewRequests {
		return warn("See CalbridgeComparesNothing in docker/runbook.md.", f)
	}
	return f
}

func (r *Reading) differences() check.Finding {
	const name = "differences"
	outcomes := r.After.By("comparisons_total", "outcome")
	all := 0.0
	for _, n := range outcomes {
		all += n
	}
	if all == 0 {
		return ok(name, "nothing was compared")
	}
	f := ok(name, "%d of %d compared responses differed", int(outcomes["different"]), int(all))
	// In mode auto, WordPress answers what has differed.
	if outcomes["different"] > 0 && r.mode() != "auto" {
		return warn("See the fields in the console, and CalbridgeAnswersDiffer in docker/runbook.md.", f)
	}
	return f
}

// failures returns how many requests there were, and how many of them failed with a 5xx. 501 is a
// missing setting.
func failures(f *figures.Figures) (requests, failed float64) {
	return f.Sum("http_requests_total", nil), f.Sum("http_requests_total", func(m *dto.Metric) bool {
		code := figures.Label(m, "code")
		return strings.HasPrefix(code, "5") && code != "501"
	})
}

func (r *Reading) errors() check.Finding {
	const name = "errors"
	requests, failed := failures(r.After)
	earlier, before := failures(r.Before)
	recent, recently := requests-earlier, failed-before
	causes := r.causes()
	f := ok(name, "%d of %d requests failed, %d of the last %d; %s", int(failed), int(requests), int(recently), int(recent), cmp.Or(strings.Join(causes, ", "), "no causes"))
	panics := r.value("http_panics_total") + r.value("panics_total")
	unavailable := of(r.After, "unavailable") > of(r.Before, "unavailable")
	switch {
	case unavailable:
		return fail("See CalbridgeDatabaseUnavailable in docker/runbook.md.", f)
	case recently > fastBurn*max(recent, fewRequests):
		return fail("See CalbridgeErrorBudgetFast in docker/runbook.md.", f)
	case panics > 0:
		return warn("See CalbridgePanics in docker/runbook.md.", f)
	case failed > slowBurn*max(requests, fewRequests):
		return warn("See CalbridgeErrorBudgetSlow in docker/runbook.md.", f)
	}
	return f
}

// of returns the number of failed queries of a kind.
func of(f *figures.Figures, kind string) float64 { return f.By("db_query_errors_total", "kind")[kind] }

// causes lists the causes of errors with their numbers since the start.
func (r *Reading) causes() (all []string) {
	for _, c := range []struct{ metric, label, text string }{
		{"db_query_errors_total", "kind", "queries: "},
		{"http_rejected_total", "reason", "turned away: "},
		{"upstream_requests_total", "result", "WordPress: "},
	} {
		counts := r.After.By(c.metric, c.label)
		for _, cause := range slices.Sorted(maps.Keys(counts)) {
			if counts[cause] > 0 && cause != rollout.ResultAnswered && cause != rollout.ResultGone {
				all = append(all, fmt.Sprintf("%s%s %d", c.text, cause, int(counts[cause])))
			}
		}
	}
	if panics := r.value("http_panics_total") + r.value("panics_total"); panics > 0 {
		all = append(all, fmt.Sprintf("panics %d", int(panics)))
	}
	return all
}

func (r *Reading) memory() check.Finding {
	const name, advice = "memory", "See CalbridgeMemory in docker/runbook.md."
	resident, limit := r.value("process_resident_memory_bytes"), r.value("memory_limit_bytes")
	if limit == 0 {
		f := ok(name, "%.0f MiB, without a limit", resident/(1<<20))
		if resident > memoryWithoutLimit {
			return warn(advice, f)
		}
		return f
	}
	f := ok(name, "%.0f of %.0f MiB", resident/(1<<20), limit/(1<<20))
	if resident > full*limit {
		return warn(advice, f)
	}
	return f
}

func (r *Reading) files() check.Finding {
	open, limit := r.value("process_open_fds"), r.value("process_max_fds")
	f := ok("descriptors", "%d of %d open; %d requests in flight, %d streams", int(open), int(limit), int(r.value("http_requests_in_flight")), int(r.value("streams")))
	if open > full*limit {
		return warn("See CalbridgeFileDescriptors in docker/runbook.md.", f)
	}
	return f
}
