package edit

import (
	"context"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
)

// Rules is what saving a post depends on besides the row: the site and the
// user who saves. All of it is the same for a whole request.
type Rules struct {
	// Home is the URL that ids of revisions and unpublished posts begin with.
	Home string
	// Revisions is how many revisions of a post are kept: 0 all, less than 0 none.
	Revisions int
	// MayPublish says whether the user may publish posts of a type.
	MayPublish func(postType string) bool
	// Permalink is the address of a published or private post as the user sees it.
	Permalink func(*wpstore.Post) string
	// Clean filters title, content and excerpt by what the user may write. It is
	// run on every save, on stored texts as well.
	Clean func(*wpstore.Post)
	// Slug makes a slug of a text: sanitize_title.
	Slug func(text string) string
}

// Posts edits posts of any type.
type Posts struct {
	rules     Rules
	rows      *rowedit.Rows
	posts     rowedit.Posts
	cron      rowedit.Cron
	heads     PostReader
	slugs     slugs
	terms     postTerms
	revisions revisions
	languages langplugin.PostWriter
}

// NewPosts returns the editor of posts of one transaction. plugins are all, and
// languages writes the rows of the site's.
func NewPosts(rows *rowedit.Rows, rules Rules, posts PostReader, terms TermReader, plugins langplugin.Plugins, languages langplugin.PostWriter) *Posts {
	options := rowedit.Options{Rows: rows}
	table := rowedit.Posts{Rows: rows, Metas: rowedit.Metas{Rows: rows}, Read: posts}
	return &Posts{
		rules: rules, rows: rows, posts: table, cron: rowedit.Cron{Options: options}, heads: posts, languages: languages,
		slugs: slugs{rows, languages},
		terms: postTerms{
			rows: rows, terms: rowedit.Terms{Rows: rows, Options: options}, read: terms, languages: languages, objects: plugins.ObjectTaxonomies(),
		},
		revisions: revisions{rows: rows, posts: table, home: rules.Home, keep: rules.Revisions},
	}
}

// PostEdit is one post while a request changes it. Its fields are set to what
// shall be; Save and Flush write them with all that WordPress does along.
type PostEdit struct {
	wpstore.Post
	Meta *rowedit.MetaEdit

	// DateGiven says that the request names the publication date, which then also
	// counts for a draft that is being published.
	DateGiven bool
	// Terms replace the post's terms, taxonomy by taxonomy, with the row.
	Terms []PostTermSet

	// trashing says that the save is part of moving the post to the trash.
	trashing bool

	posts  *Posts
	stored *wpstore.Post // as it is in the table; nil for a new one
}

// New starts a post that does not exist yet. Empty dates mean now; an empty slug
// comes from the title, except for drafts.
func (p *Posts) New(post wpstore.Post) *PostEdit { return &PostEdit{Post: post, posts: p} }

// Edit reads a post with all its metadata and keeps both from changing until the
// transaction ends; nil when there is none. Two queries.
func (p *Posts) Edit(ctx context.Context, id int64) (*PostEdit, error) {
	found, err := p.posts.Lock(ctx, id)
	locked, ok := found[id]
	if err != nil || !ok {
		return nil, err
	}
	return &PostEdit{Post: *locked.Post, Meta: locked.Meta, posts: p, stored: locked.Post}, nil
}

// Flush writes the metadata.
func (e *PostEdit) Flush(ctx context.Context) error {
	e.posts.languages.MetaChanged(&e.Post, e.Meta)
	return e.posts.posts.Metas.Write(ctx, e.Meta)
}

// isDraft says whether a status is one of those whose posts have no fixed date
// and no reserved slug yet.
func isDraft(status string) bool {
	return status == "draft" || status == "pending" || status == "auto-draft"
}
