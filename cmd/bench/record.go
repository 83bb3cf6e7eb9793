package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// recording is what calbridge did for one URL: the statements that it sent, and its
// answer cut into one piece for each event.
type recording struct {
	Name       string
	Path       string
	Statements []string
	Pieces     [][]byte // the head, each event, the tail
}

// body returns the whole answer.
func (r *recording) body() []byte { return bytes.Join(r.Pieces, nil) }

// record asks twice, because the first answer may include reading the site's options.
func record(ctx context.Context, tap *tap, addr, name, path string) (*recording, error) {
	if _, err := get(ctx, addr, path); err != nil {
		return nil, err
	}
	tap.statements()
	body, err := get(ctx, addr, path)
	if err != nil {
		return nil, err
	}
	recorded := &recording{Name: name, Path: path}
	for _, statement := range tap.statements() {
		kind, ours := strings.CutPrefix(statement, "/* calbridge:")
		if ours && !strings.HasPrefix(kind, "site.") && !strings.HasPrefix(kind, "options.") {
			recorded.Statements = append(recorded.Statements, statement)
		}
	}
	if len(recorded.Statements) == 0 {
		return nil, fmt.Errorf("%s: no statement was seen", path)
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
