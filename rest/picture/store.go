package picture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"

	"golang.org/x/sync/semaphore"

	"calbridge/wpstore/php"
)

// Folder is the uploads folder of a site. It is safe for concurrent use; the pictures in
// work together share one budget of memory.
type Folder struct {
	dir    string
	memory int64
	budget *semaphore.Weighted
}

const (
	defaultMemory = 384 << 20
	// muchMemory is collected before others get it, instead of some time later.
	muchMemory = 64 << 20
)

// NewFolder returns the folder at dir, which need not exist yet. memory, in bytes, bounds
// what pictures take while their copies are made, 0 for a default; a picture that needs
// more is stored without copies.
func NewFolder(dir string, memory int64) *Folder {
	memory = cmp.Or(memory, defaultMemory)
	return &Folder{dir: dir, memory: memory, budget: semaphore.NewWeighted(memory)}
}

// Saved is a stored picture.
type Saved struct {
	// File is the path below the uploads folder: 2026/11/name-AbC123.jpg.
	File string
	// Title is the name of the file before a copy replaced it.
	Title, Mime string
	// Metadata is the value of _wp_attachment_metadata.
	Metadata *php.Array

	folder  *Folder
	written []string
}

// save is one call of Save.
type save struct {
	root *os.Root
	*Saved
	dir, stem, extension string
}

// Save stores a picture that came from address in the subfolder sub, such as
// 2026/11, with its smaller copies. Nothing is left behind when it fails. The name
// has six random characters, after stem.
func (f *Folder) Save(ctx context.Context, p *Picture, sub, address, stem string, sizes []Size) (_ *Saved, err error) {
	weight := int64(0)
	if p.format != "webp" && p.memory() <= f.memory {
		weight = p.memory()
	}
	if err := f.budget.Acquire(ctx, weight); err != nil {
		return nil, fmt.Errorf("wait to store a picture: %w", err)
	}
	defer func() {
		if weight > muchMemory {
			debug.FreeOSMemory()
		}
		f.budget.Release(weight)
	}()
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, fmt.Errorf("uploads folder: %w", err)
	}
	defer root.Close()
	s := &save{root: root, Saved: &Saved{Mime: p.Mime, folder: f}, dir: sub, extension: extension(p.format, address)}
	s.stem = stem + "-" + random()
	s.Title = s.stem
	defer func() {
		if err != nil {
			s.remove(root)
		}
	}()
	if err := s.makeFolder(); err != nil {
		return nil, err
	}
	if err := s.store(ctx, p, sizes, weight > 0); err != nil {
		return nil, err
	}
	return s.Saved, nil
}

func (s *save) store(ctx context.Context, p *Picture, sizes []Size, withCopies bool) error {
	original := s.stem + "." + s.extension
	if err := s.write(original, p.data); err != nil {
		return err
	}
	meta := &php.Array{}
	s.Metadata, s.File = meta, path.Join(s.dir, original)
	describe := func(w, h int, name string, size int) {
		meta.SetString("width", int64(w))
		meta.SetString("height", int64(h))
		meta.SetString("file", path.Join(s.dir, name))
		meta.SetString("filesize", int64(size))
	}
	describe(p.Width, p.Height, original, len(p.data))
	copies := &php.Array{}
	meta.SetString("sizes", copies)
	info := blankInfo()
	meta.SetString("image_meta", info)
	if !withCopies {
		return nil
	}
	src, err := p.source(ctx)
	if err != nil {
		return err
	}
	// A picture that is very large or lies on its side is replaced by a copy, except
	// for PNG, whose copies may be larger than the original.
	big := p.Mime != "image/png" && (p.Width > largest || p.Height > largest)
	if big || p.orientation > 1 {
		w, h, suffix := p.Width, p.Height, "-rotated"
		if big {
			w, h = fit(p.Width, p.Height, largest, largest)
			suffix = "-scaled"
		}
		name := s.stem + suffix + "." + s.extension
		size, err := s.writeCopy(ctx, src, w, h, image.Rect(0, 0, p.Width, p.Height), name)
		if err != nil {
			return err
		}
		describe(w, h, name, size)
		s.File = path.Join(s.dir, name)
		meta.SetString("original_image", original)
		if p.orientation > 1 {
			info.SetString("orientation", int64(1))
		}
	}
	made := map[string]int{} // sizes of several names may be the same file
	for _, want := range sizes {
		w, h, part, ok := want.copyOf(p.Width, p.Height)
		if !ok {
			continue
		}
		name := s.stem + "-" + strconv.Itoa(w) + "x" + strconv.Itoa(h) + "." + s.extension
		size, seen := made[name]
		if !seen {
			size, err = s.writeCopy(ctx, src, w, h, part, name)
			if err != nil {
				return err
			}
			made[name] = size
		}
		one := &php.Array{}
		one.SetString("file", name)
		one.SetString("width", int64(w))
		one.SetString("height", int64(h))
		one.SetString("mime-type", p.Mime)
		one.SetString("filesize", int64(size))
		copies.SetString(want.Name, one)
	}
	return nil
}

func (s *save) writeCopy(ctx context.Context, src *source, w, h int, part image.Rectangle, name string) (int, error) {
	pixels, err := src.scaled(ctx, w, h, part)
	if err != nil {
		return 0, err
	}
	data, err := src.encode(ctx, pixels)
	if err != nil {
		return 0, err
	}
	return len(data), s.write(name, data)
}

// blankInfo returns the image_meta of a picture without any.
func blankInfo() *php.Array {
	info := &php.Array{}
	for _, k := range []struct {
		name  string
		value php.Value
	}{
		{"aperture", "0"}, {"credit", ""}, {"camera", ""}, {"caption", ""}, {"created_timestamp", "0"}, {"copyright", ""}, {"focal_length", "0"},
		{"iso", "0"}, {"shutter_speed", "0"}, {"title", ""}, {"orientation", "0"}, {"keywords", &php.Array{}}, {"alt", ""},
	} {
		info.SetString(k.name, k.value)
	}
	return info
}

// makeFolder creates the subfolder, and those above it, with the permissions of the uploads
// folder. The umask of the process, which keeps its own files private, does not apply.
func (s *save) makeFolder() error {
	if s.dir == "" {
		return nil
	}
	mode := fs.FileMode(0o755)
	if info, err := s.root.Stat("."); err == nil {
		mode = info.Mode() & (fs.ModePerm | fs.ModeSetgid)
	}
	made := ""
	for name := range strings.SplitSeq(s.dir, "/") {
		made = path.Join(made, name)
		err := s.root.Mkdir(made, 0o700)
		if err == nil {
			err = s.root.Chmod(made, mode)
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("uploads folder: %w", err)
		}
	}
	return nil
}

// rights returns the permissions of a folder, or fallback.
func (s *save) rights(name string, fallback fs.FileMode) fs.FileMode {
	if info, err := s.root.Stat(name); err == nil {
		return info.Mode().Perm()
	}
	return fallback
}

// write creates a file atomically, with the permissions of its folder. It never
// replaces one.
func (s *save) write(name string, data []byte) (err error) {
	final := path.Join(s.dir, name)
	if _, err := s.root.Lstat(final); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("store %s: %w", final, fs.ErrExist)
	}
	mode := s.rights(path.Join(".", s.dir), 0o644) & 0o666
	temp := path.Join(s.dir, ".calbridge-"+random()+random())
	file, err := s.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("store %s: %w", final, err)
	}
	defer func() {
		if err != nil {
			_ = s.root.Remove(temp)
		}
	}()
	_, err = file.Write(data)
	err = errors.Join(err, file.Chmod(mode), file.Sync(), file.Close())
	if err == nil {
		err = s.root.Rename(temp, final)
	}
	if err != nil {
		return fmt.Errorf("store %s: %w", final, err)
	}
	s.written = append(s.written, final)
	return nil
}

// Remove deletes the picture with its copies.
func (s *Saved) Remove() error {
	root, err := os.OpenRoot(s.folder.dir)
	if err != nil {
		return fmt.Errorf("uploads folder: %w", err)
	}
	defer root.Close()
	return s.remove(root)
}

func (s *Saved) remove(root *os.Root) error {
	var errs []error
	for _, name := range s.written {
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
