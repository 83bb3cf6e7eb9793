package edit

import (
	"context"
	"errors"
	"slices"

	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/trait"
	"calbridge/rest/tribev1"
	"calbridge/rest/wpcap"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext/escape"
	"calbridge/wpstore"
	wpedit "calbridge/wpstore/edit"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
)

// eventTerms finds the categories and tags of an event in a request, and makes the missing
// ones.
type eventTerms struct {
	tx     *sitedb.Tx
	place  *wpsite.Place
	viewer *authz.Viewer
	in     *api.Params
	event  int64 // its id, 0 for a new one
	lists  []*termList
	// read are the terms of numeric entries, never nil once they were read. known has their
	// term_taxonomy ids, by taxonomy and term id.
	read  []wpstore.Term
	known map[string]map[int64]int64
	// language is the language of new terms, once it is known.
	language      string
	languageKnown bool
}

// termList is the list of one taxonomy.
type termList struct {
	tax     *api.TaxonomyKind
	entries []termEntry
}

// termEntry is one entry of a list: a term, or the text of a missing one.
type termEntry struct {
	id   int64
	text string
	// bySlug reports that the text is the slug of the term.
	bySlug bool
}

// maxTermTexts bounds the texts in one list of an event.
const maxTermTexts = 100

// find looks up the terms of a request, with one statement for all numbers and one or two for the
// texts of a list. It refuses new terms that the user may not make, before the first row is
// written. name is passed to KnownTerms of the transaction.
func (e *eventTerms) find(ctx context.Context, name wpstore.PostName) error {
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		v := e.in.Get(tribev1.TermCollection(tax))
		if v == nil {
			continue
		}
		list, err := e.list(tax, v)
		if err != nil {
			return err
		}
		e.lists = append(e.lists, list)
	}
	ids := map[string][]int64{}
	for _, list := range e.lists {
		for _, entry := range list.entries {
			if entry.text == "" {
				ids[list.tax.Name] = append(ids[list.tax.Name], entry.id)
			}
		}
	}
	found, err := e.tx.KnownTerms(ctx, ids, name)
	if err != nil {
		return err
	}
	e.read, e.known = append([]wpstore.Term{}, found...), map[string]map[int64]int64{}
	for _, list := range e.lists {
		e.known[list.tax.Name] = map[int64]int64{}
	}
	for _, t := range found {
		e.known[t.Taxonomy][t.ID] = t.TaxonomyID
	}
	for _, list := range e.lists {
		if err := e.resolve(ctx, list); err != nil {
			return err
		}
	}
	return nil
}

// list reads one list, with numbers as ids.
func (e *eventTerms) list(tax *api.TaxonomyKind, v php.Value) (*termList, error) {
	var items []php.Value
	switch v := v.(type) {
	case *php.Array:
		items = v.Values()
	case string:
		items = api.SplitCommas(v)
	default:
		items = []php.Value{v}
	}
	list := &termList{tax: tax}
	seen, texts := map[termEntry]bool{}, 0
	for _, item := range items {
		if _, nested := item.(*php.Array); nested && !php.Empty(item) {
			return nil, api.Fail("internal_server_error") // the reference fails here
		}
		if php.Empty(item) {
			continue
		}
		entry := termEntry{text: php.ToString(item)}
		if php.IsNumeric(item) {
			entry = termEntry{id: php.ToInt(item)}
		}
		if seen[entry] {
			continue
		}
		seen[entry] = true
		list.entries = append(list.entries, entry)
		if entry.text != "" {
			texts++
		}
	}
	if len(items) > api.MaxListItems || texts > maxTermTexts {
		var refused api.ParamError
		refused.Add(e.place.Words, tribev1.TermCollection(tax), nil)
		return nil, refused.Err()
	}
	return list, nil
}

// resolve finds the terms of a list's entries: numbers among the known terms, texts by slug, then
// by name. Unknown numbers match no term.
func (e *eventTerms) resolve(ctx context.Context, list *termList) error {
	var texts []string
	for _, entry := range list.entries {
		if entry.text != "" {
			texts = append(texts, entry.text)
		}
	}
	found, err := e.findTerms(ctx, list.tax, texts...)
	if err != nil {
		return err
	}
	for i, entry := range list.entries {
		if entry.text == "" {
			if _, known := e.known[list.tax.Name][entry.id]; !known {
				list.entries[i].id = 0
			}
			continue
		}
		list.entries[i].id, list.entries[i].bySlug = found(entry.text)
		if list.entries[i].id == 0 && list.tax.Hierarchical && !e.place.Site.Compat.Exact() && !e.viewer.User.Can(list.tax.ManageCap) { // known difference S5
			return e.viewer.Forbidden()
		}
	}
	return nil
}

// make makes the missing terms, and returns the terms that the user may assign. A negative id
// stands for the tag whose name is that number; see makeTagIDs.
func (e *eventTerms) make(ctx context.Context) ([]wpedit.PostTermSet, error) {
	var sets []wpedit.PostTermSet
	for _, list := range e.lists {
		var ids []int64
		made := false
		for _, entry := range list.entries {
			id := entry.id
			if entry.text != "" && !entry.bySlug && (made || id == 0) {
				// It may have been made a moment ago, by this request or by another.
				if err := e.tx.TermEditor.Lock(ctx); err != nil {
					return nil, err
				}
				found, err := e.findTerms(ctx, list.tax, entry.text)
				if err != nil {
					return nil, err
				}
				id, _ = found(entry.text)
			}
			switch {
			case entry.text == "":
			case id == 0:
				var err error
				if id, err = e.makeTerm(ctx, list.tax, entry.text); err != nil {
					return nil, err
				}
				made = true
			case !list.tax.Hierarchical && !e.place.Site.Compat.Fixed():
				// The reference does not assign an existing tag. Just before it saves the event,
				// the tag's id becomes the name of another one (known difference F1).
				id = -id
			}
			if id != 0 && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		if wpcap.AssignTerms(e.viewer.User, list.tax.Name) {
			sets = append(sets, wpedit.PostTermSet{Taxonomy: list.tax.Name, IDs: ids, Known: e.known[list.tax.Name]})
		}
	}
	return sets, nil
}

// makeTagIDs replaces the negative ids in the sets by the ids of tags with the number as their
// name, and makes the missing ones.
func (e *eventTerms) makeTagIDs(ctx context.Context, sets []wpedit.PostTermSet) error {
	for i := range sets {
		set := &sets[i]
		var texts []string
		for _, id := range set.IDs {
			if id < 0 {
				texts = append(texts, php.ToString(-id))
			}
		}
		found, err := e.findTerms(ctx, api.Tags, texts...)
		if err != nil {
			return err
		}
		var ids []int64
		for _, id := range set.IDs {
			if id < 0 {
				text := php.ToString(-id)
				if id, _ = found(text); id == 0 {
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

// makeTerm makes a new term of an event. It returns 0 for a text that cannot be a term.
func (e *eventTerms) makeTerm(ctx context.Context, tax *api.TaxonomyKind, text string) (id int64, err error) {
	name, err := termName(escape.StripSlashes(text), e.place.Site.Traits)
	if err != nil {
		return 0, nil
	}
	if !e.languageKnown {
		if e.language, err = eventTermLanguage(ctx, e.tx, e.place, e.in, e.event); err != nil {
			return 0, err
		}
		e.languageKnown = true
	}
	made, err := e.tx.TermEditor.Insert(ctx, wpstore.NewTerm{
		Taxonomy: tax.Name, Hierarchical: tax.Hierarchical, Name: name, Slug: e.place.Site.Slug(name), Language: e.language,
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

// findTerms looks up texts. The function that it returns gives the term with a text as its slug or
// name, 0 for none.
func (e *eventTerms) findTerms(ctx context.Context, tax *api.TaxonomyKind, texts ...string) (find func(text string) (id int64, bySlug bool), err error) {
	var lookup wpstore.TermLookup
	for _, text := range texts {
		lookup.Names = append(lookup.Names, namesOf(text, e.place.Site.Traits)...)
		if slug := e.place.Site.Slug(text); slug != "" {
			lookup.Slugs = append(lookup.Slugs, slug)
		}
	}
	found, err := e.tx.Terms.LookupTerms(ctx, tax.Name, lookup)
	return func(text string) (int64, bool) {
		slug := e.place.Site.Slug(text)
		if t, ok := found.BySlug[slug]; ok && slug != "" {
			return t.ID, true
		}
		for _, name := range namesOf(text, e.place.Site.Traits) {
			if t, ok := found.ByName[name]; ok {
				return t.ID, false
			}
		}
		return 0, false
	}, err
}

// namesOf returns the names that a text finds a term by.
func namesOf(text string, traits trait.Set) []string {
	if name, err := termName(text, traits); err == nil {
		return []string{text, name}
	}
	return []string{text}
}
