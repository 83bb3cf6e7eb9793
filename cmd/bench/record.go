package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// recording is what calbridge was seen to do for one URL: the statements that it
// sent, and its answer cut into one piece for each event.
type recording struct {
	Name       string
	Path       string
	Statements []string
	Pieces     [][]byte // the head, each event, the tail
}

// body is the whole answer.
func (r *recording) body() []byte { return bytes.Join(r.Pieces, nil) }

// recorder asks a server and has the database write down what it is asked
// meanwhile (the general log, which takes SUPER). Nobody else may use the database.
type recorder struct {
	addr string
	db   *sql.DB
	file string
}

func newRecorder(ctx context.Context, dsn, addr string) (*recorder, error) {
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		return nil, err
	}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, err
	}
	r := &recorder{addr: addr, db: sql.OpenDB(connector)}
	r.db.SetMaxOpenConns(1)
	var dir, file string
	if err := r.db.QueryRowContext(ctx, "SELECT @@datadir, @@general_log_file").Scan(&dir, &file); err != nil {
		return nil, errors.Join(err, r.db.Close())
	}
	if r.file = file; !filepath.IsAbs(file) {
		r.file = filepath.Join(dir, file)
	}
	return r, nil
}

// record asks twice: the first answer also pays for what is read once a second.
func (r *recorder) record(ctx context.Context, name, path string) (*recording, error) {
	if _, err := get(ctx, r.addr, path); err != nil {
		return nil, err
	}
	if _, err := r.db.ExecContext(ctx, "SET GLOBAL log_output = 'FILE', general_log = 1"); err != nil {
		return nil, fmt.Errorf("the general log: %w", err)
	}
	from, statErr := os.Stat(r.file)
	body, err := get(ctx, r.addr, path)
	_, stopErr := r.db.ExecContext(ctx, "SET GLOBAL general_log = 0")
	if err := errors.Join(statErr, err, stopErr); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(r.file)
	if err != nil {
		return nil, err
	}
	recorded := &recording{Name: name, Path: path}
	for line := range strings.Lines(string(text[from.Size():])) {
		if _, statement, ok := strings.Cut(line, " Query\t/* calbridge:"); ok && !strings.HasPrefix(statement, "site.") && !strings.HasPrefix(statement, "options.") {
			recorded.Statements = append(recorded.Statements, "/* calbridge:"+strings.TrimSpace(statement))
		}
	}
	if len(recorded.Statements) == 0 {
		return nil, fmt.Errorf("%s: no statement in %s", path, r.file)
	}
	recorded.Pieces, err = pieces(bytes.Clone(body))
	return recorded, err
}

// pieces cuts a list of events at the events; anything else stays one piece.
func pieces(body []byte) ([][]byte, error) {
	var list struct{ Events []json.RawMessage }
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, err
	}
	if len(list.Events) == 0 {
		return [][]byte{body}, nil
	}
	var out [][]byte
	rest := body
	for _, event := range list.Events {
		at := bytes.Index(rest, event)
		if at < 0 {
			return nil, errors.New("an event is not in the body")
		}
		// The head or the comma goes with the event that follows.
		out = append(out, rest[:at], rest[at:at+len(event)])
		rest = rest[at+len(event):]
	}
	return append(out, rest), nil
}
