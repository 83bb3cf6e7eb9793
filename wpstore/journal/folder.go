package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"calbridge/wpstore/statedir"
)

// ErrStateDir is returned while the state folder can't be used: it is full, read-only, or gone.
var ErrStateDir = errors.New("the state folder cannot be used")

// inFolder returns an error that matches [ErrStateDir] and names the folder if that is the cause
// of err, else err.
func inFolder(dir string, err error) error {
	if !ofFolder(err) || errors.Is(err, ErrStateDir) {
		return err
	}
	return fmt.Errorf("%w: make room in %s, and make it writable: %w", ErrStateDir, dir, err)
}

// ofFolder reports whether an error comes from the folder of a file: SQLite's result codes for a
// database that is read-only, or can't be read, written, extended or opened, and what the
// operating system says of a file or a folder.
func ofFolder(err error) bool {
	const readOnly, input, full, cannotOpen, primary = 8, 10, 13, 14, 0xff
	var of interface{ Code() int }
	if errors.As(err, &of) {
		switch of.Code() & primary {
		case readOnly, input, full, cannotOpen:
			return true
		}
		return false
	}
	var path *fs.PathError
	var number syscall.Errno
	return errors.Is(err, statedir.ErrInUse) || errors.As(err, &path) && errors.As(err, &number)
}
