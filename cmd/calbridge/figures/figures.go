// Package figures reads the values of calbridge's metrics, of this process or of a running one.
package figures

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Figures holds the values of all metrics at one time.
type Figures struct {
	At time.Time
	// Families has them by name, those of calbridge without the prefix calbridge_.
	Families map[string]*dto.MetricFamily
}

// Gather reads the metrics of this process.
func Gather(from prometheus.Gatherer, at time.Time) (*Figures, error) {
	families, err := from.Gather()
	if err != nil {
		return nil, err
	}
	f := &Figures{At: at, Families: make(map[string]*dto.MetricFamily, len(families))}
	for _, family := range families {
		f.Families[short(family.GetName())] = family
	}
	return f, nil
}

// Parse reads the metrics of a running server in the text format of Prometheus.
func Parse(text io.Reader, at time.Time) (*Figures, error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(text)
	if err != nil {
		return nil, err
	}
	f := &Figures{At: at, Families: make(map[string]*dto.MetricFamily, len(families))}
	for name, family := range families {
		f.Families[short(name)] = family
	}
	return f, nil
}

func short(name string) string { return strings.TrimPrefix(name, "calbridge_") }

// Label returns the value of a metric's label, or "" if it has no such label.
func Label(m *dto.Metric, name string) string {
	for _, pair := range m.GetLabel() {
		if pair.GetName() == name {
			return pair.GetValue()
		}
	}
	return ""
}

// Value returns the value of a counter or gauge.
func Value(m *dto.Metric) float64 {
	switch {
	case m.Counter != nil:
		return m.Counter.GetValue()
	case m.Gauge != nil:
		return m.Gauge.GetValue()
	}
	return 0
}

// Sum adds up the metrics of a family for which want returns true. A nil want selects all.
func (f *Figures) Sum(name string, want func(*dto.Metric) bool) (sum float64) {
	for _, m := range f.Families[name].GetMetric() {
		if want == nil || want(m) {
			sum += Value(m)
		}
	}
	return sum
}

// By adds up the metrics of a family for each value of a label.
func (f *Figures) By(name, of string) map[string]float64 {
	sums := map[string]float64{}
	for _, m := range f.Families[name].GetMetric() {
		sums[Label(m, of)] += Value(m)
	}
	return sums
}

// Histogram adds up the histograms of a family whose label of has the value want. If of is
// empty, it adds up all.
func (f *Figures) Histogram(name, of, want string) Histogram {
	var h Histogram
	for _, m := range f.Families[name].GetMetric() {
		if of == "" || Label(m, of) == want {
			h.add(m.GetHistogram())
		}
	}
	return h
}

// Histogram holds cumulative counts by upper bound.
type Histogram struct {
	count float64
	upTo  map[float64]float64
}

func (h *Histogram) add(m *dto.Histogram) {
	h.count += float64(m.GetSampleCount())
	if h.upTo == nil {
		h.upTo = map[float64]float64{}
	}
	for _, b := range m.GetBucket() {
		h.upTo[b.GetUpperBound()] += float64(b.GetCumulativeCount())
	}
}

// Since returns the counts that were added after an earlier reading of the histogram.
func (h Histogram) Since(earlier Histogram) Histogram {
	d := Histogram{count: h.count - earlier.count, upTo: map[float64]float64{}}
	for bound, n := range h.upTo {
		d.upTo[bound] = n - earlier.upTo[bound]
	}
	return d
}

// Quantile estimates a quantile as PromQL's histogram_quantile does: it assumes that values
// are evenly distributed within a bucket. It returns 0 if there are no values.
func (h Histogram) Quantile(q float64) float64 {
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

// Count returns the number of values.
func (h Histogram) Count() float64 { return h.count }
