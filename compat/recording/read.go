package recording

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// maxLine is the maximum length of one line of a recording, in bytes.
const maxLine = 256 << 20

// Entry is one line of a recording: exactly one of its fields is set.
type Entry struct {
	Exchange *Exchange
	Case     *Case
	// Header is a line that describes the file, unparsed; it has a "format" member.
	Header json.RawMessage
}

// ErrStop is returned by a callback of Read to stop early without an error.
var ErrStop = errors.New("stop reading")

// ExpandGlobs returns the files that the patterns match, each once, in the order of the
// patterns and sorted within each pattern. A pattern without a match is an error,
// because a comparison of nothing would look like success.
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
	return ReadWithProgress(files, nil, each)
}

// ReadWithProgress works like Read and calls progress, unless it is nil, with the number
// of bytes read and the total.
func ReadWithProgress(files []string, progress func(done, total int64), each func(Entry) error) error {
	count := counter{progress: progress}
	for _, file := range files {
		if info, err := os.Stat(file); err == nil { // an error comes up again below
			count.total += info.Size()
		}
	}
	for _, file := range files {
		err := readFile(file, &count, each)
		if errors.Is(err, ErrStop) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// counter counts the bytes read from all files.
type counter struct {
	source      io.Reader
	done, total int64
	progress    func(done, total int64)
}

// Read implements io.Reader.
func (c *counter) Read(p []byte) (int, error) {
	n, err := c.source.Read(p)
	c.done += int64(n)
	if c.progress != nil {
		c.progress(c.done, c.total)
	}
	return n, err
}

func readFile(file string, count *counter, each func(Entry) error) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("recording cannot be read: %w", err)
	}
	defer f.Close()
	count.source = f
	return ReadLines(count, file, each)
}

// ReadLines reads JSON Lines or a HAR file, compressed with gzip or plain. It detects
// the format from the first bytes, not from the name.
func ReadLines(source io.Reader, name string, each func(Entry) error) error {
	r := bufio.NewReaderSize(source, 1<<16)
	if magic, _ := r.Peek(len(gzipMagic)); string(magic) == gzipMagic {
		unpacked, err := gzip.NewReader(r)
		if err != nil {
			return fmt.Errorf("%s: bad gzip data: %w", name, err)
		}
		r = bufio.NewReaderSize(unpacked, 1<<16)
	}
	if looksLikeHAR(r) {
		return readHAR(r, name, each)
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	home, scheme, number := "", "", 0
	for lines.Scan() {
		number++
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		entry, err := parseEntry(text)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, number, err)
		}
		switch {
		case entry.Header != nil:
			if header, ok := ParseHeader(entry.Header); ok {
				home, scheme = cmp.Or(header.sentTo(), home), cmp.Or(header.Scheme, scheme)
			}
		case entry.Exchange != nil:
			entry.Exchange.File, entry.Exchange.Line, entry.Exchange.home, entry.Exchange.scheme = name, number, home, scheme
		case entry.Case != nil:
			entry.Case.File, entry.Case.Line = name, number
		}
		if err := each(entry); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", name, number+1, err)
	}
	return nil
}

// value returns the entry's content, for WriteLine.
func (e Entry) value() any {
	switch {
	case e.Exchange != nil:
		return e.Exchange
	case e.Case != nil:
		return e.Case
	}
	return e.Header
}

// parseEntry parses a line. Its members determine its kind.
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
