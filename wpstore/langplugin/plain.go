package langplugin

import (
	"context"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/rowedit"
)

// plainWriter is the Writer of a site without a language plugin.
type plainWriter struct {
	PlainPosts
	PlainTerms
}

func (plainWriter) Finish(context.Context) error { return nil }

// PlainPosts implements [PostWriter] like WordPress without a plugin. The writers of
// plugins embed it for the hooks that they don't use.
type PlainPosts struct{}

// Rivals implements [PostWriter], as do the other methods. All posts of the type are
// rivals.
func (PlainPosts) Rivals(_ context.Context, query sq.SelectBuilder, _ int64, _ string) (sq.SelectBuilder, error) {
	return query, nil
}

func (PlainPosts) PostCreated(context.Context, *wpstore.Post, bool) error { return nil }

func (PlainPosts) PostUpdated(_ context.Context, _, _ *wpstore.Post, _ bool) error { return nil }

func (PlainPosts) PostDeleting(context.Context, *wpstore.Post) error { return nil }

func (PlainPosts) MetaChanged(*wpstore.Post, *rowedit.MetaEdit) {}

func (PlainPosts) TermsOfPost(_ context.Context, _ int64, _ string, wanted []int64) ([]int64, error) {
	return wanted, nil
}

func (PlainPosts) ResortsTags() bool { return false }

// PlainTerms implements [TermWriter] like WordPress without a plugin.
type PlainTerms struct{ Terms rowedit.Terms }

// NewTerm implements [TermWriter], as do the other methods. A term is unique among all
// terms.
func (PlainTerms) NewTerm(string) TermScope { return TermScope{} }

func (PlainTerms) StoredTerm(context.Context, wpstore.Term) (TermScope, error) {
	return TermScope{}, nil
}

func (PlainTerms) KnownTerm(_ context.Context, _, _ string, _ bool) (wpstore.Term, error) {
	return wpstore.Term{}, nil
}

func (PlainTerms) TermCreated(context.Context, wpstore.Term, string) error { return nil }

func (PlainTerms) TermDeleting(context.Context, wpstore.Term) error { return nil }

// ChildrenChanged rebuilds WordPress's option of the children of each term.
func (p PlainTerms) ChildrenChanged(ctx context.Context, c ChildChange) error {
	if !c.Hierarchical {
		return nil
	}
	return p.Terms.RebuildChildren(ctx, c.Term.Taxonomy)
}
