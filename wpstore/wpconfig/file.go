package wpconfig

import (
	"fmt"
	"io"
	"os"

	"calbridge/wpstore/php"
)

// Setting is a constant or variable with the line that sets it.
type Setting struct {
	Value php.Value
	Line  int
}

// Unreadable is something that the file sets to what reading cannot tell.
type Unreadable struct {
	Name string // of the constant, or of the variable with its $; "" when even that is computed
	Line int
	Why  string
}

// File is what a wp-config.php sets.
type File struct {
	// Path is the file's name, for messages.
	Path string
	// Constants has what is defined, by name; names are case-sensitive.
	Constants map[string]Setting
	// Variables has the global variables, by name without $.
	Variables map[string]Setting
	// Unreadable is in the order of the lines.
	Unreadable []Unreadable
	// Includes are the lines that pull in other files, other than WordPress
	// itself, or run text as code: what happens there is not seen.
	Includes []int
}

// Options are the file's surroundings.
type Options struct {
	// Getenv looks an environment variable up, "" when it is not set; nil knows
	// none. The web server's PHP may know others than this process.
	Getenv func(string) string
	// ReadFile reads files that hold secrets, as the official container image's
	// getenv_docker does; nil means os.ReadFile.
	ReadFile func(string) ([]byte, error)
}

// Text returns a constant as text, as PHP converts it; arrays have none.
func (f *File) Text(name string) (string, bool) { return textOf(f.Constants, name) }

// Variable returns a global variable, named without $, as text.
func (f *File) Variable(name string) (string, bool) { return textOf(f.Variables, name) }

func textOf(set map[string]Setting, name string) (string, bool) {
	s, ok := set[name]
	if !ok {
		return "", false
	}
	if _, isArray := s.Value.(*php.Array); isArray {
		return "", false
	}
	return php.ToString(s.Value), true
}

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
