package rules

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"time"

	"calbridge/compat/recording"
)

// Format is the "format" member of a rules file.
const Format = "calbridge-rules/1"

// File defines which differences a comparison ignores and which are known. It is JSON;
// compat/README.md, "Rules", has an example.
type File struct {
	Format string  `json:"format"`
	Rules  []Rule  `json:"rules"`
	Known  []Known `json:"known"`
}

// Kind is the kind of a rule.
type Kind string

// The kinds of rules.
const (
	// Ignore ignores a value (Path), a header (Header) or the status (Status).
	Ignore Kind = "ignore"
	// Replace replaces From with To, such as one host with another: in plain text,
	// escaped as in JSON and escaped as in a query.
	Replace Kind = "replace"
	// IDs maps ids of the recording to those of the target, which are sent in requests.
	IDs Kind = "ids"
	// Sort ignores the order of a list.
	Sort Kind = "sort"
	// Tolerance lets numbers differ by up to Tolerance.
	Tolerance Kind = "tolerance"
	// Shift lets dates be later by Seconds, give or take Tolerance seconds.
	Shift Kind = "shift"
)

// Rule describes one kind of difference to ignore, with a reason.
type Rule struct {
	Kind Kind `json:"kind"`
	// Reason is required; reports show it.
	Reason string `json:"reason"`
	// Expires is the last day, in UTC, on which the rule holds: "2027-03-31".
	Expires string `json:"expires,omitempty"`
	// Match limits the rule to some exchanges. Nil means all.
	Match *Match `json:"match,omitempty"`

	// Path is a JSONPath: names, indexes, [*], .* and ..name.
	Path   string `json:"path,omitempty"`
	Header string `json:"header,omitempty"`
	Status bool   `json:"status,omitempty"`

	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// Pattern makes From a regular expression; To may then name its groups as $1.
	Pattern bool `json:"pattern,omitempty"`
	// In lists where to replace: "request", "recorded", "answer"; the default is
	// "recorded".
	In []string `json:"in,omitempty"`

	IDs       map[string]string `json:"ids,omitempty"`
	By        string            `json:"by,omitempty"`
	Tolerance float64           `json:"tolerance,omitempty"`
	Seconds   float64           `json:"seconds,omitempty"`
}

// Match selects exchanges. Empty members select all.
type Match struct {
	// ID and Request are regular expressions for the exchange's id and for its path with
	// the query.
	ID      string `json:"id,omitempty"`
	Request string `json:"request,omitempty"`
	Method  string `json:"method,omitempty"`
	As      string `json:"as,omitempty"`
}

// Known is an expected difference. It does not fail the comparison, but its absence does,
// so that the list stays accurate.
type Known struct {
	Number  int    `json:"number"`
	Reason  string `json:"reason"`
	Expires string `json:"expires,omitempty"`
	// IDs lists exchanges that all have to show the difference. Match selects exchanges
	// of which at least one has to.
	IDs   []string `json:"ids,omitempty"`
	Match *Match   `json:"match,omitempty"`
	// Where is the place of the difference: a JSONPath, a header's name or "status". ""
	// means anywhere.
	Where string `json:"where,omitempty"`
}

// Load reads and checks a rules file.
func Load(file string) (*File, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("rules cannot be read: %w", err)
	}
	rules := new(File)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(rules); err != nil {
		return nil, fmt.Errorf("rules file %s is not as expected: %w", file, err)
	}
	if rules.Format != Format {
		return nil, fmt.Errorf("rules file %s: \"format\" is %q, expected %q", file, rules.Format, Format)
	}
	if _, err := Compile(rules, time.Time{}); err != nil {
		return nil, fmt.Errorf("rules file %s: %w", file, err)
	}
	return rules, nil
}

// expired reports whether the last day of validity has passed.
func expired(expires string, now time.Time) (bool, error) {
	if expires == "" {
		return false, nil
	}
	day, err := time.Parse(time.DateOnly, expires)
	if err != nil {
		return false, fmt.Errorf("\"expires\" is %q, expected a date such as 2027-03-31", expires)
	}
	return !now.Before(day.AddDate(0, 0, 1)), nil
}

// matcher is a compiled Match.
type matcher struct {
	id, request *regexp.Regexp
	method, as  string
}

func compileMatch(m *Match) (matcher, error) {
	m = cmp.Or(m, &Match{})
	id, errID := regexp.Compile(m.ID)
	request, errRequest := regexp.Compile(m.Request)
	return matcher{id: id, request: request, method: m.Method, as: m.As}, errors.Join(errID, errRequest)
}

func (m matcher) matches(x *recording.Exchange) bool {
	return m.id.MatchString(x.ID) && m.request.MatchString(x.Request.Path) &&
		(m.method == "" || m.method == x.Request.Method) && (m.as == "" || m.as == x.As)
}

// check returns the first error in a rule, in the order of its members.
func (r Rule) check() error {
	if r.Reason == "" {
		return errors.New("a \"reason\" is missing")
	}
	for _, place := range r.In {
		if place != "request" && place != "recorded" && place != "answer" {
			return fmt.Errorf("\"in\" has %q, expected request, recorded or answer", place)
		}
	}
	switch r.Kind {
	case Ignore:
		if r.Path == "" && r.Header == "" && !r.Status {
			return errors.New("ignore needs \"path\", \"header\" or \"status\"")
		}
	case Replace:
		if r.From == "" {
			return errors.New("replace needs \"from\" and \"to\"")
		}
	case IDs:
		if len(r.IDs) == 0 {
			return errors.New("ids needs \"ids\"")
		}
		for id, other := range r.IDs {
			for _, text := range []string{id, other} {
				if _, err := strconv.ParseUint(text, 10, 64); err != nil {
					return fmt.Errorf("%q is not an id", text)
				}
			}
		}
	case Sort, Tolerance, Shift:
		if r.Path == "" {
			return fmt.Errorf("%s needs \"path\"", r.Kind)
		}
	default:
		return fmt.Errorf("unknown kind %q, expected ignore, replace, ids, sort, tolerance or shift", r.Kind)
	}
	return nil
}
