package warmup

import (
	"regexp"
	"slices"
	"strings"
)

// Bounds of what is requested.
const (
	maxGroups  = 400
	maxTargets = 3000 // of a group
)

// group holds requests that are alike: of one route, with the same arguments. Those that clients are
// most likely to send come first.
type group struct {
	targets []string
	next    int // the target whose turn it is
	fresh   int // targets that were never sent
}

// take returns the group's next target, beginning again after the last.
func (g *group) take() string {
	target := g.targets[g.next]
	g.next = (g.next + 1) % len(g.targets)
	g.fresh = max(g.fresh-1, 0)
	return target
}

// groups collects requests, each once.
type groups struct {
	all    []*group
	byKind map[string]*group
	seen   map[string]bool
}

func newGroups() *groups { return &groups{byKind: map[string]*group{}, seen: map[string]bool{}} }

// add adds a target, unless there are too many already.
func (g *groups) add(target string) {
	if g.seen[target] {
		return
	}
	name := kindOf(target)
	at := g.byKind[name]
	if at == nil {
		if len(g.all) == maxGroups {
			return
		}
		at = &group{}
		g.byKind[name], g.all = at, append(g.all, at)
	}
	if len(at.targets) == maxTargets {
		return
	}
	g.seen[target] = true
	at.targets = append(at.targets, target)
	at.fresh++
}

// digits matches ids in paths; slug matches what follows by-slug.
var (
	digits = regexp.MustCompile(`/\d+`)
	slug   = regexp.MustCompile(`/by-slug/[^/]+`)
)

// kindOf returns what alike targets have in common: the path without ids and slugs, and the names of
// the arguments. Values of _fields count too, since they are few and change the response.
func kindOf(target string) string {
	path, query, _ := strings.Cut(target, "?")
	var names []string
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if name == "_fields" {
			name = pair
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slug.ReplaceAllString(digits.ReplaceAllString(path, "/0"), "/by-slug/0") + "?" + strings.Join(names, "&")
}
