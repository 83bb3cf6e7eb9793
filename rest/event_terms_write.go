package rest

import (
	"errors"
	"slices"

	"calbridge/rest/api"
	"calbridge/rest/wpcap"
	"calbridge/rest/wptext/escape"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// termSets resolves the categories and tags of a request, makes the missing ones,
// and returns what the user may assign.
func (w *eventWrite) termSets() ([]wpstore.PostTermSet, error) {
	var sets []wpstore.PostTermSet
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		v := w.req.Get(tax.Collection)
		if v == nil {
			continue
		}
		ids, err := w.resolveTerms(tax, v)
		if err != nil {
			return nil, err
		}
		if wpcap.AssignTerms(w.req.Viewer.User, tax.Name) {
			sets = append(sets, wpstore.PostTermSet{Taxonomy: tax.Name, IDs: ids})
		}
	}
	return sets, nil
}

func (w *eventWrite) resolveTerms(tax *api.TaxonomyKind, v php.Value) ([]int64, error) {
	var items []php.Value
	switch v := v.(type) {
	case *php.Array:
		items = v.Values()
	case string:
		for _, piece := range api.SplitCommas(v) {
			items = append(items, piece)
		}
	default:
		items = []php.Value{v}
	}
	var ids []int64
	for _, item := range items {
		if _, nested := item.(*php.Array); nested {
			if !php.Empty(item) {
				return nil, api.Fail("internal_server_error") // over which the reference fails
			}
			continue
		}
		id, err := w.resolveTerm(tax, item)
		if err != nil {
			return nil, err
		}
		if id != 0 && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// resolveTerm finds the term that one entry means: a number by id, text by slug,
// then by name; text that means none becomes a new term. 0 is no term.
func (w *eventWrite) resolveTerm(tax *api.TaxonomyKind, item php.Value) (int64, error) {
	if php.Empty(item) {
		return 0, nil
	}
	if php.IsNumeric(item) {
		id := php.ToInt(item)
		found, err := w.tx.Terms(w.ctx, tax.Name, []int64{id})
		return found[id].ID, err
	}
	text := php.ToString(item)
	t, err := w.findTerm(tax, text)
	if err != nil || t.ID != 0 && (tax.Hierarchical || w.req.Place.Site.Compat.Fixed()) {
		return t.ID, err
	}
	if t.ID != 0 {
		// A tag that exists is not taken by the reference: its id becomes the name of
		// another one, once the event is saved. Known difference F1.
		return -t.ID, nil
	}
	return w.makeTerm(tax, text)
}

// makeTagIDs makes the tags named like the ids of others, which stand in the sets
// with a minus.
func (w *eventWrite) makeTagIDs() error {
	for i := range w.edit.Terms {
		set := &w.edit.Terms[i]
		var ids []int64
		for _, id := range set.IDs {
			if id < 0 {
				text := php.ToString(-id)
				t, err := w.findTerm(api.Tags, text)
				if id = t.ID; err == nil && id == 0 {
					id, err = w.makeTerm(api.Tags, text)
				}
				if err != nil {
					return err
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

// makeTerm makes the term that an event brings along; 0 for a text that can be
// none.
func (w *eventWrite) makeTerm(tax *api.TaxonomyKind, text string) (int64, error) {
	if tax.Hierarchical && !w.req.Place.Site.Compat.Exact() && !w.req.Viewer.User.Can(tax.ManageCap) { // known difference S5
		return 0, w.req.Viewer.Forbidden()
	}
	name, err := termName(escape.StripSlashes(text))
	if err != nil {
		return 0, nil // nothing that could be a term
	}
	code, err := w.newTermLanguage()
	if err != nil {
		return 0, err
	}
	made, err := w.tx.InsertTerm(w.ctx, wpstore.NewTerm{
		Taxonomy: tax.Name, Hierarchical: tax.Hierarchical, Name: name, Slug: w.req.Place.Site.Slug(name), Language: code,
	})
	err = termMade(err, &made)
	return made.ID, err
}

// termMade takes a term that turns out to exist, and does without one whose name
// does not fit.
func termMade(err error, t *wpstore.Term) error {
	var exists *wpstore.TermExistsError
	switch {
	case errors.As(err, &exists):
		t.ID = exists.ID
		return nil
	case errors.Is(err, wpstore.ErrTooLong):
		return nil
	}
	return err
}

func (w *eventWrite) findTerm(tax *api.TaxonomyKind, text string) (wpstore.Term, error) {
	slug := w.req.Place.Site.Slug(text)
	lookup := wpstore.TermLookup{Names: []string{text}}
	name, err := termName(text)
	if err == nil {
		lookup.Names = append(lookup.Names, name)
	}
	if slug != "" {
		lookup.Slugs = []string{slug}
	}
	found, err := w.tx.LookupTerms(w.ctx, tax.Name, lookup)
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
