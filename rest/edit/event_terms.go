package edit

import (
	"context"
	"errors"
	"slices"

	"calbridge/rest/access"
	"calbridge/rest/api"
	"calbridge/rest/wpcap"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext/escape"
	"calbridge/wpstore"
	wpedit "calbridge/wpstore/edit"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
)

// eventTerms finds the categories and tags of an event in a request.
type eventTerms struct {
	tx     *sitedb.Tx
	place  *wpsite.Place
	viewer *access.Viewer
	in     *api.Params
	event  int64 // its id, 0 for a new one
}

// sets resolves the categories and tags of a request, makes the missing ones, and returns
// those that the user may assign.
func (e *eventTerms) sets(ctx context.Context) ([]wpedit.PostTermSet, error) {
	var sets []wpedit.PostTermSet
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		v := e.in.Get(tax.Collection)
		if v == nil {
			continue
		}
		ids, err := e.resolveTerms(ctx, tax, v)
		if err != nil {
			return nil, err
		}
		if wpcap.AssignTerms(e.viewer.User, tax.Name) {
			sets = append(sets, wpedit.PostTermSet{Taxonomy: tax.Name, IDs: ids})
		}
	}
	return sets, nil
}

// resolveTerms returns the ids of the terms of one list. A negative id stands for the tag
// that has its number as name; see makeTagIDs.
func (e *eventTerms) resolveTerms(ctx context.Context, tax *api.TaxonomyKind, v php.Value) ([]int64, error) {
	var items []php.Value
	switch v := v.(type) {
	case *php.Array:
		items = v.Values()
	case string:
		items = api.SplitCommas(v)
	default:
		items = []php.Value{v}
	}
	var ids []int64
	for _, item := range items {
		if _, nested := item.(*php.Array); nested {
			if !php.Empty(item) {
				return nil, api.Fail("internal_server_error") // the reference fails here
			}
			continue
		}
		id, err := e.resolveTerm(ctx, tax, item)
		if err != nil {
			return nil, err
		}
		if id != 0 && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// resolveTerm finds the term of one entry: a number by id, text by slug, then by name. Other
// text becomes a new term. 0 is no term.
func (e *eventTerms) resolveTerm(ctx context.Context, tax *api.TaxonomyKind, item php.Value) (int64, error) {
	if php.Empty(item) {
		return 0, nil
	}
	if php.IsNumeric(item) {
		id := php.ToInt(item)
		found, err := e.tx.Terms.Terms(ctx, tax.Name, []int64{id})
		return found[id].ID, err
	}
	text := php.ToString(item)
	t, err := e.findTerm(ctx, tax, text)
	if err != nil || t.ID != 0 && (tax.Hierarchical || e.place.Site.Compat.Fixed()) {
		return t.ID, err
	}
	if t.ID != 0 {
		// The reference does not assign an existing tag: just before it saves the event,
		// the tag's id becomes the name of another one (known difference F1).
		return -t.ID, nil
	}
	return e.makeTerm(ctx, tax, text)
}

// makeTagIDs replaces the negative ids in the sets by those of tags that have the number as
// their name, and makes the missing ones.
func (e *eventTerms) makeTagIDs(ctx context.Context, sets []wpedit.PostTermSet) error {
	for i := range sets {
		set := &sets[i]
		var ids []int64
		for _, id := range set.IDs {
			if id < 0 {
				text := php.ToString(-id)
				t, err := e.findTerm(ctx, api.Tags, text)
				if err != nil {
					return err
				}
				id = t.ID
				if id == 0 {
					if id, err = e.makeTerm(ctx, api.Tags, text); err != nil {
						return err
					}
				}
			}
			if id != 0 && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		set.IDs = ids
	}
	return nil
}

// makeTerm makes a new term of an event; 0 for a text that cannot be one.
func (e *eventTerms) makeTerm(ctx context.Context, tax *api.TaxonomyKind, text string) (int64, error) {
	if tax.Hierarchical && !e.place.Site.Compat.Exact() && !e.viewer.User.Can(tax.ManageCap) { // known difference S5
		return 0, e.viewer.Forbidden()
	}
	name, err := termName(escape.StripSlashes(text))
	if err != nil {
		return 0, nil
	}
	code, err := eventTermLanguage(ctx, e.tx, e.place, e.in, e.event)
	if err != nil {
		return 0, err
	}
	made, err := e.tx.TermEditor.Insert(ctx, wpstore.NewTerm{
		Taxonomy: tax.Name, Hierarchical: tax.Hierarchical, Name: name, Slug: e.place.Site.Slug(name), Language: code,
	})
	var exists *wpstore.TermExistsError
	var unstorable *wpstore.UnstorableError
	switch {
	case errors.As(err, &exists):
		return exists.ID, nil
	case errors.Is(err, wpstore.ErrTooLong), errors.As(err, &unstorable):
		return 0, nil // the event is saved without it
	}
	return made.ID, err
}

// findTerm is the term with a text as its slug or name; the zero Term for none.
func (e *eventTerms) findTerm(ctx context.Context, tax *api.TaxonomyKind, text string) (wpstore.Term, error) {
	slug := e.place.Site.Slug(text)
	lookup := wpstore.TermLookup{Names: []string{text}}
	name, err := termName(text)
	if err == nil {
		lookup.Names = append(lookup.Names, name)
	}
	if slug != "" {
		lookup.Slugs = []string{slug}
	}
	found, err := e.tx.Terms.LookupTerms(ctx, tax.Name, lookup)
	if err != nil {
		return wpstore.Term{}, err
	}
	if t, ok := found.BySlug[slug]; ok && slug != "" {
		return t, nil
	}
	for _, n := range lookup.Names {
		if t, ok := found.ByName[n]; ok {
			return t, nil
		}
	}
	return wpstore.Term{}, nil
}
