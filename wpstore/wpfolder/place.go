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
	path string // as WordPress names it, with links
	err  error  // why root is nil
}

// errWarned is the error of what lies in a folder that there is a warning about.
var errWarned = errors.New("its folder cannot be read")

// reader reads below an installation's folders and collects what it could not read.
type reader struct {
	dir      string  // of WordPress
	bases    []place // the folders within which links may lead
	opened   []*os.Root
	warnings []Warning
}

// maxWarnings bounds the warnings of an installation none of whose files can be read.
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

// report warns of an error, unless a file is just not there, and returns the error that
// those get who need the file.
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

// label returns how warnings name a file: relative to the WordPress folder, absolute where it
// lies outside.
func (r *reader) label(p place, name string) string {
	path := filepath.Join(p.path, name)
	if rel, err := filepath.Rel(r.dir, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// base opens a folder that wp-config.php may name by a constant. By default it is name
// within parent, and need not be there.
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

// folder opens a folder within a place. Unless it is just not there, a problem is a warning.
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

// locate follows links from a name in a place to the place and the name below which it
// lies. The operating system's check (os.Root) refuses absolute links even where they
// stay inside; these are resolved here, and checked again when the file is opened.
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
		err = errors.New("it is no regular file")
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// head reads at most the first limit bytes of a file. Every error but that the file is
// not there is also a warning.
func (r *reader) head(p place, name string, limit int64) ([]byte, error) {
	var data []byte
	f, err := r.open(p, name)
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(f, limit))
		f.Close()
	}
	return data, r.report(r.label(p, name), err)
}

// whole reads a file of at most limit bytes; a larger one is an error, and a warning.
func (r *reader) whole(p place, name string, limit int64) ([]byte, error) {
	data, err := r.head(p, name, limit+1)
	if err == nil && int64(len(data)) > limit {
		err = r.report(r.label(p, name), fmt.Errorf("it has more than %d KiB", limit>>10))
	}
	return data, err
}

// list has at most limit entries of a folder, in the order of their names. A problem is
// a warning, unless the folder is just not there.
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
	if !errors.Is(err, io.EOF) { // which an empty folder gives
		r.report(r.label(p, name), err)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}

// isFolder reports whether a name, or what it links to, is a folder within the installation.
func (r *reader) isFolder(p place, name string) bool {
	within, rel, err := r.locate(p, name)
	if err != nil {
		return false
	}
	info, err := within.root.Stat(rel)
	return err == nil && info.IsDir()
}

// problem returns an error as a warning says it, which names the file beside it.
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
