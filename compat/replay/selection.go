package replay

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"

	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// Selection says which exchanges are compared. The zero value takes all, but for
// requests of HAR files that may change the target.
type Selection struct {
	// OutOfScope is a file of exchanges that are not, or by status only, compared.
	OutOfScope string
	// Writes sends requests of HAR files also when they may change the target:
	// others than GET, HEAD and OPTIONS.
	Writes bool
	// Shard is the part of the exchanges to compare.
	Shard Shard
	// Run selects exchanges whose id or path matches. Nil selects all.
	Run *regexp.Regexp
	// Filter selects further, for tests. Nil selects all.
	Filter func(*recording.Exchange) bool
}

// whole reports whether nothing is left out by choice.
func (s *Selection) whole() bool { return s.Run == nil && s.Filter == nil && s.Shard.Count <= 1 }

// skip tells why an exchange is not sent; "" means that it is.
func (s *Selection) skip(x *recording.Exchange, scope *Scope) (reason string) {
	switch {
	case s.Run != nil && !s.Run.MatchString(x.ID) && !s.Run.MatchString(x.Request.Path), s.Filter != nil && !s.Filter(x):
		return ReasonFilter
	case !s.Shard.has(x.ID):
		return ReasonShard
	case x.Browsed() && !toAPI(x.Request):
		return ReasonNoAPI
	case x.Browsed() && !s.Writes && !readingMethod(x.Request.Method):
		return ReasonWrites
	case recording.RedactedRequest(x.Request):
		return ReasonRedacted
	case scope.Skip(x.ID):
		return ReasonOutOfScope
	}
	return ""
}

func toAPI(r recording.Request) bool {
	_, reached := wprest.ReadRequest(r)
	return reached
}

func readingMethod(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

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

// Shard is one of several parts into which a comparison is split, so that they
// can run side by side. The zero value is the whole.
type Shard struct {
	Index int // from 1
	Count int
}

// ParseShard reads "2/5": the second of five parts. "" is the whole.
func ParseShard(text string) (Shard, error) {
	if text == "" {
		return Shard{}, nil
	}
	var s Shard
	var rest string
	if n, _ := fmt.Sscanf(text, "%d/%d%s", &s.Index, &s.Count, &rest); n != 2 || s.Index < 1 || s.Index > s.Count {
		return Shard{}, fmt.Errorf("shard %q: expected a part of a whole such as 2/5", text)
	}
	return s, nil
}

// has reports whether the exchange of that id is in the shard. An exchange stays
// in its shard when others are added or taken away.
func (s Shard) has(id string) bool {
	if s.Count <= 1 {
		return true
	}
	h := fnv.New32a()
	h.Write([]byte(id))
	return int(h.Sum32()%uint32(s.Count)) == s.Index-1
}
