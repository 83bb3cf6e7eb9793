package report

import (
	"fmt"
	"io"

	"calbridge/compat/recording"
	"calbridge/compat/replay"
)

// Files are the names of the reports to write. "" writes none.
type Files struct {
	JSON, JUnit, HTML string
}

// Any reports whether any report is requested.
func (f Files) Any() bool { return f.JSON != "" || f.JUnit != "" || f.HTML != "" }

// Write writes the requested reports. The comparison must be made with
// replay.Options.Details.
func (f Files) Write(r *replay.Report) error {
	for _, one := range []struct {
		file  string
		write func(io.Writer, *replay.Report) error
	}{{f.JSON, JSON}, {f.JUnit, JUnit}, {f.HTML, HTML}} {
		if one.file == "" {
			continue
		}
		if err := recording.WriteFile(one.file, func(w io.Writer) error { return one.write(w, r) }); err != nil {
			return fmt.Errorf("report %s cannot be written: %w", one.file, err)
		}
	}
	return nil
}
