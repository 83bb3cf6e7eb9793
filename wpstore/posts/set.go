package posts

import (
	"context"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sqlconn"
)

// PostSet loads posts like PostsWithLanguage, their metadata like PostMeta and their terms
// in some taxonomies like PostTerms. If the request holds a connection, the queries are
// sent together.
func (s *Store) PostSet(ctx context.Context, languages *i18n.Languages, ids []int64, taxonomies []string) (set wpstore.PostSet, err error) {
	if !s.rows.Caches() && len(ids) > 0 && len(ids) <= sqlconn.MaxInList { // else the row cache may have all
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
func Caches(s *Store) bool { return s.rows.Caches() }

// PostTerms loads the terms of posts in some taxonomies.
func (s *Store) PostTerms(ctx context.Context, ids []int64, taxonomies []string) (map[int64][]wpstore.Term, error) {
	return s.terms.PostTerms(ctx, ids, taxonomies)
}

// ReadSet loads like PostSet but bypasses the row cache, for at most as many ids as fit
// into one statement.
func (s *Store) ReadSet(ctx context.Context, languages *i18n.Languages, ids []int64, taxonomies []string) (set wpstore.PostSet, err error) {
	set = wpstore.PostSet{Posts: make(map[int64]*wpstore.Post, len(ids)), Meta: make(map[int64]wpstore.Meta, len(ids)), Terms: map[int64][]wpstore.Term{}}
	if ids = sqlconn.DistinctIDs(ids); len(ids) == 0 {
		return set, nil
	}
	s.run.Depends().On(invalidation.Post, ids...)
	posts, err := s.postsStatement(languages, ids)
	if err != nil {
		return set, err
	}
	meta, err := s.metaStatement("meta.read", "", ids, shownMeta)
	if err != nil {
		return set, err
	}
	statements := []sqlconn.Statement{posts, meta}
	if len(taxonomies) > 0 {
		terms, err := s.terms.PostTermsStatement(ids, taxonomies)
		if err != nil {
			return set, err
		}
		statements = append(statements, terms)
	}
	if err := s.run.Announce(func() ([]sqlconn.Statement, error) { return statements, nil }); err != nil {
		return set, err
	}
	defer sqlconn.AnnounceNothing(s.run)
	if err := s.postRows(ctx, languages, posts, set.Posts); err != nil {
		return set, err
	}
	if err := s.metaRows(ctx, "meta.read", meta, set.Meta); err != nil {
		return set, err
	}
	if len(taxonomies) > 0 {
		err = s.terms.PostTermRows(ctx, statements[2], set.Terms)
	}
	return set, err
}

// PostsAndMetaKeys loads posts like Posts, and their metadata like PostMetaKeys. If the
// request holds a connection, the queries are sent together.
func (s *Store) PostsAndMetaKeys(ctx context.Context, ids []int64, keys []string) (map[int64]*wpstore.Post, map[int64]wpstore.Meta, error) {
	distinct := sqlconn.DistinctIDs(ids)
	if s.rows.Allowed() || len(distinct) == 0 || len(distinct) > sqlconn.MaxInList {
		posts, err := s.Posts(ctx, ids)
		if err != nil {
			return nil, nil, err
		}
		meta, err := s.PostMetaKeys(ctx, ids, keys)
		return posts, meta, err
	}
	s.run.Depends().On(invalidation.Post, distinct...)
	languages := &i18n.Languages{}
	posts, err := s.postsStatement(languages, distinct)
	if err != nil {
		return nil, nil, err
	}
	meta, err := s.metaStatement("meta.read_keys", strings.Join(keys, ","), distinct, sq.Eq{"meta_key": keys})
	if err != nil {
		return nil, nil, err
	}
	if err := s.run.Announce(func() ([]sqlconn.Statement, error) { return []sqlconn.Statement{posts, meta}, nil }); err != nil {
		return nil, nil, err
	}
	defer sqlconn.AnnounceNothing(s.run)
	read, values := make(map[int64]*wpstore.Post, len(distinct)), make(map[int64]wpstore.Meta, len(distinct))
	if err := s.postRows(ctx, languages, posts, read); err != nil {
		return nil, nil, err
	}
	return read, values, s.metaRows(ctx, "meta.read_keys", meta, values)
}
