package compat

import (
	"calbridge/compat/recording"
	"slices"
)

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
