package langplugin

import (
	"context"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/rowedit"
)

// Rules say how the rows that a request writes are filed under languages.
type Rules struct {
	Languages *i18n.Languages
	// Posts is the code that new posts get. Terms is the one in which terms are
	// edited; what new terms get is up to each.
	Posts, Terms string
	// Home is the URL that addresses of untranslated posts begin with.
	Home string
	// Jobs says that WPML keeps account of translations.
	Jobs bool
	// Faithful repeats plain faults of the plugins.
	Faithful bool
	// Translator says that the user is made a translator of what it translates.
	Translator bool
}

// Writer keeps the rows of a language plugin while posts and terms are written, and
// says where languages change what WordPress would do.
type Writer interface {
	PostWriter
	TermWriter
	// Finish does what follows at the end of the request.
	Finish(ctx context.Context) error
}

// PostWriter is what the writing of posts calls.
type PostWriter interface {
	// Rivals restricts a search in posts to those whose slugs a post of a type
	// must not repeat. id is 0 for a new post.
	Rivals(ctx context.Context, query sq.SelectBuilder, id int64, postType string) (sq.SelectBuilder, error)
	// PostCreated is called when the row of a post was made, PostUpdated when it
	// was changed and its terms were assigned; trashing: to move it to the trash.
	PostCreated(ctx context.Context, p *wpstore.Post) error
	PostUpdated(ctx context.Context, old, saved *wpstore.Post, trashing bool) error
	// PostDeleting is called while the rows of a post that goes for good are there.
	PostDeleting(ctx context.Context, p *wpstore.Post) error
	// MetaChanged is called before the changed metadata of a post is written.
	MetaChanged(p *wpstore.Post, meta *rowedit.MetaEdit)
	// TermsOfPost says which terms of a taxonomy a post gets instead of those wanted.
	// id is 0 for a post that is being made.
	TermsOfPost(ctx context.Context, id int64, taxonomy string, wanted []int64) ([]int64, error)
	// ResortsTags says that saving the tags of a post anew, by name, counts as a
	// change where their names are in another order than their ids.
	ResortsTags() bool
}

// TermWriter is what the writing of terms calls.
type TermWriter interface {
	// NewTerm and StoredTerm say among which terms one must be unique.
	NewTerm(code string) TermScope
	StoredTerm(ctx context.Context, t wpstore.Term) (TermScope, error)
	// KnownTerm is the term that is taken for a new one of a name, the zero Term for
	// none.
	KnownTerm(ctx context.Context, taxonomy, name string, hierarchical bool) (wpstore.Term, error)
	TermCreated(ctx context.Context, t wpstore.Term, code string) error
	// TermDeleting is called while the rows of the term are still there.
	TermDeleting(ctx context.Context, t wpstore.Term) error
	// ChildrenChanged keeps the option of the children of each term.
	ChildrenChanged(ctx context.Context, c ChildChange) error
}

// TermScope says among which terms names and slugs of one must be unique.
type TermScope struct {
	Names, Slugs wpstore.InLanguage
	// Code is the language of the term.
	Code string
	// Collides: a term of another language than the request's stands in its own way.
	Collides bool
}

// ChildChange is a term of a taxonomy that was made, moved or deleted.
type ChildChange struct {
	Term         wpstore.Term
	OldParent    int64
	Hierarchical bool
	Made, Gone   bool
	Code         string
}
