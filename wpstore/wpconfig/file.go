package wpconfig

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phptoken"
)

// Setting is a constant or a variable with the line that sets it.
type Setting struct {
	Value php.Value
	Line  int
	Why   string // why the value can't be determined; "" if it can
}

// Note is a remark about a line that may set something that can't be attributed to a name.
type Note struct {
	Line int
	Text string
}

// File holds what a wp-config.php sets.
type File struct {
	// Path is the file's name, for messages.
	Path string
	// Settings has the constants by their case-sensitive names, and the global variables
	// by their names with the $.
	Settings map[string]Setting
	// Notes are about the lines where more may be set. They read another file, other than
	// WordPress itself, run text as code, or compute a name. Their effects are not
	// followed.
	Notes []Note
}

// Text returns a constant or a variable as text, as PHP converts it.
func (f *File) Text(name string) (string, bool) {
	s, ok := f.Settings[name]
	return php.ToString(s.Value), ok && s.Why == ""
}

// maxFile is the largest size of a file, in bytes: a wp-config.php has a few kilobytes.
const maxFile = 1 << 20

// Read reads the file at path; getenv is as for [Parse].
func Read(path string, getenv func(string) string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(src) > maxFile {
		return nil, fmt.Errorf("%s is too large for a wp-config.php", path)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	variables := newDotenv(environmentOf(getenv))
	if project, ok := bedrockProject(absolute); ok {
		if err := readDotenv(variables, project); err != nil {
			return nil, err
		}
	}
	parsed := parseFile(string(src), absolute, variables.lookup)
	parsed.Path = path
	if len(parsed.Settings)+len(parsed.Notes) == 0 {
		return nil, fmt.Errorf("%s defines no settings: check that it is a wp-config.php", path)
	}
	return parsed, nil
}

// Parse parses the text of a file. It accepts any text. getenv looks up an environment
// variable; "" means that it is not set. The web server's PHP may have other variables than
// this process.
func Parse(src string, getenv func(string) string) *File {
	return parseFile(src, "", environmentOf(getenv))
}

func parseFile(src, path string, environment func(string) (string, bool)) *File {
	p := &parser{cursor: newCursor(slices.Collect(phptoken.All(src))), findings: &findings{values: map[string]result{}}, environment: environment, path: path}
	p.statements(len(p.tokens) - 1)
	f := &File{Settings: map[string]Setting{}, Notes: p.notes}
	for name, r := range p.values {
		if _, isArray := r.value.(*php.Array); isArray {
			r = result{why: "is a list", line: r.line}
		}
		f.Settings[name] = Setting{r.value, r.line, r.unsettled()}
	}
	return f
}
