package render

import (
	"context"

	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/calendar"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
)

// Renderer renders the terms of one answer. It is not safe for concurrent use.
type TermRenderer struct {
	Namespace string // of the API
	Place     *wpsite.Place
	Viewer    *authz.Viewer
	Store     calendar.TermStore // of parents and languages
	Buffers   *phpjson.Buffers   // memory of earlier responses
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
	trees, err := r.Trees(ctx, []wpstore.Term{t})
	if err != nil {
		return nil, err
	}
	languages, err := r.Languages(ctx, tax, []wpstore.Term{t, trees[t.Taxonomy][t.Parent]}, wpstore.InLanguage{}, "")
	if err != nil {
		return nil, err
	}
	w := r.NewWriter()
	w.BeginObject()
	r.Members(w, tax, t, trees, languages[t.ID])
	if links {
		w.KeyValue("_links", r.links(tax, t))
		if embedded := r.embedded(tax, t, trees, languages); embedded != nil {
			w.KeyValue("_embedded", embedded)
		}
	}
	w.EndObject()
	return r.Result(w), nil
}

// A Trees holds the terms of taxonomies: by the taxonomy's name, then by id. One id may be a term
// of several taxonomies, with another parent in each.
type Trees map[string]map[int64]wpstore.Term

// Trees reads the taxonomies of the terms whose URL needs the slugs above them. A list of one
// taxonomy may show a shared term as that of another.
func (r *TermRenderer) Trees(ctx context.Context, terms []wpstore.Term) (Trees, error) {
	trees := Trees{}
	for _, t := range terms {
		if t.Parent == 0 || trees[t.Taxonomy] != nil {
			continue
		}
		tree, err := r.Store.TermTree(ctx, t.Taxonomy)
		if err != nil {
			return nil, err
		}
		trees[t.Taxonomy] = tree
	}
	return trees, nil
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
