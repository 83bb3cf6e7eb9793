package replay

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"

	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// Selection selects the exchanges to compare. The zero value selects all except requests
// of HAR files that may change the target.
type Selection struct {
	// OutOfScope is a file of exchanges that are not compared, or only by status.
	OutOfScope string
	// Writes also sends requests of HAR files that may change the target: all methods
	// except GET, HEAD and OPTIONS.
	Writes bool
	// Shard is the part of the exchanges to compare.
	Shard Shard
	// Run selects exchanges whose id or path matches. Nil selects all.
	Run *regexp.Regexp
	// Filter narrows the selection, for tests. Nil selects all.
	Filter func(*recording.Exchange) bool
}

// whole reports whether nothing is left out deliberately.
func (s *Selection) whole() bool { return s.Run == nil && s.Filter == nil && s.Shard.Count <= 1 }

// skip returns the reason why an exchange is not sent, or "" if it is.
func (s *Selection) skip(x *recording.Exchange, scope Scope) (reason string) {
	_, toAPI := wprest.ReadRequest(x.Request)
	reads := slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, x.Request.Method)
	switch {
	case s.Run != nil && !s.Run.MatchString(x.ID) && !s.Run.MatchString(x.Request.Path), s.Filter != nil && !s.Filter(x):
		return ReasonFilter
	case !s.Shard.has(x.ID):
		return ReasonShard
	case x.Browsed && !toAPI:
		return ReasonNoAPI
	case x.Browsed && !s.Writes && !reads:
		return ReasonWrites
	case recording.RedactedRequest(x.Request):
		return ReasonRedacted
	case scope[x.ID] == "skip":
		return ReasonOutOfScope
	}
	return ""
}

// Scope lists the exchanges that are not compared or only by status. It maps their ids
// to the words of the file.
type Scope map[string]string

// LoadScope reads an out-of-scope file: lines of "skip <id>" (not compared at all) and
// "status <id>" (only the status counts). Anything after the id is a comment; "#" starts
// a comment line.
func LoadScope(file string) (Scope, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("out-of-scope file cannot be read: %w", err)
	}
	scope := Scope{}
	for i, line := range strings.Split(string(data), "\n") {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || strings.HasPrefix(fields[0], "#"):
		case len(fields) < 2 || fields[0] != "skip" && fields[0] != "status":
			return nil, fmt.Errorf("%s:%d: expected \"skip <id>\" or \"status <id>\"", file, i+1)
		case scope[fields[1]] != "skip":
			scope[fields[1]] = fields[0]
		}
	}
	return scope, nil
}

// StatusOnly reports whether only the status of the answer counts.
func (s Scope) StatusOnly(id string) bool { return s[id] == "status" }

// Shard is one of several parts of a comparison that can run in parallel. The zero value
// is the whole.
type Shard struct {
	Index int // from 1
	Count int
}

// ParseShard parses "2/5": the second of five parts. "" is the whole.
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

// has reports whether the exchange with that id is in the shard, independently of other
// exchanges.
func (s Shard) has(id string) bool {
	if s.Count <= 1 {
		return true
	}
	h := fnv.New32a()
	h.Write([]byte(id))
	return int(h.Sum32()%uint32(s.Count)) == s.Index-1
}
