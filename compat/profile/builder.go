package profile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// Options configure Build. Recordings is required.
type Options struct {
	// Recordings are file patterns of JSON Lines, compressed with gzip or not. Both
	// reads and write cases are used.
	Recordings []string
	// Site is the JSON file next to the recorded site's dump. Its home URL is the site's
	// own root. Without it, the root is the shortest one in the recordings.
	Site string
	// Namespace is the REST namespace of the recordings. "" means the one in the header
	// of the first recording, or else recording.DefaultNamespace.
	Namespace string
	// Merge names files whose texts are added last and take precedence; see
	// Profile.MergeFile.
	Merge []string
	// Generator is noted in the profile.
	Generator string
	// Progress, when not nil, is called with the number of bytes read and the total.
	Progress func(done, total int64)
}

// Build gathers a site's wording from recordings. Where recordings disagree, the
// majority wins and Profile.Warnings names the disagreement. Messages that differ only
// in the name of the post type are filled in for post types without one.
func Build(o Options) (*Profile, error) {
	files, err := recording.ExpandGlobs(o.Recordings)
	if err != nil {
		return nil, err
	}
	if o.Namespace == "" {
		if o.Namespace, err = recording.NamespaceOf(files[0]); err != nil {
			return nil, err
		}
	}
	b := NewBuilder(o.Namespace)
	if o.Site != "" {
		site, err := recording.LoadSite(o.Site)
		if err != nil {
			return nil, err
		}
		b.Home, b.Site = site.Home, site
	}
	err = recording.ReadWithProgress(files, o.Progress, func(e recording.Entry) error {
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
	if p.Languages[wprest.DefaultLanguage].empty() {
		return nil, errors.New("the recordings hold no wording: no index, no document and no error message is among them")
	}
	return p, nil
}

// Builder gathers wording exchange by exchange.
type Builder struct {
	// Home is the site's home URL; if empty, it is guessed.
	Home string
	// Site describes the recorded site; nil if that is unknown.
	Site *recording.Site

	index wprest.Index
	votes votes
	// Texts that depend on the advertised arguments are stored until all have been seen.
	options optionsAnswers
	errors  errorSamples
	blocks  descriptions
}

// NewBuilder starts a profile of recordings made under the namespace; "" means
// recording.DefaultNamespace.
func NewBuilder(namespace string) *Builder {
	return &Builder{index: wprest.Index{Namespace: wprest.NewNamespace(namespace)}, votes: votes{ballots: map[source]ballot{}},
		errors: errorSamples{counts: map[errorSample]int{}}, blocks: descriptions{}}
}

// Add adds one exchange. It ignores answers that are not JSON, that come from another
// namespace or that are in a user's language.
func (b *Builder) Add(x *recording.Exchange) {
	if b.addClosed(x) {
		return
	}
	request, root, ok := wprest.ReadAnswer(x, b.index.Namespace)
	if !ok {
		return
	}
	from := sourceOf(x.Response, request)
	below := b.index.Namespace.Below(request.Route)
	b.errors.add(from, x, request, below, root)
	for _, route := range b.index.Read(root) {
		voteArgs(&b.votes, from, route)
	}
	if request.Method == "OPTIONS" && b.index.Describes(root) {
		b.options.add(from, below, root)
	}
	if below == "/doc" {
		voteDocument(&b.votes, from, root)
		return // its descriptions don't belong to posts
	}
	voteWords(&b.votes, from, root)
	b.blocks.vote(&b.votes, from, root)
}

// Profile returns the profile of everything added so far.
func (b *Builder) Profile() *Profile {
	b.options.count(&b.index, &b.votes)
	b.errors.count(&b.index, &b.votes)
	home := b.Home
	if home == "" {
		home = b.votes.shortestHome()
	}
	codes, languages := b.votes.byLanguage(home)
	p := &Profile{Format: Format}
	own := p.language(wprest.DefaultLanguage)
	have := map[slot]string{}
	for s, t := range languages[wprest.DefaultLanguage] {
		have[s] = t.best()
	}
	// Texts recorded only in a language root are used for all languages.
	fallback := ballot{}
	for _, code := range codes {
		for s, t := range languages[code] {
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
		for s, t := range languages[code] {
			if text := t.best(); text != have[s] {
				p.language(code).set(s, text)
			}
		}
	}
	slices.Sort(p.Warnings)
	return p
}

func (p *Profile) warn(code string, s slot, t tally) {
	if t.disputed() {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%s: %d different texts for %s %s, the most frequent is used",
			code, len(t), s.section, strings.Join(slices.DeleteFunc([]string{s.key, s.methods, s.name}, func(k string) bool { return k == "" }), " ")))
	}
}
