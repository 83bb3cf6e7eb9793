package edit

import (
	"context"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// Rules is what saving a post depends on besides the row: the site and the user.
type Rules struct {
	// Home is the URL that the guids of revisions and unpublished posts begin with.
	Home string
	// Occurrences says that the calendar keeps its dates in tables of its own.
	Occurrences bool
	// Revisions is the maximum number of revisions of a post: 0 means unlimited, less
	// than 0 none.
	Revisions int
	// MayPublish reports whether the user may publish posts of a type.
	MayPublish func(postType string) bool
	// MayPublishLinked reports whether saving an event may publish a venue or an organizer
	// that it links to. before is the status that a post in the trash had.
	MayPublishLinked func(p *wpstore.PostHead, before string) bool
	// Permalink is the address of a published or private post as the user sees it.
	Permalink func(*wpstore.Post) string
	// Clean filters title, content and excerpt by what the user may write. It runs on
	// every save, for stored texts too.
	Clean func(*wpstore.Post)
	// Slug makes a slug of a text: sanitize_title.
	Slug func(text string) string
}

// PostReader reads posts within the transaction.
type PostReader interface {
	rowedit.PostReader
	PostHeads(ctx context.Context, ids []int64) (map[int64]wpstore.PostHead, error)
	// QueueHeads queues the statements of PostHeads, and adds the heads to found.
	QueueHeads(b *sqlconn.Batch, ids []int64, found map[int64]wpstore.PostHead) error
	PostMetaKeys(ctx context.Context, ids []int64, keys []string) (map[int64]wpstore.Meta, error)
}

// Posts edits posts of any type.
type Posts struct {
	rules     Rules
	rows      *rowedit.Rows
	posts     rowedit.Posts
	cron      *rowedit.Cron
	heads     PostReader
	slugs     slugs
	terms     postTerms
	revisions revisions
	languages langplugin.PostWriter
}

// NewPosts returns the editor of posts of one transaction. languages writes the rows of
// the site's language plugin.
func NewPosts(rows *rowedit.Rows, rules Rules, posts PostReader, terms TermReader, plugins langplugin.Plugins, languages langplugin.PostWriter) *Posts {
	table := rowedit.Posts{Rows: rows, Metas: rowedit.Metas{Rows: rows}, Read: posts}
	return &Posts{
		rules: rules, rows: rows, posts: table, cron: rows.Cron, heads: posts, languages: languages,
		slugs: slugs{rows: rows, languages: languages},
		terms: postTerms{
			rows: rows, terms: rowedit.Terms{Rows: rows}, read: terms, languages: languages, objects: plugins.ObjectTaxonomies(),
		},
		revisions: revisions{rows: rows, posts: table, home: rules.Home, keep: rules.Revisions},
	}
}

// PostEdit is one post while a request changes it. The request sets its fields; Posts.Save and
// Posts.Flush write them with everything that WordPress writes along.
type PostEdit struct {
	wpstore.Post
	Meta *rowedit.MetaEdit

	// DateGiven says that the request has a publication date, which then holds for a
	// draft that is being published too.
	DateGiven bool
	// Terms replace the post's terms in their taxonomies.
	Terms []PostTermSet

	stored *wpstore.Post // as it is in the table; nil for a new one
	// bare reports that the post is new, and no term relation, occurrence or metadata had its id
	// before.
	bare bool
	// all are the term_taxonomy ids of all its terms, where termsKnown.
	all        []int64
	termsKnown bool
}

// New starts a new post. Empty dates mean now; an empty slug comes from the title, except
// for drafts.
func (p *Posts) New(post wpstore.Post) *PostEdit { return &PostEdit{Post: post} }

// LockNames locks slugs that posts may get; see [rowedit.Locks.Names]. Save locks the one
// that a post gets. Who needs several locks them together before.
func (p *Posts) LockNames(ctx context.Context, names ...wpstore.PostName) error {
	return p.rows.Locks.Names(ctx, names...)
}

// QueueName locks the slug that a new post of a site without language plugin will probably get,
// and queues the query that finds out whether it is free. Save uses the answer for such a post. A
// slug of "" is none.
func (p *Posts) QueueName(ctx context.Context, b *sqlconn.Batch, n wpstore.PostName) error {
	return p.slugs.queue(ctx, b, n)
}

// Edit reads a post with all its metadata and locks both until the transaction ends. It
// returns nil if there is no such post.
func (p *Posts) Edit(ctx context.Context, id int64) (*PostEdit, error) {
	found, err := p.posts.Lock(ctx, id)
	locked, ok := found[id]
	if err != nil || !ok {
		return nil, err
	}
	return &PostEdit{Post: *locked.Post, Meta: locked.Meta, stored: locked.Post}, nil
}

// Flush writes the metadata.
func (p *Posts) Flush(ctx context.Context, e *PostEdit) error {
	p.languages.MetaChanged(&e.Post, e.Meta)
	return p.posts.Metas.Write(ctx, e.Meta)
}

// isDraft reports whether posts of a status have no fixed date and no unique slug yet.
func isDraft(status string) bool {
	return status == "draft" || status == "pending" || status == "auto-draft"
}
