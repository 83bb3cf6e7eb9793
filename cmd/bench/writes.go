package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"calbridge/wpstore/synthetic"
)

// writeKinds returns the kinds of writes to measure, in this order. The first creates the
// events that the others change.
func writeKinds() []writeKind {
	return []writeKind{
		{"POST of an event", "POST", "/events", func(i, n int) map[string]any { return eventFields(i, n, "Koncert") }},
		{"PUT of an event", "PUT", "/events/%d", func(i, n int) map[string]any { return eventFields(i+1, n, "Odložený koncert") }},
		{"DELETE of an event", "DELETE", "/events/%d", nil},
		{"POST of a venue", "POST", "/venues", func(i, _ int) map[string]any {
			return map[string]any{"venue": fmt.Sprintf("Nový sál %d", i), "address": fmt.Sprintf("Dlouhá %d", i), "city": "Brno", "status": "publish"}
		}},
	}
}

// writeKind is a kind of write. Its path has a placeholder for the id of an event if it needs
// one.
type writeKind struct {
	name, method, path string
	fields             func(i, events int) map[string]any // fields of the body, or nil for a request without a body
}

// eventFields returns the fields of an event next spring, with varying venues and terms.
func eventFields(i, events int, title string) map[string]any {
	start := time.Date(2027, 3, 1+i%28, 18, i%60, 0, 0, time.UTC)
	return map[string]any{
		"title": fmt.Sprintf("%s %d", title, i), "description": "<p>Hraje se venku.</p>", "status": "publish",
		"start_date": start.Format(time.DateTime), "end_date": start.Add(2 * time.Hour).Format(time.DateTime), "timezone": "Europe/Prague",
		"categories": []int{1 + i%synthetic.Categories}, "tags": []int{synthetic.Categories + 1 + i%20},
		"venue": synthetic.Venue(events, i%(1+events/50)), "cost": fmt.Sprint(i % 500),
	}
}

// request returns the i-th request, for the event with the given id.
func (k writeKind) request(i, events int, id int64) request {
	r := adminRequest()
	r.method, r.path = k.method, namespacePath+k.path
	if strings.Contains(k.path, "%d") {
		r.path = fmt.Sprintf(r.path, id)
	}
	if k.fields != nil {
		body, _ := json.Marshal(k.fields(i, events)) // strings and numbers always marshal
		r.body = string(body)
	}
	return r
}

// durabilities returns the arguments of the database server for each durability setting.
func durabilities() map[string][]string {
	return map[string][]string{
		"durable": {"--innodb-flush-log-at-trx-commit=1", "--sync-binlog=1"},
		"relaxed": {"--innodb-flush-log-at-trx-commit=2", "--sync-binlog=0"},
	}
}

const (
	newProgram = "calbridge"
	oldProgram = "old"
	floorName  = "floor"
)

// writesCommand measures calbridge's writes next to those of another program and of a floor.
func writesCommand(ctx context.Context, args []string, out, log io.Writer) error {
	flags := newFlags("writes", log)
	program := flags.String("calbridge", "", "the server's program (default: built from source)")
	old := flags.String("old", "", "another build of the server, measured in turn with the first")
	events := flags.String("events", "120,10000", "sizes of calendars, separated by commas")
	clients := flags.String("clients", "1,4,16,64", "connections at a time, separated by commas")
	settings := flags.String("settings", "durable,relaxed", "settings of the database, separated by commas: durable (flush log and binary log at each commit) or relaxed (each second)")
	only := flags.String("only", "", "measure only writes whose name contains this")
	least := flags.Int("requests", 100, "writes of each kind, at least one for each client")
	rounds := flags.Int("rounds", 5, "how often to measure all in turn")
	asJSON := flags.Bool("json", false, "one JSON object for each measurement instead of tables")
	if err := flags.Parse(args); err != nil {
		return err
	}
	w := writing{least: *least, out: out, log: log, asJSON: *asJSON, more: flags.Args()}
	if w.kinds = slices.DeleteFunc(writeKinds(), func(k writeKind) bool { return !strings.Contains(k.name, *only) }); len(w.kinds) == 0 {
		return fmt.Errorf("writes: there are no writes %q", *only)
	}
	sizes, err := numbers(*events)
	if err == nil {
		w.clients, err = numbers(*clients)
	}
	if err != nil {
		return err
	}
	dir, remove, err := workFolder(ctx, program)
	if err != nil {
		return err
	}
	defer remove()
	if *old != "" {
		w.programs = append(w.programs, [2]string{oldProgram, *old})
	}
	w.programs = append(w.programs, [2]string{newProgram, *program})
	for setting := range strings.SplitSeq(*settings, ",") {
		serverArgs, ok := durabilities()[setting]
		if !ok {
			return fmt.Errorf("writes: there are no settings %q", setting)
		}
		for _, n := range sizes {
			if err := w.calendar(ctx, dir, setting, serverArgs, n, *rounds); err != nil {
				return err
			}
		}
	}
	return nil
}

// numbers parses a list of positive numbers separated by commas.
func numbers(list string) (out []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is not a list of positive numbers", list)
		}
		out = append(out, n)
	}
	return out, nil
}

// writing holds what all measurements of writes have in common.
type writing struct {
	programs [][2]string // names and paths
	kinds    []writeKind
	clients  []int
	least    int
	more     []string // arguments of calbridge
	asJSON   bool
	out, log io.Writer
}

// calendar measures writes to a calendar of n events, on its own database server.
func (w *writing) calendar(ctx context.Context, dir, setting string, serverArgs []string, n, rounds int) error {
	dsn, server, err := privateCalendar(ctx, n, w.log, append([]string{"--innodb-buffer-pool-size=1G", "--innodb-doublewrite=1"}, serverArgs...)...)
	if err != nil {
		return err
	}
	defer server.Stop()
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	s := &writtenSite{writing: w, dsn: dsn, db: db, database: server.PID(), events: n, figures: map[writeKey][]result{}, sent: map[string][2]float64{}}
	if err := s.prepare(ctx, dir); err != nil {
		return err
	}
	for round := range rounds {
		fmt.Fprintf(w.log, "%s, %d events, round %d of %d; load average %s\n", setting, n, round+1, rounds, loadAverage())
		for _, p := range w.programs {
			if err := s.measureProgram(ctx, p[0], p[1]); err != nil {
				return fmt.Errorf("%s: %w", p[0], err)
			}
		}
		if err := s.measureFloor(ctx); err != nil {
			return err
		}
	}
	return s.write(setting)
}

// writtenSite is a calendar on which writes are measured.
type writtenSite struct {
	*writing
	dsn      string
	db       *sql.DB
	database int // process id of the server
	events   int
	layouts  []*layout
	last     []any // greatest first column of the primary key of each table, nil if it is empty
	floors   map[string]*writeFloor
	figures  map[writeKey][]result
	sent     map[string][2]float64 // statements and round trips by program and kind
}

// writeKey identifies what is measured once per round.
type writeKey struct {
	kind, server string
	clients      int
}

// prepare records what each program sends for each kind of write, and which rows the newest
// program writes.
func (s *writtenSite) prepare(ctx context.Context, dir string) (err error) {
	if s.layouts, err = readLayouts(ctx, s.db); err != nil {
		return err
	}
	for _, l := range s.layouts {
		var last sql.NullInt64
		if err := s.db.QueryRowContext(ctx, "SELECT MAX(`"+l.primary[0]+"`) FROM `"+l.name+"`").Scan(&last); err != nil {
			return err
		}
		s.last = append(s.last, last.Int64)
	}
	for _, p := range s.programs {
		if err := s.count(ctx, dir, p[0], p[1]); err != nil {
			return fmt.Errorf("%s: %w", p[0], err)
		}
	}
	return s.record(ctx, s.programs[len(s.programs)-1][1])
}

// start starts a program.
func (s *writtenSite) start(ctx context.Context, program, dsn string) (*child, error) {
	server, err := startChild(ctx, program, append([]string{"serve", "--dsn", dsn, "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0",
		"--application-passwords", "on"}, s.more...)...)
	if err != nil {
		return nil, err
	}
	if err := awaitIndex(ctx, server.ops, io.Discard); err != nil {
		server.stop()
		return nil, err
	}
	return server, nil
}

const (
	// countedWrites is the number of writes of each kind for which statements are counted.
	countedWrites = 20
	// warmUpEvents is the number of events after which all pairs of a category and a tag have
	// occurred.
	warmUpEvents = 60
)

// count counts the statements and round trips of each kind of write.
func (s *writtenSite) count(ctx context.Context, dir, name, program string) error {
	tap, err := newTap(s.dsn, dir)
	if err != nil {
		return err
	}
	defer tap.close()
	server, err := s.start(ctx, program, tap.dsn)
	if err != nil {
		return err
	}
	defer server.stop()
	if err := s.warmUp(ctx, server.addr, warmUpEvents); err != nil {
		return err
	}
	var ids []int64
	for _, k := range s.kinds {
		if k.name != writeKinds()[0].name {
			if _, err := s.send(ctx, server.addr, k, 1, 3, nil); err != nil { // to warm up
				return err
			}
		}
		tap.statements()
		if ids, err = s.send(ctx, server.addr, k, 1, countedWrites, ids); err != nil {
			return err
		}
		statements, trips := tap.counts("/* calbridge:listing.")
		s.sent[name+k.name] = [2]float64{float64(statements) / countedWrites, float64(trips) / countedWrites}
	}
	return s.clean(ctx)
}

// record finds out which rows each kind of write touches, for the floors.
func (s *writtenSite) record(ctx context.Context, program string) error {
	server, err := s.start(ctx, program, s.dsn)
	if err != nil {
		return err
	}
	defer server.stop()
	s.floors = map[string]*writeFloor{}
	fresh := new(atomic.Int64)
	fresh.Store(firstFreshID)
	var ids []int64
	for _, k := range s.kinds {
		before, err := readTables(ctx, s.db, s.layouts)
		if err != nil {
			return err
		}
		if ids, err = s.send(ctx, server.addr, k, 1, 1, ids); err != nil {
			return err
		}
		after, err := readTables(ctx, s.db, s.layouts)
		if err != nil {
			return err
		}
		s.floors[k.name] = &writeFloor{s.db, changesOf(s.layouts, before, after), strconv.FormatInt(ids[0], 10), fresh}
	}
	return s.clean(ctx)
}

// send sends n writes and returns the ids in the responses. ids are the events to write to; if
// it is empty, events of the calendar are used.
func (s *writtenSite) send(ctx context.Context, addr string, k writeKind, clients, n int, ids []int64) ([]int64, error) {
	got := make([]int64, n)
	_, err := s.burst(ctx, addr, k, clients, ids, got)
	return got, err
}

func (s *writtenSite) burst(ctx context.Context, addr string, k writeKind, clients int, ids, got []int64) (result, error) {
	return burst(ctx, clients, len(got), func(int) (actor, error) {
		return &httpActor{&client{addr: addr}, func(i int) request {
			id := int64(synthetic.FirstEvent + i%s.events)
			if len(ids) > 0 {
				id = ids[i%len(ids)]
			}
			return k.request(i, s.events, id)
		}, func(i int, body []byte) error {
			var answer struct{ ID int64 }
			err := json.Unmarshal(body, &answer)
			got[i] = answer.ID
			return err
		}}, nil
	})
}

// clean removes all rows that were added.
func (s *writtenSite) clean(ctx context.Context) error {
	var errs []error
	for i, l := range s.layouts {
		_, err := s.db.ExecContext(ctx, "DELETE FROM `"+l.name+"` WHERE `"+l.primary[0]+"` > ?", s.last[i])
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// servers returns the names of everything that is measured.
func (s *writtenSite) servers() (names []string) {
	for _, p := range s.programs {
		names = append(names, p[0])
	}
	return append(names, floorName)
}

// sorted returns the values of all rounds in ascending order.
func (s *writtenSite) sorted(key writeKey, value func(result) float64) (values []float64) {
	for _, r := range s.figures[key] {
		values = append(values, value(r))
	}
	slices.Sort(values)
	return values
}
