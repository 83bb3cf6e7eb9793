package console

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	dto "github.com/prometheus/client_model/go"

	"calbridge/cmd/calbridge/diffmode"
	"calbridge/cmd/calbridge/figures"
)

// Now describes what an instance did in the period before At. Rates are per second; times are
// in milliseconds.
type Now struct {
	At       time.Time `json:"at"`
	Requests Requests  `json:"requests"`
	Routes   []Route   `json:"routes"`
	Sources  []Rate    `json:"sources"`
	Cache    Cache     `json:"cache"`
	Database []Server  `json:"database"`
	Upstream []Rate    `json:"upstream"`
	Mode     string    `json:"mode"`
	Compared []Count   `json:"compared"`
	// Fields lists the fields in which responses have differed since the last reload.
	Fields  []diffmode.Field `json:"fields"`
	Proof   *Proof           `json:"proof,omitempty"` // nil in other modes than auto
	Process Process          `json:"process"`
}

// Requests describes all requests together.
type Requests struct {
	PerSecond float64 `json:"per_second"`
	InFlight  float64 `json:"in_flight"`
	P50       float64 `json:"p50_ms"`
	P99       float64 `json:"p99_ms"`
	Failed    float64 `json:"failed_per_second"` // responses with status 5xx
	Rejected  float64 `json:"rejected_per_second"`
}

// Route describes the requests of one route.
type Route struct {
	Route     string  `json:"route"`
	PerSecond float64 `json:"per_second"`
	P50       float64 `json:"p50_ms"`
	P99       float64 `json:"p99_ms"`
	Failed    float64 `json:"failed_per_second"`
	Total     float64 `json:"total"`
}

// Rate is a named rate.
type Rate struct {
	Name      string  `json:"name"`
	PerSecond float64 `json:"per_second"`
	Total     float64 `json:"total"`
}

// Count is the number of comparisons of a route with one outcome or one kind of difference.
type Count struct {
	Route   string  `json:"route"`
	Outcome string  `json:"outcome,omitempty"`
	Kind    string  `json:"kind,omitempty"`
	Total   float64 `json:"total"`
}

// Cache describes the caches and the change feed.
type Cache struct {
	Enabled      bool    `json:"enabled"`
	Followed     bool    `json:"followed"`
	Answers      float64 `json:"answers"`
	Bytes        float64 `json:"bytes"`        // memory used by all caches
	SearchBytes  float64 `json:"search_bytes"` // memory of the search index; 0 while there is none
	Events       float64 `json:"events"`
	Loaded       float64 `json:"loaded"` // loaded share of the index
	Evicted      float64 `json:"evicted"`
	Transactions float64 `json:"transactions_per_second"`
	DelayP99     float64 `json:"delay_p99_ms"`
	Lost         float64 `json:"lost"` // number of lost connections to the binary log
}

// Server describes a database server.
type Server struct {
	Name       string  `json:"name"`
	Statements float64 `json:"per_second"`
	Waited     float64 `json:"waited_ms_per_second"`
	Lag        float64 `json:"lag_s"` // -1 if it is unknown
	InUse      bool    `json:"in_use"`
	Open       float64 `json:"open"`
	Busy       float64 `json:"busy"`
}

// Process describes the process itself.
type Process struct {
	CPU        float64 `json:"cpu"` // number of cores in use
	Memory     float64 `json:"memory"`
	Goroutines float64 `json:"goroutines"`
	Started    float64 `json:"started"` // seconds since 1970
	Files      float64 `json:"files"`
}

// between returns what happened between the figures a and the later figures b.
func between(a, b *figures.Figures) *Now {
	seconds := max(b.At.Sub(a.At).Seconds(), 1e-3)
	rate := func(name string, want func(*dto.Metric) bool) float64 {
		return max(b.Sum(name, want)-a.Sum(name, want), 0) / seconds
	}
	rates := func(name, by string) []Rate {
		var list []Rate
		before := a.By(name, by)
		for of, total := range b.By(name, by) {
			list = append(list, Rate{Name: of, PerSecond: max(total-before[of], 0) / seconds, Total: total})
		}
		slices.SortFunc(list, func(x, y Rate) int { return cmp.Compare(x.Name, y.Name) })
		return list
	}
	failed := func(m *dto.Metric) bool { return strings.HasPrefix(figures.Label(m, "code"), "5") }
	all := b.Histogram("http_request_duration_seconds", "", "").Since(a.Histogram("http_request_duration_seconds", "", ""))
	n := &Now{
		At: b.At,
		Requests: Requests{
			PerSecond: rate("http_requests_total", nil), InFlight: b.Sum("http_requests_in_flight", nil), Failed: rate("http_requests_total", failed),
			Rejected: rate("http_rejected_total", nil), P50: 1000 * all.Quantile(.5), P99: 1000 * all.Quantile(.99),
		},
		Sources: rates("cache_requests_total", "result"), Upstream: rates("upstream_requests_total", "result"),
		Cache: Cache{
			Enabled: b.Sum("cache_enabled", nil) == 1, Followed: b.Sum("cache_followed", nil) == 1, Answers: b.Sum("cache_answers", nil),
			Bytes:       b.Sum("cache_answer_bytes", nil) + b.Sum("cache_row_bytes", nil) + b.Sum("cache_rendered_bytes", nil),
			SearchBytes: b.Sum("search_index_bytes", nil),
			Events:      b.Sum("listing_dates", nil), Loaded: b.Sum("listing_loaded_ratio", nil), Evicted: b.Sum("cache_evictions_total", nil), Transactions: rate("binlog_transactions_total", nil),
			DelayP99: 1000 * b.Histogram("binlog_apply_delay_seconds", "", "").Since(a.Histogram("binlog_apply_delay_seconds", "", "")).Quantile(.99),
			Lost:     b.Sum("binlog_connection_failures_total", nil),
		},
		Process: Process{
			CPU: rate("process_cpu_seconds_total", nil), Memory: b.Sum("process_resident_memory_bytes", nil), Goroutines: b.Sum("go_goroutines", nil),
			Started: b.Sum("process_start_time_seconds", nil), Files: b.Sum("process_open_fds", nil),
		},
	}
	for _, r := range rates("http_requests_total", "route") {
		if r.Total == 0 {
			continue
		}
		took := b.Histogram("http_request_duration_seconds", "route", r.Name).Since(a.Histogram("http_request_duration_seconds", "route", r.Name))
		n.Routes = append(n.Routes, Route{Route: r.Name, PerSecond: r.PerSecond, Total: r.Total, P50: 1000 * took.Quantile(.5), P99: 1000 * took.Quantile(.99),
			Failed: rate("http_requests_total", func(m *dto.Metric) bool { return figures.Label(m, "route") == r.Name && failed(m) })})
	}
	n.Database = servers(b, rates("db_statements_total", "server"), seconds, a.By("db_wait_seconds_total", "server"))
	for _, m := range b.Families["rollout_mode"].GetMetric() {
		if figures.Value(m) == 1 {
			n.Mode = figures.Label(m, "mode")
		}
	}
	for name, of := range map[string]string{"comparisons_total": "outcome", "comparison_differences_total": "kind"} {
		for _, m := range b.Families[name].GetMetric() {
			if total := figures.Value(m); total > 0 {
				c := Count{Route: figures.Label(m, "route"), Total: total}
				if of == "kind" {
					c.Kind = figures.Label(m, of)
				} else {
					c.Outcome = figures.Label(m, of)
				}
				n.Compared = append(n.Compared, c)
			}
		}
	}
	slices.SortFunc(n.Compared, func(x, y Count) int {
		return cmp.Or(cmp.Compare(x.Route, y.Route), cmp.Compare(x.Outcome, y.Outcome), cmp.Compare(x.Kind, y.Kind))
	})
	return n
}

func servers(b *figures.Figures, statements []Rate, seconds float64, waited map[string]float64) (list []Server) {
	lag, inUse, wait := b.By("db_server_lag_seconds", "server"), b.By("db_server_in_use", "server"), b.By("db_wait_seconds_total", "server")
	open, busy := b.By("go_sql_open_connections", "db_name"), b.By("go_sql_in_use_connections", "db_name")
	for _, s := range statements {
		one := Server{Name: s.Name, Statements: s.PerSecond, Waited: 1000 * max(wait[s.Name]-waited[s.Name], 0) / seconds, Lag: lag[s.Name],
			InUse: inUse[s.Name] == 1, Open: open[s.Name], Busy: busy[s.Name]}
		if math.IsInf(one.Lag, 0) {
			one.Lag = -1 // JSON has no infinity
		}
		list = append(list, one)
	}
	return list
}
