package recording

import (
	"errors"
	"fmt"
	"os"
	"sync"
)

// Journal is a recording written by a running server: exchanges without credentials, in
// a file of limited size that `calbridge compare` replays. A full file is renamed to
// FILE.1, replacing an earlier one, and a new file is started. Journal is safe for
// concurrent use.
type Journal struct {
	name   string
	max    int64
	header Header

	mu   sync.Mutex
	file *os.File // nil once closed
	size int64
}

// OpenJournal opens a file for appending, or creates it. max is its maximum size in
// bytes. header describes the exchanges that follow.
func OpenJournal(name string, max int64, header Header) (*Journal, error) {
	header.Format = HeaderFormat
	j := &Journal{name: name, max: max, header: header}
	if err := j.open(); err != nil {
		return nil, err
	}
	return j, nil
}

func (j *Journal) open() error {
	var err error
	if j.file, j.size, err = OpenAppend(j.name); err != nil {
		return err
	}
	line, err := MarshalPlain(j.header)
	if err != nil {
		return err
	}
	return j.write(line)
}

// Append writes an exchange, without credentials.
func (j *Journal) Append(x *Exchange) error {
	line, err := MarshalPlain(RedactLive(x))
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return errors.New("the recording is closed")
	}
	size := int64(len(line)) + 1
	if size <= j.max && j.size+size > j.max {
		if err := j.rotate(); err != nil {
			return err
		}
	}
	if j.size+size > j.max {
		return fmt.Errorf("an exchange of %d bytes is larger than the whole recording may be", len(line))
	}
	return j.write(line)
}

func (j *Journal) rotate() error {
	err := j.file.Close()
	if err == nil {
		err = os.Rename(j.name, j.name+".1")
	}
	return errors.Join(err, j.open())
}

func (j *Journal) write(line []byte) error {
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
