package recording

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

// Formats of recordings.
const (
	FormatJSONLines = "jsonl"
	FormatHAR       = "har"
)

// ConvertOptions say what Convert reads and writes.
type ConvertOptions struct {
	// Recordings are file patterns, in either format.
	Recordings []string
	// Format is FormatJSONLines or FormatHAR.
	Format string
	// Origin is scheme and host for exchanges that do not know theirs; without it
	// the recording's header or the recorded Link header tells.
	Origin string
	// KeepCredentials leaves credentials, cookies and nonces in; they are taken
	// out otherwise.
	KeepCredentials bool
	// Generator is noted in the file.
	Generator string
}

// Convert writes recordings in the other format and returns how many exchanges
// it wrote. Write cases have no place in HAR: each of their steps becomes an entry.
func Convert(o ConvertOptions, out io.Writer) (int, error) {
	files, err := ExpandGlobs(o.Recordings)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriterSize(out, 1<<16)
	var sink interface {
		add(Entry) error
		close() error
	}
	switch o.Format {
	case FormatJSONLines:
		sink = &linesWriter{w: w, keep: o.KeepCredentials}
	case FormatHAR:
		sink = &harWriter{w: w, keep: o.KeepCredentials, origin: o.Origin, generator: o.Generator}
	default:
		return 0, fmt.Errorf("unknown format %q, expected %s or %s", o.Format, FormatJSONLines, FormatHAR)
	}
	count := 0
	err = Read(files, func(e Entry) error {
		if e.Header == nil {
			count++
		}
		return sink.add(e)
	})
	if err == nil {
		err = sink.close()
	}
	if err == nil {
		err = w.Flush()
	}
	return count, err
}

// ConvertFile is Convert into a file; "" and "-" are not special.
func ConvertFile(o ConvertOptions, file string) (int, error) {
	f, err := os.Create(file)
	if err != nil {
		return 0, fmt.Errorf("the converted recording cannot be written: %w", err)
	}
	count, err := Convert(o, f)
	if closeErr := f.Close(); err == nil && closeErr != nil {
		err = closeErr
	}
	return count, err
}

type linesWriter struct {
	w    io.Writer
	keep bool
}

func (l *linesWriter) add(e Entry) error {
	switch {
	case e.Header != nil:
		return WriteLine(l.w, e.Header)
	case e.Case != nil:
		return WriteLine(l.w, l.redactCase(e.Case))
	case l.keep:
		return WriteLine(l.w, e.Exchange)
	}
	return WriteLine(l.w, Redact(e.Exchange, nil))
}

func (l *linesWriter) redactCase(c *Case) *Case {
	if l.keep {
		return c
	}
	out := *c
	out.Steps = make([]Step, len(c.Steps))
	for i, step := range c.Steps {
		x := Redact(c.Exchange(i), nil)
		step.Request, step.Response, step.Noise = x.Request, x.Response, x.Noise
		out.Steps[i] = step
	}
	return &out
}

func (l *linesWriter) close() error { return nil }

// WriteLine writes a value as one line of JSON, as recordings have it.
func WriteLine(w io.Writer, value any) error {
	data, err := MarshalPlain(value)
	if err != nil {
		return fmt.Errorf("line cannot be written: %w", err)
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
