package main

import (
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fakeDatabase records each statement and returns two rows for it.
type fakeDatabase struct {
	statements []string
	rows       int
}

func (f *fakeDatabase) QueryContext(_ context.Context, statement string, _ []driver.NamedValue) (driver.Rows, error) {
	if strings.Contains(statement, "broken") {
		return nil, errors.New("syntax error")
	}
	f.statements = append(f.statements, statement)
	return &fakeRows{f, 2}, nil
}

type fakeRows struct {
	database *fakeDatabase
	left     int
}

func (r *fakeRows) Columns() []string { return []string{"a", "b"} }
func (r *fakeRows) Close() error      { return nil }

func (r *fakeRows) Next(row []driver.Value) error {
	if r.left == 0 {
		return io.EOF
	}
	r.left--
	r.database.rows++
	row[0], row[1] = int64(1), "x"
	return nil
}

// TestFloorBytes checks that the floor runs the statements, reads every row and sends the
// recorded bytes.
func TestFloorBytes(t *testing.T) {
	database := &fakeDatabase{}
	f := &floor{answers: map[string]*recording{
		"/list?per_page=2": {Statements: []string{"SELECT 1", "SELECT 2"}, Pieces: [][]byte{[]byte(`{"events":[`), []byte(`{"id":1}`), []byte(`,`), []byte(`{"id":2}`), []byte(`]}`)}},
		"/one":             {Pieces: [][]byte{[]byte(`{"id":1}`)}},
		"/broken":          {Statements: []string{"broken"}, Pieces: [][]byte{nil}},
	}, free: make(chan struct{}, 1)}
	f.buffers.New = func() any { return new(bytes.Buffer) }
	f.put(&session{conn: database})
	for _, c := range []struct {
		path   string
		status int
		body   string
	}{{"/list?per_page=2", 200, `{"events":[{"id":1},{"id":2}]}`}, {"/one", 200, `{"id":1}`}, {"/list", 404, ""}, {"/broken", 500, ""}, {"/list?per_page=2", 200, `{"events":[{"id":1},{"id":2}]}`}} {
		w := httptest.NewRecorder()
		f.ServeHTTP(w, httptest.NewRequest("GET", c.path, nil))
		if w.Code != c.status || c.body != "" && w.Body.String() != c.body {
			t.Errorf("%s: %d %s", c.path, w.Code, w.Body)
		}
	}
	if !slices.Equal(database.statements, []string{"SELECT 1", "SELECT 2", "SELECT 1", "SELECT 2"}) || database.rows != 8 {
		t.Errorf("statements %q, %d rows", database.statements, database.rows)
	}
}

// TestNewestSessionFirst checks that the connection that was used last is used next.
func TestNewestSessionFirst(t *testing.T) {
	f := &floor{free: make(chan struct{}, 2)}
	a, b := &session{}, &session{}
	f.put(a)
	f.put(b)
	if f.take() != b || f.take() != a {
		t.Error("an older session is taken first")
	}
}

func TestHydrating(t *testing.T) {
	got := hydrating([]string{"/* calbridge:events.ids */ 0", "/* calbridge:terms.of_posts */ 1", "/* calbridge:posts.read */ 2", "/* calbridge:posts.read */ 3", "/* calbridge:meta.read */ 4", "/* calbridge:posts.reader */ 5"})
	if !slices.Equal(got, []string{"/* calbridge:posts.read */ 2", "/* calbridge:meta.read */ 4", "/* calbridge:terms.of_posts */ 1"}) {
		t.Errorf("%q", got)
	}
}

func TestFloorRefuses(t *testing.T) {
	data, err := json.Marshal([]*recording{{Path: "/x", Statements: []string{"SELECT 1"}, Pieces: [][]byte{[]byte("a"), []byte("b")}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--answers", file + "x"}, {"--answers", "floor_test.go"}, {"--answers", file, "--mode", "none"}, {"--answers", file, "--dsn", "no DSN"},
		{"--answers", file, "--mode", bare, "--dsn", "u@tcp(127.0.0.1:1)/x"}, {"--answers", file, "--mode", hydrate, "--dsn", "u@tcp(127.0.0.1:1)/x"}, {"--nonsense"},
	} {
		if err := floorCommand(t.Context(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
