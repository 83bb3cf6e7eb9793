package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// Journal is a recording that a running server writes: exchanges without
// credentials, in a file of bounded size that `calbridge compare` replays. When the
// file is full it becomes FILE.1, in the place of an earlier one, and a new one is
// begun. It is safe for concurrent use.
type Journal struct {
	name   string
	max    int64
	header Header

	mu   sync.Mutex
	file *os.File // nil once closed
	size int64
}

// OpenJournal opens a file for appending, or makes it; only its owner may read it.
// max is its largest size in bytes. header describes what follows.
func OpenJournal(name string, max int64, header Header) (*Journal, error) {
	header.Format = HeaderFormat
	j := &Journal{name: name, max: max, header: header}
	if err := j.open(); err != nil {
		return nil, err
	}
	return j, nil
}

// open goes on at the end of the last whole line: a line may have been cut off when
// the machine went down.
func (j *Journal) open() error {
	f, err := os.OpenFile(j.name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("recording cannot be written: %w", err)
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
		return fmt.Errorf("recording cannot be gone on with: %w", err)
	}
	j.file, j.size = f, end
	return j.write(j.header)
}

// lastLineEnd returns the offset behind the last line feed. A file that does not
// begin as a recording does is somebody else's.
func lastLineEnd(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return 0, err
	}
	head := make([]byte, len(`{"format":"`+HeaderFormat))
	if _, err := f.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	if string(head) != `{"format":"`+HeaderFormat {
		return 0, fmt.Errorf("%s is no recording: give a new file", f.Name())
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

// Append writes an exchange, without credentials.
func (j *Journal) Append(x *Exchange) error {
	x = Redact(x, nil)
	x.Request.Path = RedactPasswords(x.Request.Path)
	line, err := MarshalPlain(x)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return errors.New("the recording is closed")
	}
	if room := int64(len(line)) + 1; room <= j.max && j.size+room > j.max {
		if err := j.rotate(); err != nil {
			return err
		}
	}
	if j.size+int64(len(line))+1 > j.max {
		return fmt.Errorf("an exchange of %d bytes is larger than the whole recording may be", len(line))
	}
	return j.writeBytes(line)
}

func (j *Journal) rotate() error {
	if err := j.file.Close(); err != nil {
		return err
	}
	if err := os.Rename(j.name, j.name+".1"); err != nil {
		return errors.Join(err, j.open())
	}
	return j.open()
}

func (j *Journal) write(value any) error {
	line, err := MarshalPlain(value)
	if err != nil {
		return err
	}
	return j.writeBytes(line)
}

func (j *Journal) writeBytes(line []byte) error {
	n, err := j.file.Write(append(line, '\n'))
	j.size += int64(n)
	if err != nil {
		return fmt.Errorf("recording cannot be written: %w", err)
	}
	return nil
}

// Close closes the file.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	err := j.file.Close()
	j.file = nil
	return err
}
