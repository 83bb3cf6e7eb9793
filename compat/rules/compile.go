package rules

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
)

// Set is a rules file ready for use. It is safe for concurrent use, except for Settle.
type Set struct {
	rules []*rule
	known []*known
}

// rule is a Rule, compiled.
type rule struct {
	Rule
	number  int
	expired bool
	match   matcher
	path    jsontree.Path
	change  func(string) string // of Replace and IDs
	ids     idMap
	hits    atomic.Int64
}

// Compile checks the rules and finds those that have expired.
func Compile(file *File, now time.Time) (*Set, error) {
	set := &Set{}
	if file == nil {
		return set, nil
	}
	for i, r := range file.Rules {
		compiled, err := compileRule(r, now)
		if err != nil {
			return nil, fmt.Errorf("rule %d: %w", i+1, err)
		}
		compiled.number = i + 1
		set.rules = append(set.rules, compiled)
	}
	for i, k := range file.Known {
		compiled, err := compileKnown(k, now)
		if err == nil && slices.ContainsFunc(file.Known[:i], func(earlier Known) bool { return earlier.Number == k.Number }) {
			err = errors.New("the number is given twice")
		}
		if err != nil {
			return nil, fmt.Errorf("known difference %d: %w", k.Number, err)
		}
		set.known = append(set.known, compiled)
	}
	return set, nil
}

func compileRule(r Rule, now time.Time) (*rule, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	out := &rule{Rule: r}
	var err error
	if out.expired, err = expired(r.Expires, now); err != nil {
		return nil, err
	}
	if out.match, err = compileMatch(r.Match); err != nil {
		return nil, err
	}
	if r.Path != "" {
		if out.path, err = jsontree.ParsePath(r.Path); err != nil {
			return nil, err
		}
	}
	switch r.Kind {
	case Replace:
		out.change, err = replacement(r)
	case IDs:
		out.ids, out.In = r.IDs, []string{"request"}
		out.change = out.ids.inText
	}
	out.Header = strings.ToLower(r.Header)
	return out, err
}

func replacement(r Rule) (func(string) string, error) {
	if r.Pattern {
		pattern, err := regexp.Compile(r.From)
		if err != nil {
			return nil, err
		}
		return func(s string) string { return pattern.ReplaceAllString(s, r.To) }, nil
	}
	return recording.Replacer(r.From, r.To).Replace, nil
}

func (r *rule) in(place string) bool {
	if len(r.In) == 0 {
		return place == "recorded"
	}
	return slices.Contains(r.In, place)
}

func (r *rule) hit() { r.hits.Add(1) }
