package sitedb

import (
	"context"

	"calbridge/i18n"
	"calbridge/wpstore"
)

// PostSet loads posts as PostsWithLanguage does, their metadata as PostMeta does, and
// their terms in some taxonomies, nil for none, as PostTerms does: with the same
// queries, which are sent together where the context keeps a connection.
func (db *DB) PostSet(ctx context.Context, languages *i18n.Languages, ids []int64, taxonomies []string) (set wpstore.PostSet, err error) {
	if !db.mayRecall(ctx) { // else there is no telling which rows are read
		if err := db.announceSet(ctx, languages, ids, taxonomies); err != nil {
			return set, err
		}
		defer keptConnOf(ctx).announce()
	}
	if set.Posts, err = db.PostsWithLanguage(ctx, languages, ids); err != nil {
		return set, err
	}
	if set.Meta, err = db.PostMeta(ctx, ids); err != nil {
		return set, err
	}
	set.Terms, err = db.PostTerms(ctx, ids, taxonomies)
	return set, err
}

// announceSet announces the statements of PostSet, of which there is one of each kind
// for all but very many ids.
func (db *DB) announceSet(ctx context.Context, languages *i18n.Languages, ids []int64, taxonomies []string) error {
	kept := keptConnOf(ctx)
	if ids = distinctIDs(ids); kept == nil || len(ids) == 0 || len(ids) > maxInList {
		return nil
	}
	posts, err := db.postsStatement(languages, ids)
	if err != nil {
		return err
	}
	meta, err := db.metaStatement("meta.read", "", ids, shownMeta)
	if err != nil {
		return err
	}
	if len(taxonomies) == 0 {
		kept.announce(posts, meta)
		return nil
	}
	terms, err := db.postTermsStatement(ids, taxonomies)
	if err != nil {
		return err
	}
	kept.announce(posts, meta, terms)
	return nil
}
