package console

import "time"

// pointEvery is the distance between the points of a plot, and points is their number: together
// they cover an hour. A point of the day stands for perDayPoint of them, so that as many points cover
// a day.
const (
	pointEvery  = 10 * time.Second
	points      = 360
	perDayPoint = 24
)

// Plot is one figure over time.
type Plot struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Unit  string `json:"unit"`
	// peak reports that a point of the day is the highest of its values instead of their mean.
	peak bool
	of   func(*Now) float64
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
		{"requests", "Requests", "a second", false, func(n *Now) float64 { return n.Requests.PerSecond }},
		{"hits", "Responses from memory", "a second", false, source("hit")},
		{"p50", "Response time, p50", "ms", false, func(n *Now) float64 { return n.Requests.P50 }},
		{"p99", "Response time, p99", "ms", true, func(n *Now) float64 { return n.Requests.P99 }},
		{"failed", "Failed requests (5xx)", "a second", true, func(n *Now) float64 { return n.Requests.Failed }},
		{"statements", "Database statements", "a second", false, func(n *Now) (sum float64) {
			for _, s := range n.Database {
				sum += s.Statements
			}
			return sum
		}},
		{"delay", "Delay of the change feed, p99", "ms", true, func(n *Now) float64 { return n.Cache.DelayP99 }},
		{"upstream", "Requests to WordPress", "a second", false, func(n *Now) (sum float64) {
			for _, s := range n.Upstream {
				sum += s.PerSecond
			}
			return sum
		}},
		{"memory", "Memory of the process", "MiB", true, func(n *Now) float64 { return n.Process.Memory / (1 << 20) }},
		{"cpu", "Processor", "cores", false, func(n *Now) float64 { return n.Process.CPU }},
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

// history holds the latest points, oldest first: those of an hour, and those of a day. It is not safe
// for concurrent use.
type history struct {
	hour, day []Point
	// since are the points of the hour that the next one of the day stands for.
	since []Point
}

// add adds a point of the hour. It returns the point of the day that this completes, nil if none.
func (h *history) add(p Point) *Point {
	h.hour = appended(h.hour, p)
	if h.since = append(h.since, p); len(h.since) < perDayPoint {
		return nil
	}
	summary := summaryOf(h.since)
	h.day, h.since = appended(h.day, summary), nil
	return &summary
}

// appended adds a point to a list of at most points.
func appended(list []Point, p Point) []Point {
	if len(list) == points {
		list = append(list[:0], list[1:]...)
	}
	return append(list, p)
}

// summaryOf returns the point that stands for some, at the time of the last one.
func summaryOf(list []Point) Point {
	out := Point{At: list[len(list)-1].At}
	for i, plot := range plots() {
		sum, most := 0.0, list[0].Values[i]
		for _, p := range list {
			sum, most = sum+p.Values[i], max(most, p.Values[i])
		}
		if plot.peak {
			out.Values = append(out.Values, most)
		} else {
			out.Values = append(out.Values, sum/float64(len(list)))
		}
	}
	return out
}
