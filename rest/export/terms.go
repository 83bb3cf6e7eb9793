package export

import (
	"context"
	"strings"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/exporturl"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// filter is a filter by terms.
type filter struct {
	// ids are the terms with those below them; nil without a filter.
	ids []int64
	// only is the one term named by its slug, if there is just one.
	only *wpstore.Term
	// language is that of the one term.
	language string
	// known: WordPress's main query knows one of the slugs.
	known bool
}

// unknown says that the filter makes WordPress decide on 404.
func (f *filter) unknown() bool { return f.ids != nil && !f.known }

// filters are the filters of a request.
type filters struct{ categories, tags filter }

// findTerms looks the terms of the filters up.
func findTerms(ctx context.Context, r *request) (f filters, err error) {
	if f.categories, err = findFilter(ctx, r, api.Categories, r.feed.Categories); err != nil {
		return f, err
	}
	if len(f.categories.ids) > 0 {
		if f.categories.ids, err = r.Lookups.WithDescendants(ctx, api.Categories, f.categories.ids); err != nil {
			return f, err
		}
	}
	f.tags, err = findFilter(ctx, r, api.Tags, r.feed.Tags)
	return f, err
}

// maxTerms bounds the terms of a filter.
const maxTerms = 1000

// findFilter looks the terms of one filter up: digits are an id, other texts a slug or a
// name. Of tags only the first counts, and WordPress's own condition, which knows slugs
// only, must hold as well.
func findFilter(ctx context.Context, r *request, tax *api.TaxonomyKind, entries []string) (f filter, err error) {
	if entries == nil {
		return f, nil
	}
	f.ids = []int64{}
	items := make([]php.Value, 0, len(entries))
	for _, entry := range entries[:min(len(entries), maxTerms)] {
		if entry = php.Trim(entry); isID(entry) {
			items = append(items, php.ToInt(entry))
		} else if entry != "" {
			items = append(items, entry)
		}
	}
	found, err := r.Lookups.Terms(ctx, tax.Name, items)
	if err != nil {
		return f, err
	}
	for i, item := range items {
		text := php.ToString(item)
		slug := r.Place.Site.Slug(text)
		named, isSlug := found.SlugIn(slug, "")
		isSlug = isSlug && slug != ""
		if isSlug {
			f.known = true
			f.only, f.language = &named, found.Groups[named.ID].Of(named.ID)
		}
		switch id, byID := item.(int64); {
		case tax == api.Tags && (i > 0 || byID || strings.ContainsAny(text, "+ ")):
		case byID:
			if _, ok := found.ByID[id]; ok {
				f.ids = append(f.ids, id)
			}
		case isSlug:
			f.ids = append(f.ids, named.ID)
		case tax == api.Categories:
			if t, ok := found.ByName[text]; ok {
				f.ids = append(f.ids, t.ID)
			}
		}
	}
	if all := strings.FieldsFunc(strings.Join(entries, ","), func(c rune) bool { return c == '+' || c == ' ' }); len(all) > 1 {
		// WordPress wants all of them at once, and then knows the first.
		slug := r.Place.Site.Slug(all[0])
		found, err := r.Lookups.Terms(ctx, tax.Name, []php.Value{slug})
		if err != nil {
			return f, err
		}
		_, f.known = found.SlugIn(slug, "")
	}
	if tax == api.Tags && r.Place.Site.Languages.Plugin == i18n.WPML { // silently
		for i, id := range f.ids {
			f.ids[i], _ = found.Groups[id].Into(id, r.language)
		}
	}
	if len(items) != 1 {
		f.only = nil
	}
	return f, nil
}

// isID reports whether an entry has digits only.
func isID(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// termAddress returns the address of a term below the site's home.
func termAddress(ctx context.Context, r *request, tax *api.TaxonomyKind, t *wpstore.Term, query string) (string, error) {
	var above []string
	if tax.Hierarchical {
		tree, err := r.Lookups.TermTree(ctx, tax)
		if err != nil {
			return "", err
		}
		seen := map[int64]bool{}
		for id := t.Parent; id != 0 && !seen[id]; id = tree[id].Parent {
			seen[id] = true
			above = append([]string{tree[id].Slug}, above...)
		}
	}
	return exporturl.Join(r.Place.Links.Term(tax, t.Slug, above), query), nil
}
