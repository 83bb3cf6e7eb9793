package main

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"text/tabwriter"
	"time"
)

// searchedWord is a measured search. Times are medians of the rounds in milliseconds, with their ranges.
type searchedWord struct {
	Events int     `json:"events"`
	Share  float64 `json:"share"` // of the events that have the word
	Found  int     `json:"found"`
	// Index and Database are the times with and without the index.
	Index      float64   `json:"index_ms"`
	IndexRange []float64 `json:"index_range_ms"`
	Database   float64   `json:"database_ms"`
	Range      []float64 `json:"database_range_ms"`
	Failed     int       `json:"failed"`
	Posts      int       `json:"index_posts"`
	MiB        float64   `json:"index_mib"`
	LoadedIn   float64   `json:"index_s"` // after the start of calbridge
	Load       string    `json:"load_average"`
}

// searching holds what all measurements of searches have in common.
type searching struct {
	program  string
	more     []string // arguments of calbridge
	rounds   int
	requests int
	long     time.Duration
	log      io.Writer
	serial   int // of the requests, none of which is repeated
}

// searchedShares returns the shares of the events that have the words searched for; 0 is none.
func searchedShares() []float64 { return []float64{0, .00001, .0001, .001, .01, .1} }

// searchCommand measures searches by the frequency of their word and the size of the calendar.
func searchCommand(ctx context.Context, args []string, out, log io.Writer) error {
	flags := newFlags("search", log)
	s := searching{log: log}
	flags.StringVar(&s.program, "calbridge", "", "the server's program (default: built from source)")
	events := flags.String("events", "10000,100000,1000000", "sizes of calendars, separated by commas")
	flags.IntVar(&s.rounds, "rounds", 5, "how often to measure all in turn")
	flags.IntVar(&s.requests, "requests", 20, "most searches for each word in a round")
	flags.DurationVar(&s.long, "for", 2*time.Second, "time after which a round sends no more searches for a word")
	asJSON := flags.Bool("json", false, "one JSON object a line instead of a table")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if s.rounds < 1 || s.requests < 1 {
		return fmt.Errorf("search: --rounds and --requests are at least 1")
	}
	s.more = flags.Args()
	sizes, err := numbers(*events)
	if err != nil {
		return err
	}
	_, remove, err := workFolder(ctx, &s.program)
	if err != nil {
		return err
	}
	defer remove()
	var all []searchedWord
	for _, n := range sizes {
		some, err := s.calendar(ctx, n)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	if *asJSON {
		return writeJSON(out, all)
	}
	return writeSearched(out, all)
}

// calendar measures searches of a calendar of n events, on its own database server.
func (s *searching) calendar(ctx context.Context, n int) ([]searchedWord, error) {
	dsn, database, err := privateCalendar(ctx, n, s.log, "--innodb-buffer-pool-size=4G")
	if err != nil {
		return nil, err
	}
	defer database.Stop()
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	in, err := describe(ctx, db, n)
	if err != nil {
		return nil, err
	}
	args := append(serveCalendar(dsn), "--request-timeout", answerTimeout.String()) // without the index, a search of a million takes 10 s
	args = append(args, s.more...)
	began := time.Now()
	indexed, err := startChild(ctx, s.program, args...)
	if err != nil {
		return nil, err
	}
	defer indexed.stop()
	f, err := awaitFigures(ctx, indexed.ops, "search index", func(f figures) bool { return f.searched > 0 && f.listed > 0 })
	if err != nil {
		return nil, err
	}
	line := searchedWord{Events: n, Posts: int(f.searched), MiB: f.bytes / (1 << 20), LoadedIn: time.Since(began).Seconds()}
	plain, err := startChild(ctx, s.program, append(args, "--search-index-size", "0")...)
	if err != nil {
		return nil, err
	}
	defer plain.stop()
	if err := awaitIndex(ctx, plain.ops, io.Discard); err != nil {
		return nil, err
	}
	var all []searchedWord
	for _, share := range searchedShares() {
		word := "nikdenic"
		if share > 0 {
			word = wordOf(in, share, n)
		}
		line.Share = float64(in[word]) / float64(n)
		measured, err := s.word(ctx, word, line, indexed, plain)
		if err != nil {
			return nil, err
		}
		all = append(all, measured)
	}
	return all, nil
}

// word measures searches for a word by two servers in turn.
func (s *searching) word(ctx context.Context, word string, line searchedWord, indexed, plain *child) (searchedWord, error) {
	next := func(int) request {
		s.serial++
		query := url.Values{"search": {word}, "per_page": {"10"}, "start_date": {time.Date(2000, 1, 1, 0, 0, s.serial, 0, time.UTC).Format(time.DateTime)}, "end_date": {"2100-01-01"}}
		return request{method: "GET", path: namespacePath + "/events?" + query.Encode()}
	}
	body, err := get(ctx, plain.addr, next(0).path)
	if err != nil {
		return line, err
	}
	var page struct{ Total int }
	if err := json.Unmarshal(body, &page); err != nil {
		return line, fmt.Errorf("search for %s: %w", word, err)
	}
	line.Found = page.Total
	var times [2][]float64
	for range s.rounds {
		for i, server := range []*child{indexed, plain} {
			r := load(ctx, target{addr: server.addr}, 1, s.long, s.requests, next)
			if line.Failed += r.Failed; r.Requests > 0 {
				times[i] = append(times[i], r.P50)
			}
		}
	}
	if len(times[0]) == 0 || len(times[1]) == 0 {
		return line, cmp.Or(ctx.Err(), fmt.Errorf("all searches for %s among %d events failed", word, line.Events))
	}
	for _, t := range times {
		slices.Sort(t)
	}
	line.Index, line.IndexRange = median(times[0]), []float64{times[0][0], times[0][len(times[0])-1]}
	line.Database, line.Range = median(times[1]), []float64{times[1][0], times[1][len(times[1])-1]}
	line.Load = loadAverage()
	fmt.Fprintf(s.log, "%d events, a word of %d: %.1f ms with the index, %.1f ms without\n", line.Events, line.Found, line.Index, line.Database)
	return line, nil
}

// writeSearched prints a table of searches, and a line about the index of each calendar.
func writeSearched(out io.Writer, all []searchedWord) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "events\tshare of events\tfound\tindex ms\trange\tdatabase ms\trange\ttimes\tfailed\tload average\t")
	for _, l := range all {
		fmt.Fprintf(w, "%d\t%.4f %%\t%d\t%.2f\t%.2f-%.2f\t%.2f\t%.2f-%.2f\t%.1f\t%d\t%s\t\n", l.Events, 100*l.Share, l.Found, l.Index, l.IndexRange[0], l.IndexRange[1],
			l.Database, l.Range[0], l.Range[1], l.Database/l.Index, l.Failed, l.Load)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	last := 0
	for _, l := range all {
		if l.Events != last {
			fmt.Fprintf(out, "%d events: an index of %d posts, %.0f MiB, %.1f s after the start\n", l.Events, l.Posts, l.MiB, l.LoadedIn)
		}
		last = l.Events
	}
	return nil
}
