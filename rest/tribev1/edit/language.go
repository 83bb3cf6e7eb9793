package edit

import (
	"cmp"
	"context"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/sitedb"
)

// termLanguage returns the language of a new category or tag. parent is 0 for none.
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

// eventTermLanguage returns the language of terms that are made with an event: the language of new
// posts or, if the request has none, that of the existing event. event is 0 for a new one.
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
	return cmp.Or(groups[event].Of(event), l.Default), nil
}
