package replay

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

// Scope says which exchanges are not, or not fully, compared.
type Scope struct {
	skip, status map[string]bool
}

// LoadScope reads an out-of-scope file: lines of "skip <id>" (not compared at
// all) and "status <id>" (only the status counts), anything after the id being a
// comment; "#" starts a comment line.
func LoadScope(file string) (*Scope, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("out-of-scope file cannot be read: %w", err)
	}
	defer f.Close()
	return parseScope(f, file)
}

func parseScope(source io.Reader, name string) (*Scope, error) {
	scope := &Scope{skip: map[string]bool{}, status: map[string]bool{}}
	lines := bufio.NewScanner(source)
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) < 2 {
			return nil, fmt.Errorf("%s:%d: expected \"skip <id>\" or \"status <id>\"", name, number)
		}
		switch fields[0] {
		case "skip":
			scope.skip[fields[1]] = true
		case "status":
			scope.status[fields[1]] = true
		default:
			return nil, fmt.Errorf("%s:%d: unknown word %q, expected skip or status", name, number, fields[0])
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return scope, nil
}

// Skip reports whether the exchange is not compared at all.
func (s *Scope) Skip(id string) bool { return s != nil && s.skip[id] }

// StatusOnly reports whether only the status of the answer counts.
func (s *Scope) StatusOnly(id string) bool { return s != nil && s.status[id] }
