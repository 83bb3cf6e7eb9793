package rest

import (
	"calbridge/i18n"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/terms"
)

// languageRules say under which languages the rows of this request are filed.
func (c *call) languageRules() langplugin.Rules {
	l := &c.site.languages.Languages
	lang, absent := c.langParam()
	home := c.writtenHome()
	if home != c.linksFor("").home {
		home += "/"
	}
	return langplugin.Rules{
		Languages: l,
		Posts:     l.NewPost(c.lang, lang, absent), Terms: c.lang.Items(),
		Home: home, Translator: c.user.Can("manage_options"), Faithful: c.srv.cfg.faithful(),
		Jobs: c.site.facts.TranslationJobs,
	}
}

// writtenHome is the home URL that ids of posts are stored with.
func (c *call) writtenHome() string {
	if c.bareHome {
		return c.linksFor("").home
	}
	return c.links.home
}

// langParam is the plugins' own parameter lang. absent: it is missing or no text.
func (c *call) langParam() (lang string, absent bool) {
	lang, ok := c.req.get("lang").(string)
	return lang, !ok
}

// newTermLanguage is the language of a category or tag that is being made by
// itself, below a parent or not.
func (c *call) newTermLanguage(db *terms.Store, tax *taxonomyKind, parent int64) (string, error) {
	l := &c.site.languages.Languages
	above := ""
	if l.Plugin == i18n.Polylang && parent != 0 {
		groups, err := db.TermTranslations(c.ctx, l, tax.name, []int64{parent})
		if err != nil {
			return "", err
		}
		above = groups[parent].Of(parent)
	}
	lang, absent := c.langParam()
	return l.NewTerm(c.lang, lang, absent, above), nil
}

// newTermLanguage is the language of the terms that an event brings along: the
// one of new posts, and of an event that exists its own if the request says none.
func (w *eventWrite) newTermLanguage() (string, error) {
	l := &w.site.languages.Languages
	lang, absent := w.langParam()
	if l.Plugin != i18n.Polylang || w.created || l.PolylangTerms(lang, absent) != "" || w.lang.Items() != "" {
		return l.NewPost(w.lang, lang, absent), nil
	}
	groups, err := w.tx.Posts.PostTranslations(w.ctx, l, []int64{w.edit.ID})
	if own := groups[w.edit.ID].Of(w.edit.ID); own != "" || err != nil {
		return own, err
	}
	return l.Default, nil
}
