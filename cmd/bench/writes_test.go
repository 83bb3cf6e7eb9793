package main

import (
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"calbridge/wpstore/wptest"
)

func TestNumbers(t *testing.T) {
	if got, err := numbers("1,16,64"); err != nil || !slices.Equal(got, []int{1, 16, 64}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "0", "x", "1,,2", "-1"} {
		if _, err := numbers(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

// TestWriteRequests checks that requests are well-formed, differ and are sent by the
// administrator, and that those after the first change what it created.
func TestWriteRequests(t *testing.T) {
	for _, k := range writeKinds() {
		a, b := k.request(1, 1000, 77), k.request(2, 1000, 78)
		if a == b || a.authorization == "" || strings.Contains(a.path, "%") || strings.Contains(a.path, "77") != strings.Contains(k.path, "%d") {
			t.Errorf("%s: %+v, %+v", k.name, a, b)
		}
		if (k.fields == nil) != (a.body == "") || k.fields != nil && !json.Valid([]byte(a.body)) {
			t.Errorf("%s: %s", k.name, a.body)
		}
	}
}

// TestWritesAreSent checks that several clients send n writes with the ids of events that were
// created before.
func TestWritesAreSent(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut && !strings.HasSuffix(r.URL.Path, "/9") {
			http.Error(w, "no event "+r.URL.Path, http.StatusNotFound)
			return
		}
		asked.Add(1)
		_, _ = io.WriteString(w, `{"id":9}`)
	}))
	defer server.Close()
	s := &writtenSite{writing: &writing{}, events: 100}
	addr, k := server.Listener.Addr().String(), writeKinds()
	ids, err := s.send(t.Context(), addr, k[0], 3, 10, nil)
	if err != nil || len(ids) != 10 || slices.Max(ids) != 9 || asked.Load() != 10 {
		t.Errorf("%v of %d, %v", ids, asked.Load(), err)
	}
	if _, err := s.send(t.Context(), addr, k[1], 2, 4, ids); err != nil || asked.Load() != 14 {
		t.Errorf("%d, %v", asked.Load(), err)
	}
	if _, err := s.send(t.Context(), addr, k[1], 2, 4, []int64{8}); err == nil || !strings.Contains(err.Error(), "answered 404") {
		t.Errorf("a refusal is no write: %v", err)
	}
}

// TestWriteFloor checks that the floor of a recorded write touches the same number of rows of
// the same tables, and that cleaning removes them.
func TestWriteFloor(t *testing.T) {
	ctx := t.Context()
	db, err := sql.Open("mysql", wptest.MariaDB(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	exec := func(statements ...string) {
		t.Helper()
		for _, text := range statements {
			if _, err := db.ExecContext(ctx, text); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
	}
	exec("CREATE TABLE posts (ID bigint AUTO_INCREMENT PRIMARY KEY, title text, at datetime)",
		"CREATE TABLE metas (id bigint AUTO_INCREMENT PRIMARY KEY, post bigint, value text)",
		"CREATE TABLE links (post bigint, term bigint, PRIMARY KEY (post, term))",
		"CREATE TABLE options (id bigint AUTO_INCREMENT PRIMARY KEY, name varchar(50) UNIQUE, value text)",
		"CREATE TABLE untouched (id bigint PRIMARY KEY)", "CREATE TABLE keyless (id bigint)",
		"INSERT INTO posts VALUES (1, 'a', '0000-00-00 00:00:00')", "INSERT INTO options VALUES (1, 'last', '5'), (2, 'gone', NULL)")
	s := &writtenSite{writing: &writing{}, db: db}
	if s.layouts, err = readLayouts(ctx, db); err != nil || len(s.layouts) != 5 {
		t.Fatalf("%d tables, %v", len(s.layouts), err)
	}
	read := func() []tableRows {
		t.Helper()
		rows, err := readTables(ctx, db, s.layouts)
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	before := read()
	exec("INSERT INTO posts VALUES (7, 'b', '2026-01-01 00:00:00')", "INSERT INTO metas (post, value) VALUES (7, 'x'), (7, NULL)", "INSERT INTO links VALUES (7, 3)",
		"UPDATE options SET value = '6' WHERE id = 1", "DELETE FROM options WHERE id = 2")
	after := read()
	for range s.layouts {
		s.last = append(s.last, int64(100))
	}
	fresh := new(atomic.Int64)
	fresh.Store(firstFreshID)
	floor := &writeFloor{db, changesOf(s.layouts, before, after), "7", fresh}
	if n := floor.rows(); n != 6 || len(floor.changes) != 4 {
		t.Fatalf("%d rows of %d tables: %+v", n, len(floor.changes), floor.changes)
	}
	const each = 5
	r, err := burst(ctx, 3, each, func(int) (actor, error) { return floor.actor(ctx, each) })
	if err != nil || r.Requests != each || r.Concurrency != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	counts := func() (got []int) {
		for _, rows := range read() {
			got = append(got, len(rows))
		}
		return got // links, metas, options, posts, untouched
	}
	// Each client has one option, which it updates, and the options that it deletes.
	if got, want := counts(), []int{1 + each, 2 + 2*each, 1 + 3 + 3*each - each, 2 + each, 0}; !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	if err := s.clean(ctx); err != nil {
		t.Fatal(err)
	}
	if got, want := counts(), []int{1, 2, 1, 2, 0}; !slices.Equal(got, want) {
		t.Errorf("after cleaning %v, want %v", got, want)
	}
}

func TestWritesTable(t *testing.T) {
	var out strings.Builder
	w := &writing{programs: [][2]string{{oldProgram, "a"}, {newProgram, "b"}}, kinds: writeKinds(), clients: []int{4}, out: &out}
	s := &writtenSite{writing: w, events: 120, figures: map[writeKey][]result{}, floors: map[string]*writeFloor{}, sent: map[string][2]float64{}}
	for _, k := range writeKinds() {
		s.floors[k.name] = &writeFloor{changes: []change{{inserted: make([][]any, 18)}}}
		s.sent[oldProgram+k.name], s.sent[newProgram+k.name] = [2]float64{32, 16}, [2]float64{31, 12}
		for round := range 3 {
			for i, server := range s.servers() {
				s.note(k.name, server, result{Concurrency: 4, PerSecond: float64(100 * (i + 1) * (i + 1) * (3 - round)), P50: float64(round), CPU: 2, DatabaseCPU: 1.5})
			}
		}
	}
	if err := s.write("durable"); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	for line, want := range map[int]string{3: "POST of an event old 4 200.0 100.0-300.0 1.0 0.0-2.0 0.11 2.00 1.50 32.0 16.0",
		4: "POST of an event calbridge 4 800.0 400.0-1200.0 1.0 0.0-2.0 4.00 0.44 2.00 1.50 31.0 12.0", 5: "POST of an event floor 4 1800.0 900.0-2700.0 1.0 0.0-2.0 9.00 2.00 1.50 18"} {
		if got := strings.Join(strings.Fields(lines[line]), " "); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	out.Reset()
	w.asJSON = true
	if err := s.write("durable"); err != nil || strings.Count(out.String(), "\n") != 4*3*3 || !strings.Contains(out.String(), `"settings":"durable","events":120,"round":3,"statements":31,"round_trips":12`) {
		t.Errorf("%v: %.500s", err, out.String())
	}
}

func TestWritesRefuses(t *testing.T) {
	for _, args := range [][]string{{"--settings", "other"}, {"--clients", "0"}, {"--events", ""}, {"--only", "GET"}, {"--nonsense"}} {
		if err := writesCommand(t.Context(), append([]string{"--calbridge", "/nowhere"}, args...), io.Discard, io.Discard); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
