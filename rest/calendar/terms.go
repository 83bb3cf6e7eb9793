package calendar

import (
	"context"
	"slices"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/php"
)

// Terms finds the terms that a filter names, each entry by slug first and then by id,
// with their descendants. Of several tags only the first one counts, except where dates are
// read from post meta. WPML replaces each term by its translation into the language of the
// list.
func (a Asker) Terms(ctx context.Context, tax *api.TaxonomyKind, items []php.Value, slugLanguage php.Value, language string) ([]int64, error) {
	found, err := a.Lookups.Terms(ctx, tax.Name, items)
	if err != nil {
		return nil, err
	}
	code := a.Place.LanguageOfSlugs(slugLanguage)
	if tax == api.Tags && len(items) > 1 && a.Place.Site.Facts.Occurrences {
		items = items[:1]
	}
	var ids []int64 // as given
	named := map[int64]bool{}
	for _, item := range items {
		slug := found.Slug(php.ToString(item))
		if t, ok := found.SlugIn(slug, code); ok && slug != "" {
			ids = append(ids, t.ID)
			named[t.ID] = true
		} else if id, isID := item.(int64); isID {
			if _, ok := found.ByID[id]; ok {
				ids = append(ids, id)
			}
		}
	}
	return a.translatedTerms(ctx, tax, found.Groups, ids, named, language)
}

// TermByID returns the same for one term that is named by its id.
func (a Asker) TermByID(ctx context.Context, tax *api.TaxonomyKind, id int64, language string) ([]int64, error) {
	found, err := a.Lookups.Terms(ctx, tax.Name, []php.Value{id})
	if err != nil {
		return nil, err
	}
	if _, ok := found.ByID[id]; !ok {
		return nil, nil
	}
	return a.translatedTerms(ctx, tax, found.Groups, []int64{id}, map[int64]bool{}, language)
}

// translatedTerms returns terms in the language of a list, with their descendants.
func (a Asker) translatedTerms(ctx context.Context, tax *api.TaxonomyKind, groups map[int64]i18n.Group, ids []int64, named map[int64]bool, language string) ([]int64, error) {
	tops, alone := termsInLanguage(&a.Place.Site.Languages, groups, ids, named, language)
	if !tax.Hierarchical || len(tops) == 0 {
		return slices.Concat(alone, tops), nil
	}
	ids, err := a.Lookups.WithDescendants(ctx, tax, tops)
	return append(ids, alone...), err
}

// termsInLanguage translates the terms of a filter into the language of a list: tops, which
// include their descendants, if they were named by their slug or are of that language, and
// alone. A named term without translation matches nothing.
func termsInLanguage(languages *wpsite.Languages, groups map[int64]i18n.Group, ids []int64, named map[int64]bool, language string) (tops, alone []int64) {
	tops, alone = []int64{}, []int64{}
	if !languages.Roots || language == "" {
		return append(tops, ids...), alone
	}
	for _, id := range ids {
		translated, ok := groups[id].Into(id, language)
		switch {
		case named[id] && ok, translated == id && ok:
			tops = append(tops, translated)
		case !named[id]:
			alone = append(alone, translated)
		}
	}
	return tops, alone
}
