package console

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

// figures holds the values of all metrics at one time.
type figures struct {
	at       time.Time
	families map[string]*dto.MetricFamily
}

func gather(from prometheus.Gatherer, at time.Time) (*figures, error) {
	families, err := from.Gather()
	if err != nil {
		return nil, err
	}
	f := &figures{at: at, families: make(map[string]*dto.MetricFamily, len(families))}
	for _, family := range families {
		f.families[strings.TrimPrefix(family.GetName(), "calbridge_")] = family
	}
	return f, nil
}

// label returns the value of a metric's label, or "" if it has no such label.
func label(m *dto.Metric, name string) string {
	for _, pair := range m.GetLabel() {
		if pair.GetName() == name {
			return pair.GetValue()
		}
	}
	return ""
}

// value returns the value of a counter or gauge.
func value(m *dto.Metric) float64 {
	switch {
	case m.Counter != nil:
		return m.Counter.GetValue()
	case m.Gauge != nil:
		return m.Gauge.GetValue()
	}
	return 0
}

// sum adds up the metrics of a family for which want returns true. A nil want selects all.
func (f *figures) sum(name string, want func(*dto.Metric) bool) (sum float64) {
	for _, m := range f.families[name].GetMetric() {
		if want == nil || want(m) {
			sum += value(m)
		}
	}
	return sum
}

// by adds up the metrics of a family for each value of a label.
func (f *figures) by(name, of string) map[string]float64 {
	sums := map[string]float64{}
	for _, m := range f.families[name].GetMetric() {
		sums[label(m, of)] += value(m)
	}
	return sums
}

// histogram adds up the histograms of a family whose label of has the value want. If of is
// empty, it adds up all.
func (f *figures) histogram(name, of, want string) histogram {
	var h histogram
	for _, m := range f.families[name].GetMetric() {
		if of == "" || label(m, of) == want {
			h.add(m.GetHistogram())
		}
	}
	return h
}

// histogram holds cumulative counts by upper bound.
type histogram struct {
	count float64
	upTo  map[float64]float64
}

func (h *histogram) add(m *dto.Histogram) {
	h.count += float64(m.GetSampleCount())
	if h.upTo == nil {
		h.upTo = map[float64]float64{}
	}
	for _, b := range m.GetBucket() {
		h.upTo[b.GetUpperBound()] += float64(b.GetCumulativeCount())
	}
}

// since returns the counts that were added after an earlier reading of the histogram.
func (h histogram) since(earlier histogram) histogram {
	d := histogram{count: h.count - earlier.count, upTo: map[float64]float64{}}
	for bound, n := range h.upTo {
		d.upTo[bound] = n - earlier.upTo[bound]
	}
	return d
}

// quantile estimates a quantile as PromQL's histogram_quantile does: it assumes that values
// are evenly distributed within a bucket. It returns 0 if there are no values.
func (h histogram) quantile(q float64) float64 {
	if h.count <= 0 {
		return 0
	}
	rank, low, below := q*h.count, 0.0, 0.0
	for _, bound := range slices.SortedFunc(maps.Keys(h.upTo), cmp.Compare) {
		if n := h.upTo[bound]; n >= rank && n > below {
			return low + (bound-low)*(rank-below)/(n-below)
		}
		low, below = bound, h.upTo[bound]
	}
	return low // the quantile is beyond the last bound
}
