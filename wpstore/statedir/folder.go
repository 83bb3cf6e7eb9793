package statedir

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// ErrInUse is returned when another process, or another part of this one, uses a folder.
var ErrInUse = errors.New("in use by another site or process")

// Folder is a folder that is locked until Close or until the process ends in any way. Its
// methods must not be called concurrently.
type Folder struct {
	path, name string
	lock       *os.File
}

// Open creates the folder if it is missing, and locks it by a file named lock in it. The
// error matches [ErrInUse] if it is locked already.
func Open(path, lock string) (*Folder, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("make a folder for what survives a restart: %w", err)
	}
	if err := os.Chmod(path, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(path, lock), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = ErrInUse
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s is %w", path, err), f.Close())
	}
	return &Folder{path, lock, f}, nil
}

// Locked reports whether the folder still has the file that locks it. It hasn't once somebody has
// removed the folder or the file; another process can lock it then.
func (f *Folder) Locked() bool {
	ours, err := f.lock.Stat()
	if err != nil {
		return false
	}
	theirs, err := os.Stat(f.lock.Name())
	return err == nil && os.SameFile(ours, theirs)
}

// Relock locks the folder again, as [Open] does, and makes it where it is gone.
func (f *Folder) Relock() error {
	again, err := Open(f.path, f.name)
	if err != nil {
		return err
	}
	_ = f.lock.Close()
	*f = *again
	return nil
}

// Close releases the lock.
func (f *Folder) Close() error { return f.lock.Close() }

// Path returns the path of a file in the folder.
func (f *Folder) Path(name string) string { return filepath.Join(f.path, name) }

// Read reads a file of at most most bytes. The error matches [os.ErrNotExist] if the file
// does not exist.
func (f *Folder) Read(name string, most int64) ([]byte, error) {
	file, err := os.Open(f.Path(name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s has more than %d bytes", f.Path(name), most)
	}
	return data, err
}
