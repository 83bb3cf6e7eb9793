package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// recording holds the statements that calbridge sent for one URL, and its response cut into
// one piece for each event.
type recording struct {
	Name       string
	Path       string
	Statements []string
	Pieces     [][]byte // the head, each event, the tail
}

// body returns the whole response.
func (r *recording) body() []byte { return bytes.Join(r.Pieces, nil) }

// record sends a request twice, because the first response may include reading the site's
// options. It returns a recording of the second.
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

// pieces cuts the response of a list before each event. It returns any other response as one
// piece.
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
		// The text before an event, which is the head or a comma, belongs to that event's
		// piece.
		out = append(out, rest[:at], rest[at:at+len(event)])
		rest = rest[at+len(event):]
	}
	return append(out, rest), nil
}
