package rest

import (
	"slices"

	"calbridge/i18n"
	"calbridge/wpstore"
)

// defaultLanguageParam is the name of the language parameter where no other is
// set.
const defaultLanguageParam = "language_code"

// languages says which languages the interface offers on a site, made from the
// language plugin or, without one, from the settings.
type languages struct {
	i18n.Languages
	// roots: the URL chooses a language.
	roots bool
	// offered are the codes that the parameter accepts; nil: there is none.
	offered []string
}

// newLanguages decides what is offered. Polylang itself offers no roots and no
// parameter, and exact leaves it so.
func newLanguages(found i18n.Languages, cfg *Config) languages {
	l := languages{Languages: found}
	switch {
	case found.Plugin == i18n.NoPlugin:
		l.offered = cfg.Languages
	case found.Plugin == i18n.WPML || cfg.Compat != Exact:
		l.roots, l.offered = true, found.Codes()
	}
	return l
}

// faithful says whether plain faults of the reference are repeated.
func (cfg *Config) faithful() bool { return cfg.Compat != Fixed }

// languageParam is the name of the language parameter.
func languageParam(cfg *Config) string {
	return firstNonEmpty(cfg.LanguageParam, defaultLanguageParam)
}

// languageArg is the advertised parameter: the last argument of every endpoint.
// The OpenAPI document of the reference does not know it.
func languageArg(cfg *Config, offered []string) []arg {
	if len(offered) == 0 {
		return nil
	}
	return []arg{{
		name: languageParam(cfg), keys: "type description enum", typ: "string",
		enum: offered, undocumented: true, language: true,
	}}
}

// chooseRoot finds the language of the root that the request came to, and
// returns the path without it.
func (c *call) chooseRoot(path string) string {
	l := &c.site.languages
	if !l.roots {
		return path
	}
	lang, _ := c.req.query.At("lang").(string)
	code, rest := l.Resolve(path, c.req.host, lang)
	if code == "" && l.Plugin == i18n.WPML {
		code = l.Default
	}
	c.lang.Root = code
	c.links = c.linksFor(code)
	c.wording = c.site.wordingFor(code)
	// A root that only the parameter lang chose does not show in global ids.
	if c.bareHome = rest == path && code == lang && l.Form == i18n.Directory; !c.bareHome {
		c.globalID = c.links.globalID
	}
	return rest
}

// chooseLanguage notes the language parameter once it is known to be valid.
func (c *call) chooseLanguage() {
	for i := range c.ep.args {
		if a := &c.ep.args[i]; a.language {
			c.lang.Wanted = c.req.text(a.name)
		}
	}
	if c.lang.Wanted == "" {
		return
	}
	c.wording = c.site.wordingFor(c.lang.Wanted)
	// Only WPML has faults to repeat here: Polylang knows no such parameter.
	if c.site.languages.Plugin != i18n.WPML || !c.srv.cfg.faithful() {
		c.moveToWanted()
	}
}

// moveToWanted makes the request one to the root of the language it wants.
func (c *call) moveToWanted() {
	if c.lang.Wanted != "" && c.site.languages.roots {
		c.lang = c.lang.Mended()
		c.links = c.linksFor(c.lang.Root)
		c.globalID = c.links.globalID
	}
}

// answerInWanted answers a request about one term as if it had come to the root of
// the language that it wants.
func (c *call) answerInWanted() {
	c.foreign = c.lang.Items() != c.lang.Root
	c.moveToWanted()
}

// linksFor returns the URLs of a language's root; those of the site's own for a
// language that it does not have.
func (c *call) linksFor(code string) *links {
	all := c.site.links[index(c.req.https)]
	if l, ok := all[code]; ok {
		return l
	}
	return all[""]
}

// permalink is the public URL of a post, in the language that the post is in.
func (c *call) permalink(p *wpstore.Post) string {
	return c.linksFor(p.Language).post(p, c.viewable(p))
}

// in restricts a query to a language; "" to none.
func (c *call) in(code string) wpstore.InLanguage {
	if c.site.languages.Plugin == i18n.NoPlugin {
		return wpstore.InLanguage{}
	}
	return wpstore.In(&c.site.languages.Languages, code)
}

// adjustPosts replaces ids of posts by their translations where the language of
// a list asks for it. No query otherwise, and one for the same ids in several
// languages.
func (c *call) adjustPosts(ids []int64, code string) ([]int64, error) {
	l := &c.site.languages
	if len(ids) == 0 || !l.roots || !l.Adjusts(code) {
		return ids, nil
	}
	if !slices.Equal(ids, c.postsAsked) {
		groups, err := c.store.Posts.PostTranslations(c.ctx, &l.Languages, ids)
		if err != nil {
			return nil, err
		}
		c.postsAsked, c.postGroups = slices.Clone(ids), groups
	}
	return distinct(i18n.Translate(ids, c.postGroups, code)), nil
}

// termLanguage is the language of a list of terms. Polylang's own parameter lang
// applies where neither the root nor the advertised parameter chooses.
func (c *call) termLanguage() string {
	l := &c.site.languages
	code := c.lang.Items()
	if code == "" && l.Plugin == i18n.Polylang {
		text, ok := c.req.get("lang").(string)
		code = l.PolylangTerms(text, !ok)
	}
	return code
}

// adjustTerms replaces the ids that a list of terms is filtered by by their
// translations: WPML does, in every language.
func (c *call) adjustTerms(tax *taxonomyKind, q *wpstore.TermQuery, code string) error {
	l := &c.site.languages
	if !l.roots || code == "" {
		return nil
	}
	lookup := wpstore.TermLookup{IDs: slices.Concat(q.Include, q.Exclude), Translations: l.Plugin}
	if q.Parent != nil {
		lookup.IDs = append(lookup.IDs, *q.Parent)
	}
	if q.HasSlug {
		lookup.Slugs = []string{q.Slug}
	}
	found, err := c.store.Terms.LookupTerms(c.ctx, tax.name, lookup)
	if err != nil {
		return err
	}
	groups, same := found.Groups, found.BySlug[q.Slug].ID
	if q.Include != nil {
		q.Include = i18n.Translate(q.Include, groups, code)
	}
	q.Exclude = i18n.Translate(q.Exclude, groups, code)
	if q.Parent != nil {
		parent, _ := groups[*q.Parent].Into(*q.Parent, code)
		q.Parent = &parent
	}
	if same != 0 {
		same, _ = groups[same].Into(same, code)
		q.Same, q.HasSlug = &same, false
	}
	return nil
}

// termLanguages returns the language of each term, for its public URL. A list in
// one language needs no query, nor do terms that were read with theirs.
func (c *call) termLanguages(tax *taxonomyKind, terms []wpstore.Term, listed wpstore.InLanguage, code string) (map[int64]string, error) {
	out := make(map[int64]string, len(terms))
	if listed != (wpstore.InLanguage{}) {
		for _, t := range terms {
			out[t.ID] = code
		}
		return out, nil
	}
	var ids []int64
	for _, t := range terms {
		if t.Language != "" {
			out[t.ID] = t.Language
		} else {
			ids = append(ids, t.ID)
		}
	}
	groups, err := c.store.Terms.TermTranslations(c.ctx, &c.site.languages.Languages, tax.name, ids)
	for id, g := range groups {
		out[id] = g.Of(id)
	}
	return out, err
}

// languageOfSlugs is the language in which an event filter looks up slugs, "" for
// any: under Polylang that of its parameter lang.
func (c *call) languageOfSlugs() string {
	if c.site.languages.Plugin != i18n.Polylang || c.lang.Items() != "" {
		return ""
	}
	code := c.termLanguage()
	if c.site.languages.Find(code) == nil {
		return ""
	}
	return code
}

// notInEnum is the detail of a value that is none of those allowed.
func (c *call) notInEnum(name string, allowed []string) *Error {
	e := fail("rest_not_in_enum", "param", name, "enum", c.wording.list(allowed))
	if len(allowed) == 1 {
		e.Variant = ".one"
	}
	return e
}
