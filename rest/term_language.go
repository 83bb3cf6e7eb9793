package rest

import (
	"slices"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/wpstore"
)

// adjustTerms replaces the ids that a list of terms is filtered by by their
// translations: WPML does, in every language.
func (c *call) adjustTerms(tax *api.TaxonomyKind, q *wpstore.TermQuery, code string) error {
	l := &c.req.Place.Site.Languages
	if !l.Roots || code == "" {
		return nil
	}
	lookup := wpstore.TermLookup{IDs: slices.Concat(q.Include, q.Exclude), Translations: l.Plugin}
	if q.Parent != nil {
		lookup.IDs = append(lookup.IDs, *q.Parent)
	}
	if q.HasSlug {
		lookup.Slugs = []string{q.Slug}
	}
	found, err := c.req.Store.LookupTerms(c.ctx, tax.Name, lookup)
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
