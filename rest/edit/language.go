package edit

import (
	"context"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/sitedb"
)

// termLanguage is the language of a category or tag that is being made by itself,
// below a parent or not.
func termLanguage(ctx context.Context, tx *sitedb.Tx, place *wpsite.Place, in *api.Params, tax *api.TaxonomyKind, parent int64) (string, error) {
	l := &place.Site.Languages.Languages
	above := ""
	if l.Plugin == i18n.Polylang && parent != 0 {
		groups, err := tx.Terms.TermTranslations(ctx, l, tax.Name, []int64{parent})
		if err != nil {
			return "", err
		}
		above = groups[parent].Of(parent)
	}
	lang, absent := langParam(in)
	return l.NewTerm(place.Lang, lang, absent, above), nil
}

// eventTermLanguage is the language of the terms that an event brings along: the one
// of new posts, and of an event that exists its own if the request says none. event
// is 0 for a new one.
func eventTermLanguage(ctx context.Context, tx *sitedb.Tx, place *wpsite.Place, in *api.Params, event int64) (string, error) {
	l := &place.Site.Languages.Languages
	lang, absent := langParam(in)
	if l.Plugin != i18n.Polylang || event == 0 || l.PolylangTerms(lang, absent) != "" || place.Lang.Items() != "" {
		return l.NewPost(place.Lang, lang, absent), nil
	}
	groups, err := tx.Posts.PostTranslations(ctx, l, []int64{event})
	if err != nil {
		return "", err
	}
	if own := groups[event].Of(event); own != "" {
		return own, nil
	}
	return l.Default, nil
}
