package rules

import (
	"slices"

	"calbridge/compat/recording"
)

// Active holds the rules for one exchange. Nil has no rules.
type Active struct{ rules []*rule }

// For returns the rules for an exchange.
func (s *Set) For(x *recording.Exchange) *Active {
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
	return &Active{active}
}

// first returns the first rule of a kind that meets the condition, and counts a hit.
func (a *Active) first(kind Kind, meets func(*rule) bool) bool {
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

// IgnoresStatus reports whether the status does not count.
func (a *Active) IgnoresStatus() bool {
	return a.first(Ignore, func(r *rule) bool { return r.Status })
}

// IgnoresHeader reports whether a header, named in lower case, does not count.
func (a *Active) IgnoresHeader(name string) bool {
	return a.first(Ignore, func(r *rule) bool { return r.Header == name })
}

// SameHeader reports whether two header values are equal under the mapping of ids.
func (a *Active) SameHeader(want, have recording.HeaderValues) bool {
	return len(want) == len(have) && a.first(IDs, func(r *rule) bool {
		return r.path == nil && slices.EqualFunc(want, have, func(x, y string) bool { return r.ids.inText(x) == y })
	})
}

// Request applies the rules to a request before it is sent.
func (a *Active) Request(x recording.Request) recording.Request {
	if a == nil {
		return x
	}
	for _, r := range a.rules {
		if r.change == nil || !r.in("request") {
			continue
		}
		if changed := r.change(x.Path); changed != x.Path {
			r.hit()
			x.Path = changed
		}
		if x.Body != nil {
			body := r.change(*x.Body)
			x.Body = &body
		}
	}
	return x
}

// Replace applies the rules to the recorded answer and to the given one.
func (a *Active) Replace(recorded recording.Response, got recording.Response) (recording.Response, recording.Response) {
	if a == nil {
		return recorded, got
	}
	for _, r := range a.rules {
		if r.Kind != Replace {
			continue
		}
		changed := false
		change := func(text string) string {
			out := r.change(text)
			changed = changed || out != text
			return out
		}
		if r.in("recorded") {
			recorded = recorded.Map(change)
		}
		if r.in("answer") {
			got = got.Map(change)
		}
		if changed {
			r.hit()
		}
	}
	return recorded, got
}
