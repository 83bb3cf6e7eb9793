// Package wpconfig reads a site's wp-config.php without running it. It takes the
// file apart into PHP's tokens and follows the plain ways in which such files set
// constants: literals, text put together, environment variables with a default,
// conditions that can be decided by reading. What only PHP could decide is
// reported with its line and never guessed.
package wpconfig

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"calbridge/wpstore/php"
)

// maxFile bounds what is read: a wp-config.php has a few kilobytes.
const maxFile = 1 << 20

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
	src := make([]byte, 0, 16<<10)
	for {
		src = slices.Grow(src, 4<<10)
		n, err := f.Read(src[len(src):cap(src)])
		src = src[:len(src)+n]
		if len(src) > maxFile {
			return nil, fmt.Errorf("wp-config: %s is too large for a wp-config.php", path)
		}
		if n == 0 || err != nil {
			break
		}
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
	p := &parser{
		options: o, tokens: tokenize(src),
		constants: map[string]result{}, variables: map[string]result{}, lines: map[string]int{},
	}
	p.match = matchBrackets(p.tokens)
	p.file()
	return p.collect()
}

// collect sorts what was found into what is known and what is not.
func (p *parser) collect() *File {
	f := &File{Constants: map[string]Setting{}, Variables: map[string]Setting{}, Includes: p.includes, Unreadable: p.nameless}
	for name, r := range p.constants {
		if why := r.unknown(); why != "" {
			f.Unreadable = append(f.Unreadable, Unreadable{name, p.lines[name], why})
		} else {
			f.Constants[name] = Setting{r.value, p.lines[name]}
		}
	}
	for name, r := range p.variables {
		if why := r.unknown(); why != "" {
			f.Unreadable = append(f.Unreadable, Unreadable{"$" + name, p.lines["$"+name], why})
		} else {
			f.Variables[name] = Setting{r.value, p.lines["$"+name]}
		}
	}
	slices.SortFunc(f.Unreadable, func(a, b Unreadable) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
	})
	return f
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
