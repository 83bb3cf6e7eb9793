package notice

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

const (
	outboxPattern = "saved-*.jsonl"
	// maxOutbox is the size at which an outbox is rewritten with only what is still in it.
	maxOutbox = 16 << 20
	// outboxFormat is the version of the file's lines. Files of builds before 0.2.0 have no first line
	// with a format, and the same saves.
	outboxFormat = 1
)

// errNewerOutbox is returned if the folder has files in a format of a later build. They are left
// there.
var errNewerOutbox = errors.New("a newer calbridge wrote it")

// outboxHeader is the first line of a file.
type outboxHeader struct {
	Format int `json:"format"`
}

// outbox stores the saves that WordPress has not received in a file, from which the next process
// takes them. A first line has the format; each further one has a save. Each process and each reload
// has its own file, which it locks. A nil outbox stores nothing.
type outbox struct {
	file *os.File
	size int64
}

// openOutbox makes a file in a folder, and returns the saves that earlier processes have left
// there, even if it fails. Their files are removed once the saves are in the new one. With
// errNewerOutbox, the outbox can be used nevertheless.
func openOutbox(dir string) (*outbox, []Saved, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, nil, err
	}
	earlier, err := filepath.Glob(filepath.Join(dir, outboxPattern))
	if err != nil {
		return nil, nil, err
	}
	file, err := os.CreateTemp(dir, outboxPattern)
	if err != nil {
		return nil, nil, err
	}
	o := &outbox{file: file}
	if err := lockFile(file); err != nil {
		return nil, nil, errors.Join(err, o.end(false))
	}
	var left []Saved
	var newer error
	for _, path := range earlier {
		saved, err := o.adopt(path)
		left = append(left, saved...)
		switch {
		case errors.Is(err, errNewerOutbox):
			newer = errors.Join(newer, err)
		case err != nil:
			return nil, left, errors.Join(err, o.end(len(left) > 0))
		}
	}
	return o, left, newer
}

// adopt takes over the saves in another file, unless a process uses it.
func (o *outbox) adopt(path string) ([]Saved, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil // another process has adopted it
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	err = lockFile(file)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	first, _, _ := bytes.Cut(text, []byte("\n"))
	var header outboxHeader
	if json.Unmarshal(first, &header) == nil && header.Format > outboxFormat {
		return nil, fmt.Errorf("%s: %w, in format %d; this one reads formats up to %d", path, errNewerOutbox, header.Format, outboxFormat)
	}
	var left []Saved
	for line := range bytes.Lines(text) {
		var s Saved
		if json.Unmarshal(line, &s) == nil && s.check() == nil { // not the header, nor a last line that was cut off
			left = append(left, s)
		}
	}
	if err := o.add(left); err != nil {
		return left, err
	}
	return left, os.Remove(path)
}

func lockFile(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// add appends saves. They survive the end of the process, but not that of the machine within the
// next seconds.
func (o *outbox) add(all []Saved) error {
	if o == nil || len(all) == 0 {
		return nil
	}
	var text bytes.Buffer
	var lines []any
	if o.size == 0 {
		lines = append(lines, outboxHeader{outboxFormat})
	}
	for _, s := range all {
		lines = append(lines, s)
	}
	for _, l := range lines {
		line, err := json.Marshal(l)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	n, err := o.file.WriteAt(text.Bytes(), o.size)
	if err != nil { // the partial last line is overwritten
		return fmt.Errorf("keep saves for WordPress: %w", err)
	}
	o.size += int64(n)
	return nil
}

// delivered removes what was delivered: left are the saves that were not.
func (o *outbox) delivered(left func() []Saved) error {
	if o == nil || o.size == 0 {
		return nil
	}
	remaining := left()
	if len(remaining) > 0 && o.size < maxOutbox {
		return nil // after a kill, some are received again; the plugin recognizes their tokens
	}
	o.size = 0
	if err := o.file.Truncate(0); err != nil {
		return err
	}
	return o.add(remaining)
}

// end closes the file. It removes the file unless saves are left that the next process takes.
func (o *outbox) end(left bool) error {
	if o == nil {
		return nil
	}
	var err error
	if !left {
		err = os.Remove(o.file.Name())
	}
	return errors.Join(err, o.file.Close())
}
