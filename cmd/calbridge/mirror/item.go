package mirror

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// item is a whole event, or the message that an event has left the list.
type item struct {
	id      int64
	deleted bool
	json    string // on one line
	fields  []any  // the values of copiedFields; nil if the event has no such text
}

// copiedFields returns the fields of an event that have their own columns, so that queries
// need not read the JSON. Dates are texts as in the API: 2026-11-23 10:50:00.
func copiedFields() []string {
	return []string{"title", "slug", "url", "start_date", "end_date", "utc_start_date", "utc_end_date", "modified", "modified_utc"}
}

// parseItem reads an item of a page or a message.
func parseItem(raw []byte) (item, error) {
	var line bytes.Buffer
	line.Grow(len(raw))
	if err := json.Compact(&line, raw); err != nil {
		return item{}, fmt.Errorf("an event is not JSON: %w", err)
	}
	event, err := members(line.Bytes(), append(copiedFields(), "id", "deleted"))
	if err != nil {
		return item{}, err
	}
	it := item{json: string(bytes.ToValidUTF8(line.Bytes(), []byte("\uFFFD")))}
	if err := json.Unmarshal(event["id"], &it.id); err != nil || it.id <= 0 {
		return item{}, errors.New("an event has no id")
	}
	if string(event["deleted"]) == "true" {
		return item{id: it.id, deleted: true}, nil
	}
	for _, name := range copiedFields() {
		var text *string
		if json.Unmarshal(event[name], &text) != nil || text == nil {
			it.fields = append(it.fields, nil)
			continue
		}
		it.fields = append(it.fields, *text)
	}
	return it, nil
}

// members returns the named members of a JSON object. Other members take no memory, since an
// object may have millions.
func members(object []byte, names []string) (map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return nil, errors.New("an event is not a JSON object")
	}
	wanted := map[string]json.RawMessage{}
	var other json.RawMessage
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		if err := d.Decode(&other); err != nil {
			return nil, err
		}
		if name, _ := key.(string); slices.Contains(names, name) {
			wanted[name] = bytes.Clone(other)
		}
	}
	return wanted, nil
}

// maxToken limits the size of a token, as the wire format does.
const maxToken = 1024

// isToken reports whether text may be a token. Anything else is a fault of the server.
func isToken(text string) bool {
	for _, c := range []byte(text) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return 0 < len(text) && len(text) <= maxToken
}
