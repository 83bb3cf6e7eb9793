package read

import (
	"context"
	"slices"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/php"
)

// filterTerms finds the terms of a list filter, each entry by slug first and then by id,
// with their descendants. Of several tags only the first one counts, except where dates are
// read from post meta. WPML replaces each term by its translation into the language of the
// list.
func filterTerms(ctx context.Context, r *wprest.Request, tax *api.TaxonomyKind, items []php.Value, language string) ([]int64, error) {
	found, err := r.Lookups.Terms(ctx, tax.Name, items)
	if err != nil {
		return nil, err
	}
	code := r.Place.LanguageOfSlugs(r.Get("lang"))
	if tax == api.Tags && len(items) > 1 && r.Place.Site.Facts.Occurrences {
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
	return translatedTerms(ctx, r, tax, found.Groups, ids, named, language)
}

// termByID returns the same for one term that a path names by its id.
func termByID(ctx context.Context, r *wprest.Request, tax *api.TaxonomyKind, id int64, language string) ([]int64, error) {
	found, err := r.Lookups.Terms(ctx, tax.Name, []php.Value{id})
	if err != nil {
		return nil, err
	}
	if _, ok := found.ByID[id]; !ok {
		return nil, nil
	}
	return translatedTerms(ctx, r, tax, found.Groups, []int64{id}, map[int64]bool{}, language)
}

// translatedTerms returns terms in the language of a list, with their descendants.
func translatedTerms(ctx context.Context, r *wprest.Request, tax *api.TaxonomyKind, groups map[int64]i18n.Group, ids []int64, named map[int64]bool, language string) ([]int64, error) {
	tops, alone := termsInLanguage(&r.Place.Site.Languages, groups, ids, named, language)
	if !tax.Hierarchical || len(tops) == 0 {
		return slices.Concat(alone, tops), nil
	}
	ids, err := r.Lookups.WithDescendants(ctx, tax, tops)
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
