package rest

import (
	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/wpstore"
)

// languageRules say under which languages the rows of this request are filed.
func (c *call) languageRules() wpstore.LanguageRules {
	l := &c.req.Place.Site.Languages.Languages
	lang, absent := c.langParam()
	home := c.writtenHome()
	if home != c.req.Place.LinksFor("").Home {
		home += "/"
	}
	return wpstore.LanguageRules{
		Languages: l, Root: c.req.Place.Lang.Root,
		Posts: l.NewPost(c.req.Place.Lang, lang, absent), Terms: c.req.Place.Lang.Items(),
		Home: home, Save: c.postRules(), Translator: c.req.Viewer.User.Can("manage_options"), Faithful: c.req.Place.Site.Compat.Faithful(),
		Jobs: c.req.Place.Site.Facts.TranslationJobs,
	}
}

// writtenHome is the home URL that ids of posts are stored with.
func (c *call) writtenHome() string {
	if c.req.Place.BareHome {
		return c.req.Place.LinksFor("").Home
	}
	return c.req.Place.Links.Home
}

// langParam is the plugins' own parameter lang. absent: it is missing or no text.
func (c *call) langParam() (lang string, absent bool) {
	lang, ok := c.req.Get("lang").(string)
	return lang, !ok
}

// newTermLanguage is the language of a category or tag that is being made by
// itself, below a parent or not.
func (c *call) newTermLanguage(db *wpstore.DB, tax *api.TaxonomyKind, parent int64) (string, error) {
	l := &c.req.Place.Site.Languages.Languages
	above := ""
	if l.Plugin == i18n.Polylang && parent != 0 {
		groups, err := db.TermTranslations(c.ctx, l, tax.Name, []int64{parent})
		if err != nil {
			return "", err
		}
		above = groups[parent].Of(parent)
	}
	lang, absent := c.langParam()
	return l.NewTerm(c.req.Place.Lang, lang, absent, above), nil
}

// newTermLanguage is the language of the terms that an event brings along: the
// one of new posts, and of an event that exists its own if the request says none.
func (w *eventWrite) newTermLanguage() (string, error) {
	l := &w.req.Place.Site.Languages.Languages
	lang, absent := w.langParam()
	if l.Plugin != i18n.Polylang || w.created || l.PolylangTerms(lang, absent) != "" || w.req.Place.Lang.Items() != "" {
		return l.NewPost(w.req.Place.Lang, lang, absent), nil
	}
	groups, err := w.tx.PostTranslations(w.ctx, l, []int64{w.edit.ID})
	if own := groups[w.edit.ID].Of(w.edit.ID); own != "" || err != nil {
		return own, err
	}
	return l.Default, nil
}
