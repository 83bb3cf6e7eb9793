package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// looksLikeHAR tells a HAR file from JSON Lines: its one object begins with the
// member "log".
func looksLikeHAR(r *bufio.Reader) bool {
	head, _ := r.Peek(4096)
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	inner, isObject := bytes.CutPrefix(head, []byte("{"))
	return isObject && bytes.HasPrefix(bytes.TrimLeft(inner, " \t\r\n"), []byte(`"log"`))
}

// readHAR reads the entries one after the other, without holding the file. The
// number of an entry stands for its line.
func readHAR(r *bufio.Reader, name string, each func(Entry) error) error {
	if mark, _ := r.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		r.Discard(3)
	}
	d := json.NewDecoder(r)
	if err := enterMember(d, "log", '{'); err != nil {
		return fmt.Errorf("%s: not a HAR file: %w", name, err)
	}
	if err := enterMember(d, "entries", '['); err != nil {
		return fmt.Errorf("%s: not a HAR file: %w", name, err)
	}
	for number := 1; d.More(); number++ {
		var entry harEntry
		if err := d.Decode(&entry); err != nil {
			return fmt.Errorf("%s: entry %d: %w", name, number, err)
		}
		x, err := entry.exchange()
		if errors.Is(err, errNoAnswer) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: entry %d: %w", name, number, err)
		}
		if x.ID == "" {
			x.ID = fmt.Sprintf("har-%04d", number)
		}
		x.File, x.Line = name, number
		if err := each(Entry{Exchange: x}); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return fmt.Errorf("%s: the list of entries is not closed: %w", name, err)
	}
	return nil
}

// enterMember moves the decoder into an object and on to the value of a member,
// of which it takes the opening bracket.
func enterMember(d *json.Decoder, member string, opening json.Delim) error {
	if opening == '{' { // the outermost object is still closed
		if token, err := d.Token(); err != nil || token != json.Delim('{') {
			return errors.Join(errors.New("an object is expected"), err)
		}
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		if name == member {
			if token, err := d.Token(); err != nil || token != opening {
				return errors.Join(fmt.Errorf("%q is not as expected", member), err)
			}
			return nil
		}
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			return err
		}
	}
	return fmt.Errorf("%q is missing: %w", member, io.ErrUnexpectedEOF)
}
