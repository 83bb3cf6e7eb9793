package console

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"calbridge/cmd/calbridge/figures"
)

// mostSites limits how many sites a page shows.
const mostSites = 100

// Site describes what one of several sites does. Rates are per second.
type Site struct {
	Name      string        `json:"name"`
	Address   string        `json:"address"`
	Mode      string        `json:"mode"`
	State     figures.State `json:"state"`
	Why       string        `json:"why"`
	PerSecond float64       `json:"per_second"`
	P99       float64       `json:"p99_ms"`
	Failed    float64       `json:"failed_per_second"`
	// Hits is the share of requests that the response cache has answered, -1 without any.
	Hits  float64 `json:"hits"`
	Total uint64  `json:"total"`
	Bytes uint64  `json:"bytes"`
}

// Sites is the table of sites.
type Sites struct {
	Shown   []Site `json:"shown"`   // those with the most requests
	Matched int    `json:"matched"` // with the text of the filter
	Asked   int    `json:"asked"`   // since the start
}

// siteReading holds what the sites had done at one time, by name.
type siteReading struct {
	at time.Time
	of map[string]figures.Site
}

// readSites reads what the sites have done. The caller holds the lock.
func (c *Console) readSites(at time.Time) {
	read := c.Sites()
	if read == nil {
		return
	}
	reading := siteReading{at, make(map[string]figures.Site, len(read))}
	for _, s := range read {
		reading.of[s.Name] = s
	}
	for len(c.sites) > 1 && at.Sub(c.sites[1].at) >= window {
		c.sites = c.sites[1:]
	}
	c.sites = append(c.sites, reading)
}

// table returns the sites whose name, address, mode, state or reason has a text, those with the most requests
// first.
func (c *Console) table(filter string) Sites {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := Sites{Shown: []Site{}}
	if len(c.sites) == 0 {
		return t
	}
	a, b := c.sites[0], c.sites[len(c.sites)-1]
	t.Asked = len(b.of)
	filter = strings.ToLower(filter)
	for name, s := range b.of {
		if text := strings.ToLower(strings.Join([]string{s.Name, s.Address, s.Mode, string(s.State), s.Why}, " ")); strings.Contains(text, filter) {
			t.Shown = append(t.Shown, siteBetween(a.of[name], s, b.at.Sub(a.at)))
		}
	}
	t.Matched = len(t.Shown)
	slices.SortFunc(t.Shown, func(a, b Site) int {
		return cmp.Or(cmp.Compare(b.PerSecond, a.PerSecond), cmp.Compare(b.Total, a.Total), cmp.Compare(a.Address, b.Address), cmp.Compare(a.Name, b.Name))
	})
	t.Shown = t.Shown[:min(len(t.Shown), mostSites)]
	return t
}

// siteBetween returns what a site did between a and the later b.
func siteBetween(a, b figures.Site, period time.Duration) Site {
	seconds := max(period.Seconds(), 1e-3)
	s := Site{Name: b.Name, Address: b.Address, Mode: b.Mode, State: b.State, Why: b.Why, Hits: -1, Total: b.Requests, Bytes: b.Bytes}
	if b.Requests < a.Requests { // the site is another one of the same name
		a = figures.Site{}
	}
	s.PerSecond, s.Failed = float64(b.Requests-a.Requests)/seconds, float64(b.Failed-a.Failed)/seconds
	s.P99 = 1000 * b.Took.Since(a.Took).Quantile(.99)
	if answers := b.Answers - a.Answers; answers > 0 {
		s.Hits = float64(b.Hits-a.Hits) / float64(answers)
	}
	return s
}

// serveSites answers with the table of sites.
func (c *Console) serveSites(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(c.table(r.URL.Query().Get("filter"))) // an error means that the client closed the connection
}
