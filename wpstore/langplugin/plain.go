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

// Finish has nothing to do.
func (plainWriter) Finish(context.Context) error { return nil }

// PlainPosts writes posts as WordPress does by itself. The writers of plugins embed it
// for what they leave as it is.
type PlainPosts struct{}

// Rivals: all posts of the type are.
func (PlainPosts) Rivals(_ context.Context, query sq.SelectBuilder, _ int64, _ string) (sq.SelectBuilder, error) {
	return query, nil
}

// PostCreated writes nothing.
func (PlainPosts) PostCreated(context.Context, *wpstore.Post) error { return nil }

// PostUpdated writes nothing.
func (PlainPosts) PostUpdated(_ context.Context, _, _ *wpstore.Post, _ bool) error { return nil }

// PostDeleting writes nothing.
func (PlainPosts) PostDeleting(context.Context, *wpstore.Post) error { return nil }

// MetaChanged writes nothing.
func (PlainPosts) MetaChanged(*wpstore.Post, *rowedit.MetaEdit) {}

// TermsOfPost are those wanted.
func (PlainPosts) TermsOfPost(_ context.Context, _ int64, _ string, wanted []int64) ([]int64, error) {
	return wanted, nil
}

// ResortsTags: they stay in their order.
func (PlainPosts) ResortsTags() bool { return false }

// PlainTerms does the same for terms.
type PlainTerms struct{ Terms rowedit.Terms }

// NewTerm must be unique among all.
func (PlainTerms) NewTerm(string) TermScope { return TermScope{} }

// StoredTerm must be unique among all.
func (PlainTerms) StoredTerm(context.Context, wpstore.Term) (TermScope, error) {
	return TermScope{}, nil
}

// KnownTerm is none.
func (PlainTerms) KnownTerm(_ context.Context, _, _ string, _ bool) (wpstore.Term, error) {
	return wpstore.Term{}, nil
}

// TermCreated writes nothing.
func (PlainTerms) TermCreated(context.Context, wpstore.Term, string) error { return nil }

// TermDeleting writes nothing.
func (PlainTerms) TermDeleting(context.Context, wpstore.Term) error { return nil }

// ChildrenChanged makes WordPress's option anew.
func (p PlainTerms) ChildrenChanged(ctx context.Context, c ChildChange) error {
	if !c.Hierarchical {
		return nil
	}
	return p.Terms.RebuildChildren(ctx, c.Term.Taxonomy)
}
