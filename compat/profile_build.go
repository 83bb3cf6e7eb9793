package compat

import (
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// ProfileOptions say what a profile is built from. Recordings is required.
type ProfileOptions struct {
	// Recordings are file patterns of JSON Lines, packed with gzip or not; reads
	// and write cases both serve.
	Recordings []string
	// Site is the JSON file beside the recorded site's dump; its home URL tells
	// the site's own root from language roots. Without it the shortest root is
	// taken for the site's own.
	Site string
	// Namespace is the REST namespace of the recordings; "" means DefaultNamespace.
	Namespace string
	// Merge names files whose texts are added at the end and win; see
	// Profile.MergeFile.
	Merge []string
	// Generator is noted in the profile.
	Generator string
}

// BuildProfile gathers a site's wording from recordings. Texts are found by rule
// and, where recordings disagree, by majority: Profile.Warnings names the
// disagreements. Messages that differ between kinds of posts in the kind's name
// only are filled in for kinds of which none was recorded.
func BuildProfile(o ProfileOptions) (*Profile, error) {
	files, err := recording.ExpandGlobs(o.Recordings)
	if err != nil {
		return nil, err
	}
	b := NewProfileBuilder(o.Namespace)
	if o.Site != "" {
		site, err := recording.LoadSite(o.Site)
		if err != nil {
			return nil, err
		}
		b.Home = site.Home
	}
	err = recording.Read(files, func(e recording.Entry) error {
		switch {
		case e.Exchange != nil:
			b.Add(e.Exchange)
		case e.Case != nil:
			for step := range e.Case.Steps {
				b.Add(e.Case.Exchange(step))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	p := b.Profile()
	p.Generator = o.Generator
	for _, file := range o.Merge {
		if err := p.MergeFile(file); err != nil {
			return nil, err
		}
	}
	if p.Languages[DefaultLanguage].empty() {
		return nil, errors.New("the recordings hold no wording: no index, no document and no error message is among them")
	}
	return p, nil
}

// ProfileBuilder gathers wording exchange by exchange.
type ProfileBuilder struct {
	// Home is the site's home URL; "" means that it is guessed.
	Home string

	namespace string // with a slash before it
	ballots   map[string]ballot
	bases     []string // the keys of ballots in the order of their appearance

	// What needs the advertised arguments waits until all have been seen.
	advertised []advertisedRoute
	options    []optionsAnswer
	errors     map[errorSample]int
	errorOrder []errorSample
	blocksSeen map[string]bool
}

// NewProfileBuilder starts a profile of recordings made under the namespace; ""
// means DefaultNamespace.
func NewProfileBuilder(namespace string) *ProfileBuilder {
	if namespace == "" {
		namespace = recording.DefaultNamespace
	}
	return &ProfileBuilder{
		namespace:  "/" + strings.Trim(namespace, "/"),
		ballots:    map[string]ballot{},
		errors:     map[errorSample]int{},
		blocksSeen: map[string]bool{},
	}
}

// Add looks at one exchange. Answers that are no JSON, that come from another
// namespace or in the language of a user are passed over.
func (b *ProfileBuilder) Add(x *recording.Exchange) {
	facts := factsOf(x.Request)
	if !facts.ok || facts.query.Get("_locale") == "user" || !b.ours(facts.route) {
		return
	}
	_, text, _ := jsontree.UnwrapJSONP(x.Response.Body)
	root, err := jsontree.Parse(text)
	if err != nil {
		return
	}
	if inner := root.Member("body"); inner != nil && root.Member("status").Is(jsontree.Number) && root.Member("headers") != nil {
		root = inner // an envelope
	}
	base := askedBase(languageBase(x.Response), facts)
	b.addErrors(base, x, facts, root)
	b.addIndex(base, root)
	b.addOptions(base, facts, root)
	if b.relative(facts.route) == "/doc" {
		b.addDocument(base, root)
		return // its descriptions are not those of posts
	}
	b.addWords(base, root)
	b.addBlocks(base, root)
}

// ours reports whether a route is in the namespace, or in none: the latter's
// errors are WordPress's own.
func (b *ProfileBuilder) ours(route string) bool {
	route, namespace := asciiLower(route), asciiLower(b.namespace)
	return route == "/" || route == namespace || strings.HasPrefix(route, namespace+"/") || !namespaced.MatchString(route)
}

// namespaced tells routes of a REST namespace ("/wp/v2/posts") from others.
var namespaced = regexp.MustCompile(`^/[^/]+(/[^/]+)*/v\d+(/|$)`)

// relative is a route without the namespace.
func (b *ProfileBuilder) relative(route string) string {
	if len(route) >= len(b.namespace) && strings.EqualFold(route[:len(b.namespace)], b.namespace) {
		return route[len(b.namespace):]
	}
	return route
}

func (b *ProfileBuilder) vote(base string, s slot, text string, weight int) {
	if text == "" {
		return
	}
	votes := b.ballots[base]
	if votes == nil {
		votes = ballot{}
		b.ballots[base] = votes
		b.bases = append(b.bases, base)
	}
	votes.add(s, text, weight)
}

// Profile makes the profile of what was added so far.
func (b *ProfileBuilder) Profile() *Profile {
	b.countOptions()
	b.countErrors()
	codes, votes := b.byLanguage()
	p := &Profile{Format: ProfileFormat}
	own := p.language(DefaultLanguage)
	have := map[slot]string{}
	for s, t := range votes[DefaultLanguage] {
		have[s] = t.best()
	}
	// What only a language root was asked for serves all.
	fallback := ballot{}
	for _, code := range codes {
		for s, t := range votes[code] {
			p.warn(code, s, t)
			if have[s] == "" {
				fallback.add(s, t.best(), 1)
			}
		}
	}
	for s, t := range fallback {
		have[s] = t.best()
	}
	addSiblings(have)
	for s, text := range have {
		own.set(s, text)
	}
	for _, code := range codes {
		for s, t := range votes[code] {
			if text := t.best(); text != have[s] {
				p.language(code).set(s, text)
			}
		}
	}
	slices.Sort(p.Warnings)
	return p
}

// byLanguage adds up the ballots of bases that stand for the same language. The
// codes are sorted, without the default's place mattering.
func (b *ProfileBuilder) byLanguage() (codes []string, votes map[string]ballot) {
	home := b.home()
	votes = map[string]ballot{}
	// A language that has a root of its own is taken from there only: an argument
	// may choose the content without choosing the wording.
	rooted := map[string]bool{}
	for _, base := range b.bases {
		if !strings.Contains(base, askedMark) {
			rooted[languageCode(base, home)] = true
		}
	}
	for _, base := range b.bases {
		code, asked := strings.CutPrefix(languageCode(base, home), strings.TrimSpace(askedMark))
		if asked && rooted[code] {
			continue
		}
		if votes[code] == nil {
			votes[code] = ballot{}
		}
		for s, t := range b.ballots[base] {
			for i, text := range t.texts {
				votes[code].add(s, text, t.counts[i])
			}
		}
	}
	return slices.Sorted(maps.Keys(votes)), votes
}

func (p *Profile) warn(code string, s slot, t *tally) {
	if t.disputed() {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%s: %d different texts for %s %s, the most frequent is used",
			code, len(t.texts), s.section, strings.Join(slices.DeleteFunc([]string{s.key, s.methods, s.name}, func(k string) bool { return k == "" }), " ")))
	}
}

// home is the given home URL or the shortest of those seen.
func (b *ProfileBuilder) home() string {
	if b.Home != "" {
		return b.Home
	}
	bases := slices.Collect(maps.Keys(b.ballots))
	slices.SortFunc(bases, func(x, y string) int {
		return cmp.Or(len(x)-len(y), strings.Compare(x, y))
	})
	for _, base := range bases {
		if base != "" && !strings.Contains(base, " ") {
			return base
		}
	}
	return ""
}
