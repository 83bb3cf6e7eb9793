package posts

import (
	"context"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
)

// PostSet loads posts like PostsWithLanguage, their metadata like PostMeta and their terms
// in some taxonomies like PostTerms. If the request holds a connection, the queries are
// sent together.
func (s *Store) PostSet(ctx context.Context, languages *i18n.Languages, ids []int64, taxonomies []string) (set wpstore.PostSet, err error) {
	if !s.rows.Caches() { // else the row cache may have all
		return s.ReadSet(ctx, languages, ids, taxonomies)
	}
	if set.Posts, err = s.PostsWithLanguage(ctx, languages, ids); err != nil {
		return set, err
	}
	if set.Meta, err = s.PostMeta(ctx, ids); err != nil {
		return set, err
	}
	set.Terms, err = s.terms.PostTerms(ctx, ids, taxonomies)
	return set, err
}

// Caches reports whether rows currently come from the row cache.
func (s *Store) Caches() bool { return s.rows.Caches() }

// PostTerms loads the terms of posts in some taxonomies.
func (s *Store) PostTerms(ctx context.Context, ids []int64, taxonomies []string) (map[int64][]wpstore.Term, error) {
	return s.terms.PostTerms(ctx, ids, taxonomies)
}

// ReadSet loads like PostSet but bypasses the row cache.
func (s *Store) ReadSet(ctx context.Context, languages *i18n.Languages, ids []int64, taxonomies []string) (set wpstore.PostSet, err error) {
	set = wpstore.PostSet{Posts: make(map[int64]*wpstore.Post, len(ids)), Meta: make(map[int64]wpstore.Meta, len(ids)), Terms: map[int64][]wpstore.Term{}}
	b := sqlconn.NewBatch(s.run)
	if err = s.queuePosts(b, languages, ids, set.Posts); err != nil {
		return set, err
	}
	if err = s.queueMeta(b, "meta.read", "", ids, shownMeta, set.Meta); err != nil {
		return set, err
	}
	if len(taxonomies) > 0 {
		if err = s.terms.QueuePostTerms(b, ids, taxonomies, set.Terms); err != nil {
			return set, err
		}
	}
	return set, b.Send(ctx)
}

// PostsAndMetaKeys loads posts like Posts, and their metadata like PostMetaKeys. If the
// request holds a connection, the queries are sent together.
func (s *Store) PostsAndMetaKeys(ctx context.Context, ids []int64, keys []string) (map[int64]*wpstore.Post, map[int64]wpstore.Meta, error) {
	if s.rows.Caches() { // it may have all
		posts, err := s.Posts(ctx, ids)
		if err != nil {
			return nil, nil, err
		}
		meta, err := s.PostMetaKeys(ctx, ids, keys)
		return posts, meta, err
	}
	posts, meta := make(map[int64]*wpstore.Post, len(ids)), make(map[int64]wpstore.Meta, len(ids))
	b := sqlconn.NewBatch(s.run)
	if err := s.QueuePosts(b, ids, posts); err != nil {
		return nil, nil, err
	}
	if len(keys) > 0 {
		if err := s.queueMeta(b, "meta.read_keys", strings.Join(keys, ","), ids, sq.Eq{"meta_key": keys}, meta); err != nil {
			return nil, nil, err
		}
	}
	return posts, meta, b.Send(ctx)
}
