package wpconfig

import "calbridge/wpstore/php"

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
