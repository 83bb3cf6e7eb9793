package wpconfig

import (
	"fmt"
	"io"
	"os"
)

// maxFile bounds what is read: a wp-config.php has a few kilobytes.
const maxFile = 1 << 20

// Read reads the file at path.
func Read(path string, o Options) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("wp-config: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > maxFile {
		return nil, fmt.Errorf("wp-config: %s has %d bytes, which is no wp-config.php", path, info.Size())
	}
	src, _ := io.ReadAll(io.LimitReader(f, maxFile+1)) // what is there up to an error is judged below
	if len(src) > maxFile {
		return nil, fmt.Errorf("wp-config: %s is too large for a wp-config.php", path)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("wp-config: %s is a folder; name the file in it", path)
	}
	parsed := Parse(string(src), o)
	parsed.Path = path
	if len(parsed.Constants) == 0 && len(parsed.Variables) == 0 && len(parsed.Unreadable) == 0 && len(parsed.Includes) == 0 {
		return nil, fmt.Errorf("wp-config: %s sets nothing: is it a wp-config.php", path)
	}
	return parsed, nil
}

// Parse reads the text of a file. It accepts any text.
func Parse(src string, o Options) *File {
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	if o.ReadFile == nil {
		o.ReadFile = os.ReadFile
	}
	at := newCursor(tokenize(src))
	found := &findings{constants: map[string]result{}, variables: map[string]result{}, lines: map[string]int{}}
	p := &parser{cursor: at, found: found, eval: &evaluator{cursor: at, found: found, options: o}}
	p.file()
	return found.collect()
}
