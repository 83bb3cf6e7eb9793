package console

import (
	"context"
	"embed"
	"encoding/json"
	"io/fs"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"calbridge/cmd/calbridge/diffmode"
	"calbridge/cmd/calbridge/figures"
	"calbridge/cmd/calbridge/httpserver"
	"calbridge/rest/api"
	"calbridge/rest/proof"
)

// Path is the console's path on the ops listener.
const Path = "/console/"

// sampleEvery is the interval at which figures are read while a page is open. window is the
// time over which rates are averaged.
const (
	sampleEvery = 2 * time.Second
	window      = 10 * time.Second
)

// Config configures a Console.
type Config struct {
	Gatherer prometheus.Gatherer
	// About describes the instance. It is called for each page.
	About func() About
	// Differences returns the fields in which responses of WordPress and calbridge differed.
	Differences func() []diffmode.Field
	// Proof returns what mode auto has proved; ok is false in other modes.
	Proof func() (report proof.Report, ok bool)
	// Sites returns what the sites have done that were asked for since the start; nil for one site.
	Sites  func() []figures.Site
	Now    func() time.Time
	Logger *slog.Logger
}

// About holds what changes only with a reload.
type About struct {
	Build     string    `json:"build"`
	Site      string    `json:"site"`
	Namespace string    `json:"namespace"`
	Database  string    `json:"database"`
	Findings  any       `json:"findings"` // in the format of check --json
	Facts     any       `json:"facts"`
	Settings  []Setting `json:"settings"`
}

// Setting is the current value of a setting.
type Setting struct {
	Group   string `json:"group"`
	Name    string `json:"name"`
	Value   string `json:"value"` // masked if it is a secret
	Source  string `json:"source"`
	Default bool   `json:"default"` // the value is the default
}

// Console samples the metrics and serves the page.
type Console struct {
	Config
	slowest slowest
	streams streams

	mu      sync.Mutex
	recent  []*figures.Figures // the figures of the window, oldest first
	sites   []siteReading      // those of the sites, if there are several
	latest  *Now
	history history
	pointAt time.Time
}

// New returns a Console. Its figures are read while Run runs.
func New(c Config) *Console { return &Console{Config: c} }

// Request records a finished request. It is cheap, and safe for concurrent use.
func (c *Console) Request(o *api.Observation) {
	c.slowest.note(c.Now(), o.Took, func() Slow {
		return Slow{Method: o.Method, Route: o.Route, Status: o.Status, Cache: string(o.Cache), Queries: o.Queries, Bytes: o.Bytes}
	})
}

// Run reads figures periodically until ctx ends. Then it ends all streams.
func (c *Console) Run(ctx context.Context) {
	defer c.streams.close()
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		c.sample()
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// sample reads the figures if a page is open or the next point of the history is due.
func (c *Console) sample() {
	at := c.Now()
	c.mu.Lock()
	due := at.Sub(c.pointAt) >= pointEvery
	c.mu.Unlock()
	if !due && !c.streams.any() {
		return
	}
	f, err := figures.Gather(c.Gatherer, at)
	if err != nil {
		c.Logger.Warn("the console can't read the metrics", "err", err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.readSites(at)
	for len(c.recent) > 1 && at.Sub(c.recent[1].At) >= window {
		c.recent = c.recent[1:]
	}
	if len(c.recent) > 0 {
		c.latest = between(c.recent[0], f)
		c.latest.Fields = c.Differences()
		if report, ok := c.Proof(); ok {
			c.latest.Proof = proofNow(&report, c.recent[0], f)
		}
		c.streams.send("now", c.latest)
	}
	c.recent = append(c.recent, f)
	if due && c.latest != nil {
		p := point(c.latest)
		day := c.history.add(p)
		c.streams.send("point", p)
		if day != nil {
			c.streams.send("day", day)
		}
	}
	if due {
		c.pointAt = at
	}
}

// status returns the document that a page loads first.
func (c *Console) status() any {
	about, slow := c.About(), c.slowest.list(c.Now())
	c.mu.Lock()
	defer c.mu.Unlock()
	return struct {
		About   About   `json:"about"`
		Several bool    `json:"several"` // sites.json has the table of sites
		Plots   []Plot  `json:"plots"`
		Hour    []Point `json:"hour"`
		Day     []Point `json:"day"`
		Now     *Now    `json:"now"`
		Slowest []Slow  `json:"slowest"`
	}{about, c.sites != nil, plots(), append([]Point{}, c.history.hour...), append([]Point{}, c.history.day...), c.latest, slow}
}

//go:embed page
var page embed.FS

// Handler returns the handler for the paths below Path.
func (c *Console) Handler() http.Handler {
	files, err := fs.Sub(page, "page")
	if err != nil {
		panic(err) // cannot fail, since the folder is embedded
	}
	mux := http.NewServeMux()
	mux.Handle("GET "+Path, http.StripPrefix(Path, http.FileServerFS(files)))
	mux.HandleFunc("GET "+Path+"status.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(c.status()) // an error means that the client closed the connection
	})
	mux.HandleFunc("GET "+Path+"sites.json", c.serveSites)
	mux.HandleFunc("GET "+Path+"stream", c.streams.serve)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		httpserver.SecurePage(w.Header())
		mux.ServeHTTP(w, r)
	})
}
