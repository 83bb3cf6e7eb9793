package recording

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// maxLine bounds one line of a recording: a longer one is no recording.
const maxLine = 256 << 20

// Entry is one line of a recording: exactly one of its fields is set.
type Entry struct {
	Exchange *Exchange
	Case     *Case
	// Header is a line that describes the file (it has a "format" member) and is
	// kept as it stands.
	Header json.RawMessage
}

// ErrStop is returned by a callback of ReadRecordings to end the reading early
// without an error.
var ErrStop = errors.New("stop reading")

// ExpandGlobs lists the files that the patterns match, each once, in the order
// of the patterns and sorted within one. A pattern that matches nothing is an
// error, because a comparison of nothing would look like success.
func ExpandGlobs(patterns []string) ([]string, error) {
	var files []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return nil, fmt.Errorf("bad pattern %q: %w", pattern, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("no recording matches %q", pattern)
		}
		slices.Sort(found)
		for _, file := range found {
			if !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	if len(files) == 0 {
		return nil, errors.New("no recordings given")
	}
	return files, nil
}

// Read reads the files one after the other, line by line, and calls
// each with every entry. It holds one line at a time.
func Read(files []string, each func(Entry) error) error {
	for _, file := range files {
		err := readFile(file, each)
		if errors.Is(err, ErrStop) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func readFile(file string, each func(Entry) error) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("recording cannot be read: %w", err)
	}
	defer f.Close()
	return ReadLines(f, file, each)
}

// ReadLines reads JSON Lines or a HAR file, packed with gzip or plain; which of
// them is seen from the first bytes, not from the name.
func ReadLines(source io.Reader, name string, each func(Entry) error) error {
	r := bufio.NewReaderSize(source, 1<<16)
	if magic, _ := r.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unpacked, err := gzip.NewReader(r)
		if err != nil {
			return fmt.Errorf("%s: bad gzip data: %w", name, err)
		}
		r = bufio.NewReaderSize(unpacked, 1<<16)
	}
	if looksLikeHAR(r) {
		return readHAR(r, name, each)
	}
	home := ""
	for number := 1; ; number++ {
		line, err := readLine(r)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("%s:%d: %w", name, number, err)
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			entry, parseErr := parseEntry(text)
			if parseErr != nil {
				return fmt.Errorf("%s:%d: %w", name, number, parseErr)
			}
			entry.locate(name, number)
			if entry.Header != nil {
				home = headerHome(entry.Header, home)
			} else if entry.Exchange != nil {
				entry.Exchange.home = home
			}
			if eachErr := each(entry); eachErr != nil {
				return eachErr
			}
		}
		if err != nil {
			return nil
		}
	}
}

func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return nil, errors.New("line is too long for a recording")
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

func (e *Entry) locate(file string, line int) {
	switch {
	case e.Exchange != nil:
		e.Exchange.File, e.Exchange.Line = file, line
	case e.Case != nil:
		e.Case.File, e.Case.Line = file, line
	}
}

// parseEntry tells the kinds of lines apart by the members they have.
func parseEntry(line []byte) (Entry, error) {
	var kind struct {
		Format  json.RawMessage `json:"format"`
		Request json.RawMessage `json:"request"`
		Steps   json.RawMessage `json:"steps"`
	}
	if err := json.Unmarshal(line, &kind); err != nil {
		return Entry{}, fmt.Errorf("not a line of JSON: %w", err)
	}
	switch {
	case kind.Steps != nil:
		c := new(Case)
		if err := decodeNumbers(line, c); err != nil {
			return Entry{}, fmt.Errorf("not a write case: %w", err)
		}
		if len(c.Steps) == 0 {
			return Entry{}, fmt.Errorf("write case %q has no steps", c.ID)
		}
		return Entry{Case: c}, nil
	case kind.Request != nil:
		x := new(Exchange)
		if err := json.Unmarshal(line, x); err != nil {
			return Entry{}, fmt.Errorf("not an exchange: %w", err)
		}
		if x.Request.Method == "" || x.Request.Path == "" {
			return Entry{}, fmt.Errorf("exchange %q has no method or no path", x.ID)
		}
		return Entry{Exchange: x}, nil
	case kind.Format != nil:
		return Entry{Header: slices.Clone(line)}, nil
	}
	return Entry{}, errors.New(`neither an exchange ("request") nor a write case ("steps")`)
}

func decodeNumbers(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(into)
}
