package render

import (
	"context"
	"maps"
	"slices"

	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/terms"
)

// Renderer renders the terms of one answer. It is not safe for concurrent use.
type TermRenderer struct {
	Namespace string // of the API
	Place     *wpsite.Place
	Viewer    *authz.Viewer
	Store     *terms.Store     // of parents and languages
	Buffers   *phpjson.Buffers // memory of earlier responses
	Options   Options
}

// NewWriter returns a writer for the JSON of the answer.
func (r *TermRenderer) NewWriter() *phpjson.Writer { return r.Buffers.Writer() }

// Result returns the answer that w holds.
func (r *TermRenderer) Result(w *phpjson.Writer) *api.Result {
	return &api.Result{Body: w.Bytes(), Buffer: w}
}

// Term returns the response that shows one term, with WordPress's own links or without.
// Errors are those of the store.
func (r *TermRenderer) Term(ctx context.Context, tax *api.TaxonomyKind, t wpstore.Term, links bool) (*api.Result, error) {
	tree, err := r.Tree(ctx, tax, []wpstore.Term{t})
	if err != nil {
		return nil, err
	}
	languages, err := r.Languages(ctx, tax, []wpstore.Term{t, tree[t.Parent]}, wpstore.InLanguage{}, "")
	if err != nil {
		return nil, err
	}
	w := r.NewWriter()
	w.BeginObject()
	r.Members(w, tax, t, tree, languages[t.ID])
	if links {
		w.KeyValue("_links", r.links(tax, t))
		if embedded := r.embedded(tax, t, tree, languages); embedded != nil {
			w.KeyValue("_embedded", embedded)
		}
	}
	w.EndObject()
	return r.Result(w), nil
}

// Tree reads the taxonomy where the URL of one of the terms needs the slugs above it, and the
// taxonomies of shared terms that are listed as such.
func (r *TermRenderer) Tree(ctx context.Context, tax *api.TaxonomyKind, terms []wpstore.Term) (map[int64]wpstore.Term, error) {
	if !slices.ContainsFunc(terms, func(t wpstore.Term) bool { return t.Parent != 0 }) {
		return nil, nil
	}
	tree, err := r.Store.TermTree(ctx, tax.Name)
	read := []string{tax.Name}
	for _, t := range terms {
		if err != nil || t.Parent == 0 || slices.Contains(read, t.Taxonomy) {
			continue
		}
		var other map[int64]wpstore.Term
		other, err = r.Store.TermTree(ctx, t.Taxonomy)
		read = append(read, t.Taxonomy)
		maps.Copy(tree, other)
	}
	return tree, err
}

// Languages returns the language of each term, for its public URL. It makes no query for a
// list in one language, nor for terms that were read with theirs.
func (r *TermRenderer) Languages(ctx context.Context, tax *api.TaxonomyKind, terms []wpstore.Term, listed wpstore.InLanguage, code string) (map[int64]string, error) {
	out := make(map[int64]string, len(terms))
	if listed != (wpstore.InLanguage{}) {
		for _, t := range terms {
			out[t.ID] = code
		}
		return out, nil
	}
	var ids []int64
	for _, t := range terms {
		if t.Language != "" {
			out[t.ID] = t.Language
		} else {
			ids = append(ids, t.ID)
		}
	}
	groups, err := r.Store.TermTranslations(ctx, &r.Place.Site.Languages.Languages, tax.Name, ids)
	for id, g := range groups {
		out[id] = g.Of(id)
	}
	return out, err
}
