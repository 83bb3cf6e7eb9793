package recording

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
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
	// Origin is scheme and host of exchanges without their own; without it the
	// recording's header or the recorded Link header names them.
	Origin string
	// KeepCredentials leaves credentials, cookies and nonces in; otherwise they are
	// redacted.
	KeepCredentials bool
	// Generator is noted in the file.
	Generator string
	// Progress, when not nil, gets the bytes of the recordings that have been read and
	// those that there are.
	Progress func(done, total int64)
}

// Convert writes recordings in the other format and returns the number of exchanges
// written. HAR has no write cases, so each of their steps becomes an entry.
func Convert(o ConvertOptions, out io.Writer) (int, error) {
	files, err := ExpandGlobs(o.Recordings)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriterSize(out, 1<<16) // Flush reports its first error
	add, end := func(e Entry) error { return WriteLine(w, e.value()) }, ""
	switch o.Format {
	case FormatJSONLines:
	case FormatHAR:
		creator, err := json.Marshal(harCreator{Name: "calbridge", Version: o.Generator})
		if err != nil {
			return 0, err
		}
		fmt.Fprintf(w, "{\"log\":{\"version\":\"1.2\",\"creator\":%s,\"entries\":[\n", creator)
		add, end = (&harWriter{w: w, origin: o.Origin}).add, "\n]}}\n"
	default:
		return 0, fmt.Errorf("unknown format %q, expected %s or %s", o.Format, FormatJSONLines, FormatHAR)
	}
	count := 0
	err = ReadWithProgress(files, o.Progress, func(e Entry) error {
		if e.Header == nil {
			count++
		}
		if !o.KeepCredentials {
			e = e.redacted()
		}
		return add(e)
	})
	if err != nil {
		return count, err
	}
	fmt.Fprint(w, end)
	return count, w.Flush()
}

// WriteLine writes a value as one line of JSON, in the form that recordings use.
func WriteLine(w io.Writer, value any) error {
	data, err := MarshalPlain(value)
	if err != nil {
		return fmt.Errorf("line cannot be written: %w", err)
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
