package wpconfig

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// dotenv holds the variables of .env files, by the rules of phpdotenv 5.
type dotenv struct {
	// environment looks up a variable of the process, which files don't replace; ok is false
	// if it isn't set.
	environment func(name string) (value string, ok bool)
	values      map[string]string
}

func newDotenv(environment func(string) (string, bool)) *dotenv {
	return &dotenv{environment, map[string]string{}}
}

// lookup returns a variable of the process, or else of the files.
func (d *dotenv) lookup(name string) (value string, ok bool) {
	if value, ok = d.environment(name); ok {
		return value, true
	}
	value, ok = d.values[name]
	return value, ok
}

// entry is a raw entry of a file, which may have several lines.
type entry struct {
	text string
	line int // where it begins
}

var (
	lineEnd = regexp.MustCompile(`\r\n|\n|\r`)
	// closingQuote matches a quote that no backslash escapes, once pairs of backslashes are
	// gone.
	closingQuote = regexp.MustCompile(`[^\\]"`)
	variableName = regexp.MustCompile(`^[a-zA-Z0-9_.]+$`)
	reference    = regexp.MustCompile(`^\$\{([a-zA-Z0-9_.]+)\}`)
)

// phpSpace lists the characters that PHP's trim removes.
const phpSpace = " \t\n\r\x00\x0b"

// add reads a file. Its variables replace those of earlier files. An error names the line, and
// no value. With an error nothing is known, as phpdotenv would fail.
func (d *dotenv) add(text string) error {
	for _, e := range entries(text) {
		name, raw, assigned := strings.Cut(e.text, "=")
		name = variable(strings.Trim(name, phpSpace))
		if !variableName.MatchString(name) {
			return fmt.Errorf("line %d: the name of a variable is expected before an equals sign", e.line)
		}
		if !assigned {
			continue
		}
		value, references, err := dotenvValue(strings.Trim(raw, phpSpace))
		if err != nil {
			return fmt.Errorf("line %d: the value of %s %w", e.line, name, err)
		}
		if _, outside := d.environment(name); !outside {
			d.values[name] = d.expand(value, references)
		}
	}
	return nil
}

// entries splits a file. A value in double quotes may have several lines.
func entries(text string) (list []entry) {
	var open []string // lines of an entry that goes on
	start := 0
	for i, line := range lineEnd.Split(text, -1) {
		starts := strings.Contains(line, `="`) && !closes(line, true)
		if starts || len(open) > 0 {
			if len(open) == 0 {
				start = i
			}
			open = append(open, line)
			if !closes(line, starts) {
				continue
			}
			line, open = strings.Join(open, "\n"), nil
		} else {
			start = i
		}
		if content := strings.Trim(line, phpSpace); content != "" && content[0] != '#' {
			list = append(list, entry{line, start + 1})
		}
	}
	return list
}

// closes reports whether a line ends a value in double quotes. opens is set for the line that
// also opens it.
func closes(line string, opens bool) bool {
	if line == `"` {
		return true
	}
	line = strings.ReplaceAll(line, `\\`, "")
	count := 0
	for i := range line {
		if closingQuote.MatchString(line[i:min(i+2, len(line))]) {
			count++
		}
	}
	return count > 1 || count == 1 && !opens
}

// variable returns the name in the left side of an entry, without "export" and quotes.
func variable(left string) string {
	if rest, ok := strings.CutPrefix(left, "export"); ok && len(left) > len("export x") && isSpace(rest[0]) {
		left = strings.TrimLeft(rest, phpSpace)
	}
	if n := len(left); n > 2 && (left[0] == '"' || left[0] == '\'') && left[n-1] == left[0] {
		left = left[1 : n-1]
	}
	return left
}

func isSpace(c byte) bool { return strings.IndexByte(" \t\n\r\v\f", c) >= 0 }

// dotenvValue parses the right side of an entry. It returns the value and the positions in it
// where a reference to another variable may stand. Only one text in quotes is a value: nothing
// but a comment may follow it.
func dotenvValue(raw string) (value string, references []int, err error) {
	const unquoted = 0
	var b strings.Builder
	var quote byte // unquoted, or the quote of the text
	i := 0
	if raw != "" && (raw[0] == '"' || raw[0] == '\'') {
		quote, i = raw[0], 1
	}
	for ; i < len(raw); i++ {
		c := raw[i]
		switch {
		case quote == unquoted && c == '#':
			return b.String(), references, nil
		case quote == unquoted && isSpace(c) || quote != unquoted && c == quote:
			rest := raw[i:]
			if quote != unquoted {
				rest = rest[1:]
			}
			if rest = strings.TrimLeft(rest, " \t\n\r\v\f"); rest != "" && rest[0] != '#' {
				return "", nil, fmt.Errorf("has a blank or a quote in it: put it in double quotes")
			}
			return b.String(), references, nil
		case quote == '"' && c == '\\':
			i++
			if i == len(raw) {
				break
			}
			at := strings.IndexByte(`"\$fnrtv`, raw[i])
			if at < 0 {
				return "", nil, fmt.Errorf("has a backslash before a character that needs none")
			}
			b.WriteByte("\"\\$\f\n\r\t\v"[at])
		default:
			if c == '$' && quote != '\'' {
				references = append(references, b.Len())
			}
			b.WriteByte(c)
		}
	}
	if quote != unquoted {
		return "", nil, fmt.Errorf("lacks its closing quote")
	}
	return b.String(), references, nil
}

// expand replaces ${NAME} at the positions, from the last to the first. Names of variables
// that are not set stay as they are.
func (d *dotenv) expand(value string, references []int) string {
	for _, at := range slices.Backward(references) {
		match := reference.FindStringSubmatch(value[at:])
		if match == nil {
			continue
		}
		if v, ok := d.lookup(match[1]); ok && len(value)+len(v) <= maxText {
			value = value[:at] + v + value[at+len(match[0]):]
		}
	}
	return value
}
