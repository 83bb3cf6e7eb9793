package sitedb

import (
	"context"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
)

// LanguageRules say how the rows that a request writes are filed under languages.
type LanguageRules struct {
	Languages *i18n.Languages
	// Root is the language of the root that the request came to.
	Root string
	// Posts is the code that new posts get. Terms is the one in which terms are
	// edited; what new terms get is up to each.
	Posts, Terms string
	// Home is the URL that addresses of untranslated posts begin with.
	Home string
	// Posts that WPML edits behind the request are saved by these rules.
	Save *PostRules
	// Jobs says that WPML keeps account of translations.
	Jobs bool
	// Faithful repeats plain faults of the plugins.
	Faithful bool
	// Translator says that the user is made a translator of what it translates.
	Translator bool
}

// UseLanguages makes the transaction keep the rows of the site's language plugin.
// It does nothing on a site without one.
func (tx *Tx) UseLanguages(rules LanguageRules) {
	switch rules.Languages.Plugin {
	case i18n.WPML:
		tx.languages = &wpmlWriter{oneLanguage: oneLanguage{tx}, rules: rules}
	case i18n.Polylang:
		tx.languages = &polylangWriter{oneLanguage: oneLanguage{tx}, rules: rules}
	}
}

// languageWriter keeps the rows of a language plugin while posts and terms are
// written, and says where languages change what WordPress would do.
type languageWriter interface {
	// rivals restricts a search in posts to those whose slugs a post of a type
	// must not repeat. id is 0 for a new post.
	rivals(ctx context.Context, query sq.SelectBuilder, id int64, postType string) (sq.SelectBuilder, error)
	// postCreated is called when the row of a post was made, postUpdated when it
	// was changed from old and its terms were assigned.
	postCreated(ctx context.Context, e *PostEdit) error
	postUpdated(ctx context.Context, e *PostEdit, old *wpstore.Post) error
	// postDeleting is called while the rows of a post that goes for good are there.
	postDeleting(ctx context.Context, e *PostEdit) error
	// metaChanged is called before the changed metadata of a post is written.
	metaChanged(e *PostEdit)
	// termsOfPost says which terms a post gets instead of those wanted.
	termsOfPost(ctx context.Context, e *PostEdit, wanted PostTermSet) ([]int64, error)

	// resortsTags says that saving the tags of a post anew, by name, counts as a
	// change where their names are in another order than their ids.
	resortsTags() bool

	// newTerm and storedTerm say among which terms one must be unique.
	newTerm(t NewTerm) termScope
	storedTerm(ctx context.Context, t wpstore.Term) (termScope, error)
	// knownTerm is the term that is taken for a new one, the zero Term for none.
	knownTerm(ctx context.Context, t NewTerm) (wpstore.Term, error)
	termCreated(ctx context.Context, t wpstore.Term, code string) error
	// termDeleting is called while the rows of the term are still there.
	termDeleting(ctx context.Context, t wpstore.Term) error
	// childrenChanged keeps the option of the children of each term.
	childrenChanged(ctx context.Context, c childChange) error

	// finish does what follows at the end of the request.
	finish(ctx context.Context) error
}

// termScope says among which terms names and slugs of one must be unique.
type termScope struct {
	names, slugs wpstore.InLanguage
	// code is the language of the term.
	code string
	// collides: a term of another language than the request's stands in its own way.
	collides bool
}

// childChange is a term of a taxonomy that was made, moved or deleted.
type childChange struct {
	term         wpstore.Term
	oldParent    int64
	hierarchical bool
	made, gone   bool
	code         string
}

// oneLanguage is a site without a language plugin.
type oneLanguage struct{ tx *Tx }

func (oneLanguage) rivals(_ context.Context, query sq.SelectBuilder, _ int64, _ string) (sq.SelectBuilder, error) {
	return query, nil
}

func (oneLanguage) postDeleting(context.Context, *PostEdit) error { return nil }

func (oneLanguage) metaChanged(*PostEdit) {}

func (oneLanguage) postCreated(context.Context, *PostEdit) error { return nil }

func (oneLanguage) postUpdated(context.Context, *PostEdit, *wpstore.Post) error { return nil }

func (oneLanguage) termsOfPost(_ context.Context, _ *PostEdit, wanted PostTermSet) ([]int64, error) {
	return wanted.IDs, nil
}

func (oneLanguage) resortsTags() bool { return false }

func (oneLanguage) newTerm(NewTerm) termScope { return termScope{} }

func (oneLanguage) storedTerm(context.Context, wpstore.Term) (termScope, error) {
	return termScope{}, nil
}

func (oneLanguage) knownTerm(context.Context, NewTerm) (wpstore.Term, error) {
	return wpstore.Term{}, nil
}

func (oneLanguage) termCreated(context.Context, wpstore.Term, string) error { return nil }

func (oneLanguage) termDeleting(context.Context, wpstore.Term) error { return nil }

func (oneLanguage) finish(context.Context) error { return nil }

func (o oneLanguage) childrenChanged(ctx context.Context, c childChange) error {
	return o.tx.rebuildChildren(ctx, c.term.Taxonomy, c.hierarchical)
}
