package recording

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// WriteFile creates a file and calls write to fill it.
func WriteFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	err = write(w)
	return errors.Join(err, w.Flush(), f.Close())
}

// OpenAppend opens a recording for appending, or creates it; only its owner may read it.
// It removes a last line that was cut off by a crash. It returns the file's size and
// refuses files that are not recordings.
func OpenAppend(name string) (*os.File, int64, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, 0, fmt.Errorf("recording cannot be written: %w", err)
	}
	end, err := lastLineEnd(f)
	if err == nil {
		err = f.Truncate(end)
	}
	if err == nil {
		_, err = f.Seek(end, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, 0, fmt.Errorf("recording cannot be continued: %w", err)
	}
	return f, end, nil
}

// CheckAppend returns the error that OpenAppend would return, nil for none. It leaves the file
// as it is.
func CheckAppend(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		if f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			defer os.Remove(name)
		}
	}
	if err != nil {
		return fmt.Errorf("recording cannot be written: %w", err)
	}
	defer f.Close()
	if _, err := lastLineEnd(f); err != nil {
		return fmt.Errorf("recording cannot be continued: %w", err)
	}
	return nil
}

// opening is the beginning of every recording.
const opening = `{"format":"` + HeaderFormat

func noRecording(f *os.File) error {
	return fmt.Errorf("%s is no recording, or another recording: give a new file", f.Name())
}

// lastLineEnd returns the offset after the last line feed.
func lastLineEnd(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return 0, err
	}
	head := make([]byte, len(opening))
	if _, err := f.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	if string(head) != opening {
		return 0, noRecording(f)
	}
	const chunk = 64 << 10
	for end := info.Size(); end > 0; end = max(end-chunk, 0) {
		part := make([]byte, min(end, chunk))
		if _, err := f.ReadAt(part, end-int64(len(part))); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return end - int64(len(part)) + int64(i) + 1, nil
		}
	}
	return 0, nil
}
