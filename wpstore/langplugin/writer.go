package langplugin

import (
	"context"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/rowedit"
)

// Rules describe how the rows that a request writes are filed under languages.
type Rules struct {
	Languages *i18n.Languages
	// Posts is the language code of new posts, Events that of new events. Terms is the
	// language in which terms are edited; new terms name their own.
	Posts, Events, Terms string
	// Home is the URL that addresses of untranslated posts start with.
	Home string
	// Jobs is set if WPML's tables of translation jobs exist.
	Jobs bool
	// Faithful makes the writer reproduce faults of the plugins.
	Faithful bool
	// Translator makes the user a translator between the languages of the translations.
	Translator bool
}

// Writer writes the rows of a language plugin when posts and terms are written. It
// overrides WordPress's behaviour where languages matter.
type Writer interface {
	PostWriter
	TermWriter
	// Finish runs at the end of the request.
	Finish(ctx context.Context) error
}

// PostWriter holds the hooks of writing posts.
type PostWriter interface {
	// Rivals restricts a query of posts to those among which the slug of a post must be
	// unique. id is 0 for a new post.
	Rivals(ctx context.Context, query sq.SelectBuilder, id int64, postType string) (sq.SelectBuilder, error)
	// PostCreated runs after the row of a post was added, PostUpdated after it was changed
	// and its terms were assigned. bare: no terms had the id of the new post before. trashing:
	// the post moves to the trash.
	PostCreated(ctx context.Context, p *wpstore.Post, bare bool) error
	PostUpdated(ctx context.Context, old, saved *wpstore.Post, trashing bool) error
	// PostDeleting runs before the rows of a post are deleted.
	PostDeleting(ctx context.Context, p *wpstore.Post) error
	// MetaChanged runs before the changed metadata of a post is written.
	MetaChanged(p *wpstore.Post, meta *rowedit.MetaEdit)
	// TermsOfPost returns the terms of a taxonomy that a post gets instead of those wanted.
	// id is 0 for a new post.
	TermsOfPost(ctx context.Context, id int64, taxonomy string, wanted []int64) ([]int64, error)
	// ResortsTags reports whether an update of a post counts as a change of its tags if
	// their names are in another order than their ids.
	ResortsTags() bool
}

// TermWriter holds the hooks of writing terms.
type TermWriter interface {
	// NewTerm and StoredTerm return the terms among which a term must be unique.
	NewTerm(code string) TermScope
	StoredTerm(ctx context.Context, t wpstore.Term) (TermScope, error)
	// KnownTerm returns an existing term to use instead of a new one with a name, or the
	// zero Term if there is none.
	KnownTerm(ctx context.Context, taxonomy, name string, hierarchical bool) (wpstore.Term, error)
	TermCreated(ctx context.Context, t wpstore.Term, code string) error
	// TermDeleting runs before the rows of a term are deleted.
	TermDeleting(ctx context.Context, t wpstore.Term) error
	// ChildrenChanged updates the option with the children of each term.
	ChildrenChanged(ctx context.Context, c ChildChange) error
}

// TermScope describes the terms among which the name and the slug of a term must be unique.
type TermScope struct {
	Names, Slugs wpstore.InLanguage
	// Code is the language of the term.
	Code string
	// Collides is set if the term's slug is taken by the term itself.
	Collides bool
}

// ChildChange is a term that was added, moved or deleted.
type ChildChange struct {
	Term         wpstore.Term
	OldParent    int64
	Hierarchical bool
	Made, Gone   bool
	Code         string
}
