package statedir

import (
	"errors"
	"os"
)

// Replace writes a file atomically. If the process or the machine stops, the file has
// either its old or its new content. After Replace has returned, the new content is
// durable.
func (f *Folder) Replace(name string, data []byte) error {
	for _, step := range f.steps(name, data) {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// steps returns the steps of Replace.
func (f *Folder) steps(name string, data []byte) []func() error {
	path, beside := f.Path(name), f.Path(name+".new")
	var file *os.File
	half := len(data) / 2
	write := func(part []byte) func() error {
		return func() error {
			_, err := file.Write(part)
			if err != nil {
				err = errors.Join(err, file.Close())
			}
			return err
		}
	}
	return []func() error{
		func() error { return existing(os.Remove(beside)) }, // left by a process that was killed
		func() (err error) {
			file, err = os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			return err
		},
		write(data[:half]), write(data[half:]),
		func() error { return errors.Join(file.Chmod(0o600), file.Sync(), file.Close()) },
		func() error { return os.Rename(beside, path) },
		f.sync,
	}
}

// Remove removes a file durably. A missing file is not an error.
func (f *Folder) Remove(name string) error {
	if err := existing(os.Remove(f.Path(name))); err != nil {
		return err
	}
	return f.sync()
}

// sync makes renames and removals survive a power failure.
func (f *Folder) sync() error {
	dir, err := os.Open(f.path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// existing returns nil instead of the error for a missing file.
func existing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
