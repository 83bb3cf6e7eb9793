package warmup

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"calbridge/compat/wprest"
)

// Bounds of what is requested.
const (
	maxGroups  = 400
	maxTargets = 3000 // of a group
)

// again is the time after which a request is repeated. It is shorter than the time for which the server
// answers natively after a comparison (--fragment-max-age), by default.
const again = 8 * time.Minute

// group holds requests that are alike: of one route, with the same arguments. Those that clients are
// most likely to send come first.
type group struct {
	rank    int // as of rankOf; requests in an access log have rank 0
	targets []string
	sent    []time.Time // when each target was sent last; zero for never
	next    int         // the target whose turn it is
	fresh   int         // targets that were never sent
}

// take returns the group's next target, beginning again after the last.
func (g *group) take(now time.Time) string {
	target := g.targets[g.next]
	g.sent[g.next] = now
	g.next = (g.next + 1) % len(g.targets)
	g.fresh = max(g.fresh-1, 0)
	return target
}

// due reports whether the group's next target was never sent, or so long ago that the server may soon
// have to compare it again.
func (g *group) due(now time.Time) bool { return now.Sub(g.sent[g.next]) >= again }

// groups collects requests, each once.
type groups struct {
	all    []*group
	byKind map[string]*group
	seen   map[string]bool
}

func newGroups() *groups { return &groups{byKind: map[string]*group{}, seen: map[string]bool{}} }

// add adds a target, unless there are too many already.
func (g *groups) add(target string) {
	name := kindOf(target)
	g.addRanked(target, name, rankOf(name))
}

// addLogged adds a target of an access log.
func (g *groups) addLogged(target string) { g.addRanked(target, kindOf(target), 0) }

func (g *groups) addRanked(target, name string, rank int) {
	if g.seen[target] {
		return
	}
	at := g.byKind[name]
	if at == nil {
		if len(g.all) == maxGroups {
			return
		}
		at = &group{rank: rank}
		g.byKind[name], g.all = at, append(g.all, at)
	}
	if len(at.targets) == maxTargets {
		return
	}
	g.seen[target] = true
	at.targets, at.sent = append(at.targets, target), append(at.sent, time.Time{})
	at.fresh++
}

// sort puts the kinds first that clients are most likely to send, and otherwise keeps their order.
func (g *groups) sort() {
	slices.SortStableFunc(g.all, func(a, b *group) int { return cmp.Compare(a.rank, b.rank) })
}

// ranks are the kinds of requests that calendars on websites and in apps send, and those that fewer of
// them send. All others come last.
var ranks = [...]*regexp.Regexp{
	regexp.MustCompile(`/events/0\?$|/events\?((page|per_page|start_date|end_date)&?)*$`),
	regexp.MustCompile(`/events/by-slug/0\?$|/(venues|organizers|categories|tags)(/0)?\?((page|per_page)&?)*$|/events\?(categories|ends_before&starts_after)$`),
}

// lastRank is the rank of kinds that match none of the ranks.
const lastRank = len(ranks) + 1

// rankOf returns how likely clients send requests of a kind; 1 is the likeliest.
func rankOf(kind string) int {
	path, names, _ := strings.Cut(kind, "?")
	args := slices.DeleteFunc(strings.Split(names, "&"), func(name string) bool { return slices.Contains(wprest.LanguageArgs(), name) })
	for i, pattern := range ranks {
		if pattern.MatchString(path + "?" + strings.Join(args, "&")) {
			return i + 1
		}
	}
	return lastRank
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
