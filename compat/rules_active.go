package compat

import (
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// ruleSet is a rules file ready for use. Its counters may be counted up from
// several goroutines.
type ruleSet struct {
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
	replace func(string) string
	ids     idMap
	hits    atomic.Int64
}

// compileRules checks the rules and finds those that have expired.
func compileRules(file *RulesFile, now time.Time) (*ruleSet, error) {
	set := &ruleSet{}
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
	numbers := map[int]bool{}
	for _, k := range file.Known {
		compiled, err := compileKnown(k, now)
		if err == nil && numbers[k.Number] {
			err = fmt.Errorf("the number is given twice")
		}
		if err != nil {
			return nil, fmt.Errorf("known difference %d: %w", k.Number, err)
		}
		numbers[k.Number] = true
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
	case RuleReplace:
		out.replace, err = replacement(r)
	case RuleIDs:
		out.ids, err = newIDMap(r.IDs)
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
	var pairs []string
	for _, spell := range []func(string) string{
		func(s string) string { return s },
		func(s string) string { return strings.ReplaceAll(s, "/", `\/`) },
		url.QueryEscape,
	} {
		pairs = append(pairs, spell(r.From), spell(r.To))
	}
	return strings.NewReplacer(pairs...).Replace, nil
}

func (r *rule) in(place string) bool {
	if len(r.In) == 0 {
		return place == "recorded"
	}
	return slices.Contains(r.In, place)
}

func (r *rule) hit() { r.hits.Add(1) }

// activeRules are the rules about one exchange. Nil has none.
type activeRules struct{ rules []*rule }

func (s *ruleSet) forExchange(x *recording.Exchange) *activeRules {
	if s == nil {
		return nil
	}
	var active []*rule
	for _, r := range s.rules {
		if !r.expired && r.match.matches(x) {
			active = append(active, r)
		}
	}
	if len(active) == 0 {
		return nil
	}
	return &activeRules{active}
}

// first finds the first rule of a kind that meets the condition and counts a hit.
func (a *activeRules) first(kind RuleKind, meets func(*rule) bool) bool {
	if a == nil {
		return false
	}
	for _, r := range a.rules {
		if r.Kind == kind && meets(r) {
			r.hit()
			return true
		}
	}
	return false
}

func (a *activeRules) ignoresStatus() bool {
	return a.first(RuleIgnore, func(r *rule) bool { return r.Status })
}

func (a *activeRules) ignoresHeader(name string) bool {
	return a.first(RuleIgnore, func(r *rule) bool { return r.Header == name })
}

// sameHeader reports whether two header values mean the same under the ids.
func (a *activeRules) sameHeader(want, have recording.HeaderValues) bool {
	return len(want) == len(have) && a.first(RuleIDs, func(r *rule) bool {
		return r.path == nil && slices.EqualFunc(want, have, func(x, y string) bool { return r.ids.inText(x) == y })
	})
}

// request changes a request as the rules say, before it is sent.
func (a *activeRules) request(x recording.Request) recording.Request {
	if a == nil {
		return x
	}
	for _, r := range a.rules {
		change := r.replace
		switch {
		case r.Kind == RuleIDs:
			change = r.ids.inText
		case r.Kind != RuleReplace || !r.in("request"):
			continue
		}
		if changed := change(x.Path); changed != x.Path {
			r.hit()
			x.Path = changed
		}
		if x.Body != nil {
			body := change(*x.Body)
			x.Body = &body
		}
	}
	return x
}

// replace changes what was recorded and what was answered as the rules say.
func (a *activeRules) replace(recorded recording.Response, got recording.Response) (recording.Response, recording.Response) {
	if a == nil {
		return recorded, got
	}
	for _, r := range a.rules {
		if r.Kind != RuleReplace {
			continue
		}
		changed := false
		if r.in("recorded") {
			recorded.Headers, recorded.Body = replaceAnswer(recorded.Headers, recorded.Body, r.replace, &changed)
		}
		if r.in("answer") {
			got.Headers, got.Body = replaceAnswer(got.Headers, got.Body, r.replace, &changed)
		}
		if changed {
			r.hit()
		}
	}
	return recorded, got
}

func replaceAnswer(headers map[string]recording.HeaderValues, body string, change func(string) string, changed *bool) (map[string]recording.HeaderValues, string) {
	out := make(map[string]recording.HeaderValues, len(headers))
	for name, values := range headers {
		list := make(recording.HeaderValues, len(values))
		for i, value := range values {
			list[i] = change(value)
			*changed = *changed || list[i] != value
		}
		out[name] = list
	}
	text := change(body)
	*changed = *changed || text != body
	return out, text
}
