package record

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"calbridge/compat/recording"
)

// recordingFile is the file that a recording is written to, line by line. An
// interrupted recording is continued from it.
type recordingFile struct {
	file     io.WriteCloser
	header   recording.Header // zero when the file is new
	finished bool
	// have holds the exchanges of an earlier run by request, cases the ids of its write
	// cases.
	have  map[string]*recording.Exchange
	cases map[string]bool
	// empty reports that the file has no line.
	empty bool
}

// openRecording opens or creates the file and reads what an earlier run recorded.
func openRecording(name string) (*recordingFile, error) {
	file, err := openAppend(name)
	if err != nil {
		return nil, err
	}
	f := &recordingFile{file: file, have: map[string]*recording.Exchange{}, cases: map[string]bool{}, empty: true}
	if err := recording.Read([]string{name}, f.resume); err != nil {
		file.Close()
		return nil, fmt.Errorf("recording cannot be continued: %w", err)
	}
	return f, nil
}

// openAppend opens a file for whole lines, compressed if its name ends with .gz.
func openAppend(name string) (io.WriteCloser, error) {
	if strings.HasSuffix(name, ".gz") {
		return recording.OpenGzip(name)
	}
	file, _, err := recording.OpenAppend(name)
	return file, err
}

func (f *recordingFile) resume(e recording.Entry) error {
	f.empty = false
	switch {
	case e.Exchange != nil:
		f.have[recording.RequestID(e.Exchange.As, e.Exchange.Request)] = e.Exchange
	case e.Case != nil:
		f.cases[e.Case.ID] = true
	case e.Header != nil:
		header, ok := recording.ParseHeader(e.Header)
		if !ok {
			return errors.New("the file holds another recording: give a new file")
		}
		f.finished = !header.Finished.IsZero()
		if !f.finished {
			f.header = header
		}
	}
	return nil
}

func (f *recordingFile) write(value any) error {
	if err := recording.WriteLine(f.file, value); err != nil {
		return fmt.Errorf("recording cannot be written: %w", err)
	}
	f.empty = false
	return nil
}

// complete makes the file readable as it is.
func (f *recordingFile) complete() error {
	if packed, ok := f.file.(*recording.GzipFile); ok {
		return packed.Complete()
	}
	return nil
}
