package compat

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

// ReportFiles are the files that RunCompare writes besides its output. "" writes
// none.
type ReportFiles struct {
	JSON, JUnit, HTML string
}

func (f ReportFiles) any() bool { return f.JSON != "" || f.JUnit != "" || f.HTML != "" }

// Write writes the reports that are asked for. The comparison has to be made with
// Options.Details.
func (f ReportFiles) Write(r *Report) error {
	for _, one := range []struct {
		file  string
		write func(io.Writer) error
	}{{f.JSON, r.WriteJSON}, {f.JUnit, r.WriteJUnit}, {f.HTML, r.WriteHTML}} {
		if one.file == "" {
			continue
		}
		if err := writeTo(one.file, one.write); err != nil {
			return fmt.Errorf("report %s cannot be written: %w", one.file, err)
		}
	}
	return nil
}

func writeTo(file string, write func(io.Writer) error) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}
