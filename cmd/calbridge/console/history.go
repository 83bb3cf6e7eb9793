package console

import "time"

// pointEvery is the distance between the points of a plot, and points is their number.
// Together they cover an hour.
const (
	pointEvery = 10 * time.Second
	points     = 360
)

// Plot is one figure over time.
type Plot struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Unit  string `json:"unit"`
	of    func(*Now) float64
}

func plots() []Plot {
	source := func(name string) func(*Now) float64 {
		return func(n *Now) float64 {
			for _, s := range n.Sources {
				if s.Name == name {
					return s.PerSecond
				}
			}
			return 0
		}
	}
	return []Plot{
		{"requests", "Requests", "a second", func(n *Now) float64 { return n.Requests.PerSecond }},
		{"hits", "Answers from memory", "a second", source("hit")},
		{"p50", "Median time of a request", "ms", func(n *Now) float64 { return n.Requests.P50 }},
		{"p99", "99th percentile of request time", "ms", func(n *Now) float64 { return n.Requests.P99 }},
		{"failed", "Failed requests (5xx)", "a second", func(n *Now) float64 { return n.Requests.Failed }},
		{"statements", "Database statements", "a second", func(n *Now) (sum float64) {
			for _, s := range n.Database {
				sum += s.Statements
			}
			return sum
		}},
		{"delay", "Delay of the change feed (p99)", "ms", func(n *Now) float64 { return n.Cache.DelayP99 }},
		{"upstream", "Requests to WordPress", "a second", func(n *Now) (sum float64) {
			for _, s := range n.Upstream {
				sum += s.PerSecond
			}
			return sum
		}},
		{"memory", "Memory of the process", "MiB", func(n *Now) float64 { return n.Process.Memory / (1 << 20) }},
		{"cpu", "Processor", "cores", func(n *Now) float64 { return n.Process.CPU }},
	}
}

// Point holds the values of all plots, in their order, at one time.
type Point struct {
	At     int64     `json:"at"` // in seconds since 1970
	Values []float64 `json:"values"`
}

func point(n *Now) Point {
	p := Point{At: n.At.Unix()}
	for _, plot := range plots() {
		p.Values = append(p.Values, plot.of(n))
	}
	return p
}

// history holds the latest points, oldest first. It is not safe for concurrent use.
type history struct{ list []Point }

func (h *history) add(p Point) {
	if len(h.list) == points {
		h.list = append(h.list[:0], h.list[1:]...)
	}
	h.list = append(h.list, p)
}
