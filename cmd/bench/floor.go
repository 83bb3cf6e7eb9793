package main

import (
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-sql-driver/mysql"
)

// These modes determine what the floor does for each request.
const (
	// bare writes the recorded bytes.
	bare = "bare"
	// hydrate first runs the three statements that read the events of the response by id:
	// rows, metadata and terms.
	hydrate = "hydrate"
	// same first runs every statement that calbridge ran.
	same = "same"
)

// floor serves recorded responses for recorded URLs. Its statements are constant text. They
// run one after the other on one connection, on the driver itself without database/sql. The
// floor reads every row and column of the results and joins the response from one piece for
// each event in a reused buffer. A program that reads the same data can hardly do less work.
type floor struct {
	answers map[string]*recording
	buffers sync.Pool
	// free holds a token for each idle connection. The connection that was used last is taken
	// first, because its data are still in the processor's caches.
	free chan struct{}
	mu   sync.Mutex
	idle []*session
}

// session is a connection with a buffer for one row.
type session struct {
	conn driver.QueryerContext
	row  []driver.Value
}

// floorCommand serves on a port that the system chooses until ctx is done.
func floorCommand(ctx context.Context, args []string, _, log io.Writer) error {
	flags := newFlags("floor", log)
	dsn := flags.String("dsn", "", "the database")
	file := flags.String("answers", "", "the file that `bench ratios` records")
	mode := flags.String("mode", same, "statements to run for each request: same as calbridge, hydrate (three), or none: bare")
	if err := flags.Parse(args); err != nil {
		return err
	}
	f, err := newFloor(ctx, *dsn, *file, *mode)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: f}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	fmt.Fprintf(log, "msg=serving listen=%s\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// floorConnections is the same as calbridge's default.
const floorConnections = 16

func newFloor(ctx context.Context, dsn, file, mode string) (*floor, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var recordings []*recording
	if err := json.Unmarshal(data, &recordings); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	f := &floor{answers: map[string]*recording{}, free: make(chan struct{}, floorConnections)}
	f.buffers.New = func() any { return new(bytes.Buffer) }
	for _, r := range recordings {
		switch mode {
		case bare:
			r.Statements, r.Pieces = nil, [][]byte{r.body()}
		case hydrate:
			r.Statements = hydrating(r.Statements)
		case same:
		default:
			return nil, fmt.Errorf("floor: unknown mode %q", mode)
		}
		f.answers[r.Path] = r
	}
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		return nil, err
	}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, err
	}
	for range floorConnections {
		conn, err := connector.Connect(ctx)
		if err != nil {
			return nil, err
		}
		f.put(&session{conn: conn.(driver.QueryerContext)})
	}
	return f, nil
}

// hydrating returns the first statement of each of the three kinds that hydrate runs.
func hydrating(statements []string) []string {
	var out []string
	for _, kind := range []string{"posts.read", "meta.read", "terms.of_posts"} {
		if i := slices.IndexFunc(statements, func(s string) bool { return strings.HasPrefix(s, "/* calbridge:"+kind+" ") }); i >= 0 {
			out = append(out, statements[i])
		}
	}
	return out
}

func (f *floor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := f.answers[r.RequestURI]
	if answer == nil {
		http.NotFound(w, r)
		return
	}
	if len(answer.Statements) > 0 {
		if err := f.runAll(r.Context(), answer.Statements); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	body := answer.Pieces[0]
	if len(answer.Pieces) > 1 {
		joined := f.buffers.Get().(*bytes.Buffer)
		defer f.buffers.Put(joined)
		joined.Reset()
		for _, piece := range answer.Pieces {
			joined.Write(piece)
		}
		body = joined.Bytes()
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=UTF-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // the load reports a broken connection
}

func (f *floor) take() *session {
	<-f.free
	f.mu.Lock()
	defer f.mu.Unlock()
	last := len(f.idle) - 1
	s := f.idle[last]
	f.idle = f.idle[:last]
	return s
}

func (f *floor) put(s *session) {
	f.mu.Lock()
	f.idle = append(f.idle, s)
	f.mu.Unlock()
	f.free <- struct{}{}
}

func (f *floor) runAll(ctx context.Context, statements []string) error {
	s := f.take()
	defer f.put(s)
	for _, statement := range statements {
		if err := s.run(ctx, statement); err != nil {
			return fmt.Errorf("%.60s: %w", statement, err)
		}
	}
	return nil
}

func (s *session) run(ctx context.Context, statement string) error {
	rows, err := s.conn.QueryContext(ctx, statement, nil)
	if err != nil {
		return err
	}
	defer rows.Close()
	if n := len(rows.Columns()); n > len(s.row) {
		s.row = make([]driver.Value, n)
	}
	row := s.row[:len(rows.Columns())]
	for {
		if err := rows.Next(row); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
