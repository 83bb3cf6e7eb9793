package proof

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// causeTime is how long after a change a difference may be put down to it.
const causeTime = 24 * time.Hour

// maxCauses bounds the causes of a difference.
const maxCauses = 5

// suspects are what may have made answers differ.
type suspects struct {
	// hooked names the plugins and themes whose callbacks may change these fields; nil if that
	// isn't known.
	hooked func(fields []string) []string
	now    func() time.Time

	mu      sync.Mutex
	changed []string // by the last change of facts
	at      time.Time
	tables  map[string]*busyTable // unknown ones
}

// factsChanged records which facts have changed.
func (s *suspects) factsChanged(names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed, s.at = nil, s.now()
	for _, name := range names {
		if cause := causeOf(name); cause != "" && !slices.Contains(s.changed, cause) {
			s.changed = append(s.changed, cause)
		}
	}
}

// causes returns likely causes of a difference in fields, the likeliest first. same is when the
// shape was last the same, or the zero time if that was before facts changed.
func (s *suspects) causes(fields []string, same time.Time) []string {
	var hooked, found []string
	if s.hooked != nil {
		hooked = s.hooked(fields)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if same.IsZero() && now.Sub(s.at) < causeTime {
		found = append(found, s.changed...)
		slices.SortStableFunc(found, func(a, b string) int { // what changed and is hooked goes first
			return index(slices.Contains(hooked, b)) - index(slices.Contains(hooked, a))
		})
	}
	if !same.IsZero() {
		for _, name := range slices.Sorted(maps.Keys(s.tables)) {
			if at := s.tables[name].last; at.After(same) && now.Sub(at) < causeTime {
				found = append(found, "table "+name)
			}
		}
	}
	for _, name := range hooked {
		if !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found[:min(len(found), maxCauses)]
}

func index(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// causeOf returns what a changed fact points to: a plugin or theme by its folder, else the fact. It
// returns "" if another fact of the same change says it better.
func causeOf(fact string) string {
	if part, is := strings.CutPrefix(fact, CodeFact+" "); is {
		if strings.HasPrefix(part, "hook ") || part == "other hooks" {
			return ""
		}
		return part
	}
	if file, is := strings.CutPrefix(fact, PluginFact+" "); is {
		folder, _, _ := strings.Cut(file, "/")
		return "plugins/" + folder
	}
	if fact == CodeFact || strings.HasPrefix(fact, "plugins.") || strings.HasPrefix(fact, "hooks.") {
		return ""
	}
	return fact
}

// blame notes likely causes of the last difference.
func (e *entry) blame(causes []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.proof.Difference != nil {
		e.proof.Difference.Causes = causes
	}
}

func (e *entry) sameAt() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.proof.Last
}
