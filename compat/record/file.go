package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"calbridge/compat/recording"
)

// recordingFile is the file that a recording is written to, line by line, and
// taken up from.
type recordingFile struct {
	file     *os.File
	header   recording.Header // zero when the file is new
	finished bool
	// have are the exchanges of an earlier run by their requests, cases the ids of
	// its write cases.
	have  map[string]*recording.Exchange
	cases map[string]bool
}

// openRecording opens or makes the file. A line that was not written to its end
// is taken off.
func openRecording(name string) (*recordingFile, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("recording cannot be written: %w", err)
	}
	out := &recordingFile{file: f, have: map[string]*recording.Exchange{}, cases: map[string]bool{}}
	if err := out.load(name); err != nil {
		f.Close()
		return nil, err
	}
	return out, nil
}

func (f *recordingFile) load(name string) error {
	data, err := io.ReadAll(f.file)
	if err != nil {
		return fmt.Errorf("recording cannot be read: %w", err)
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	if len(whole) > 0 {
		err := recording.ReadLines(bytes.NewReader(whole), name, func(e recording.Entry) error {
			switch {
			case e.Exchange != nil:
				f.have[recording.RequestID(e.Exchange.As, e.Exchange.Request)] = e.Exchange
			case e.Case != nil:
				f.cases[e.Case.ID] = true
			case e.Header != nil:
				var header recording.Header
				if err := json.Unmarshal(e.Header, &header); err != nil || header.Format != recording.HeaderFormat {
					return errors.New("the file holds another recording: give a new file")
				}
				f.finished = !header.Finished.IsZero()
				if !f.finished {
					f.header = header
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("recording cannot be gone on with: %w", err)
		}
		if f.header.Format == "" {
			return fmt.Errorf("%s is no recording made by record: give a new file", name)
		}
	} else if len(data) > 0 && !bytes.HasPrefix(data, []byte(`{"format":"`+recording.HeaderFormat)) {
		return fmt.Errorf("%s is no recording: give a new file", name)
	}
	if err := f.file.Truncate(int64(len(whole))); err != nil {
		return err
	}
	_, err = f.file.Seek(int64(len(whole)), io.SeekStart)
	return err
}

func (f *recordingFile) write(value any) error {
	if err := recording.WriteLine(f.file, value); err != nil {
		return fmt.Errorf("recording cannot be written: %w", err)
	}
	return nil
}

func (f *recordingFile) close() { f.file.Close() }
