package wpfolder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// place is a folder.
type place struct {
	root *os.Root
	path string // as WordPress names it, including links
	err  error  // why root is nil
}

// errWarned is returned for files in a folder that has a warning already.
var errWarned = errors.New("its folder cannot be read")

// reader reads below an installation's folders and collects problems as warnings.
type reader struct {
	dir      string  // of WordPress
	bases    []place // the folders within which links may lead
	opened   []*os.Root
	warnings []Warning
}

// maxWarnings limits the warnings of an installation whose files can't be read.
const maxWarnings = 200

func (r *reader) warn(file, problem string) {
	w := Warning{file, problem}
	if len(r.warnings) == maxWarnings || slices.Contains(r.warnings, w) {
		return
	}
	if len(r.warnings) == maxWarnings-1 {
		w.Problem += "; further warnings are left out"
	}
	r.warnings = append(r.warnings, w)
}

// report adds a warning for an error, unless a file just does not exist. It returns the
// error for callers that need the file.
func (r *reader) report(file string, err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, errWarned) {
		return err
	}
	r.warn(file, problem(err))
	return errWarned
}

func (r *reader) close() {
	for _, root := range r.opened {
		root.Close()
	}
}

// label returns the name of a file in warnings: relative to the WordPress folder, or
// absolute if the file lies outside.
func (r *reader) label(p place, name string) string {
	path := filepath.Join(p.path, name)
	if rel, err := filepath.Rel(r.dir, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// base opens a folder that a constant in wp-config.php may name. By default it is name
// within parent, and need not exist.
func (r *reader) base(parent place, name, constant string) place {
	if constant == "" {
		p := r.folder(parent, name)
		r.bases = append(r.bases, p)
		return p
	}
	if !filepath.IsAbs(constant) {
		constant = filepath.Join(r.dir, constant)
	}
	p := place{path: constant}
	p.root, p.err = os.OpenRoot(constant)
	if p.err != nil {
		r.warn(constant, problem(p.err))
		p.err = errWarned
		return p
	}
	r.opened = append(r.opened, p.root)
	r.bases = append(r.bases, p)
	return p
}

// folder opens a folder within a place. A problem becomes a warning, unless the folder just
// does not exist.
func (r *reader) folder(parent place, name string) place {
	p := place{path: filepath.Join(parent.path, name)}
	within, rel, err := r.locate(parent, name)
	if err == nil {
		p.root, err = within.root.OpenRoot(rel)
	}
	if err != nil {
		p.root, p.err = nil, r.report(r.label(parent, name), err)
		return p
	}
	r.opened = append(r.opened, p.root)
	return p
}

// locate follows links from a name in a place. It returns the place and the name below it
// where they lead. The operating system's check (os.Root) refuses absolute links even if
// they stay inside. They are resolved here, and checked again when the file is opened.
func (r *reader) locate(p place, name string) (place, string, error) {
	if !filepath.IsLocal(name) {
		return place{}, "", errors.New("the name leads out of its folder")
	}
	if p.root == nil {
		return place{}, "", p.err
	}
	_, err := p.root.Stat(name)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return p, name, err
	}
	path, linkErr := filepath.EvalSymlinks(filepath.Join(p.path, name))
	if errors.Is(linkErr, fs.ErrNotExist) {
		return place{}, "", linkErr
	}
	if linkErr != nil {
		return place{}, "", err
	}
	for _, base := range r.bases {
		real, err := filepath.EvalSymlinks(base.path)
		if err != nil || base.root == nil {
			continue
		}
		if rel, err := filepath.Rel(real, path); err == nil && filepath.IsLocal(rel) {
			return base, rel, nil
		}
	}
	return place{}, "", fmt.Errorf("a link leads out of the WordPress folder, to %s", path)
}

// open opens a regular file.
func (r *reader) open(p place, name string) (*os.File, error) {
	within, rel, err := r.locate(p, name)
	if err != nil {
		return nil, err
	}
	// Opening a named pipe would wait for a writer.
	f, err := within.root.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// head reads at most the first limit bytes of a file. Every error is also a warning, except
// if the file does not exist.
func (r *reader) head(p place, name string, limit int64) ([]byte, error) {
	var data []byte
	f, err := r.open(p, name)
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(f, limit))
		f.Close()
	}
	return data, r.report(r.label(p, name), err)
}

// whole reads a file of at most limit bytes. A larger file is an error and a warning.
func (r *reader) whole(p place, name string, limit int64) ([]byte, error) {
	data, err := r.head(p, name, limit+1)
	if err == nil && int64(len(data)) > limit {
		err = r.report(r.label(p, name), fmt.Errorf("it has more than %d KiB", limit>>10))
	}
	return data, err
}

// list returns at most limit entries of a folder, in the order of their names. A problem
// becomes a warning, unless the folder just does not exist.
func (r *reader) list(p place, name string, limit int) []fs.DirEntry {
	var entries []fs.DirEntry
	within, rel, err := r.locate(p, name)
	if err == nil {
		var f *os.File
		if f, err = within.root.Open(rel); err == nil {
			entries, err = f.ReadDir(limit)
			f.Close()
		}
	}
	if !errors.Is(err, io.EOF) { // returned for an empty folder
		r.report(r.label(p, name), err)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}

// isFolder reports whether a name, or the target of its link, is a folder within the
// installation.
func (r *reader) isFolder(p place, name string) bool {
	within, rel, err := r.locate(p, name)
	if err != nil {
		return false
	}
	info, err := within.root.Stat(rel)
	return err == nil && info.IsDir()
}

// problem returns the text of an error for a warning, which names the file next to it.
func problem(err error) string {
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "calbridge has no permission to read it"
	case errors.Is(err, fs.ErrNotExist):
		return "it does not exist"
	case errors.As(err, &path):
		return path.Err.Error()
	}
	return err.Error()
}
