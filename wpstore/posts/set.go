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
// in some taxonomies like PostTerms. Where the request holds a connection, the queries are
// sent together.
func (s *Store) PostSet(ctx context.Context, languages *i18n.Languages, ids []int64, taxonomies []string) (set wpstore.PostSet, err error) {
	if !s.rows.Allowed() { // the row cache may leave nothing to read
		err := s.run.Announce(func() ([]sqlconn.Statement, error) { return s.setStatements(languages, ids, taxonomies) })
		if err != nil {
			return set, err
		}
		defer sqlconn.AnnounceNothing(s.run)
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

// PostsAndMetaKeys loads posts like Posts, and their metadata like PostMetaKeys. Where the
// request holds a connection, the queries are sent together.
func (s *Store) PostsAndMetaKeys(ctx context.Context, ids []int64, keys []string) (map[int64]*wpstore.Post, map[int64]wpstore.Meta, error) {
	if !s.rows.Allowed() {
		err := s.run.Announce(func() ([]sqlconn.Statement, error) {
			distinct := sqlconn.DistinctIDs(ids)
			if len(distinct) == 0 || len(distinct) > sqlconn.MaxInList {
				return nil, nil
			}
			posts, err := s.PostsStatement(distinct)
			if err != nil {
				return nil, err
			}
			meta, err := s.metaStatement("meta.read_keys", strings.Join(keys, ","), distinct, sq.Eq{"meta_key": keys})
			return []sqlconn.Statement{posts, meta}, err
		})
		if err != nil {
			return nil, nil, err
		}
		defer sqlconn.AnnounceNothing(s.run)
	}
	posts, err := s.Posts(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	meta, err := s.PostMetaKeys(ctx, ids, keys)
	return posts, meta, err
}

// setStatements are the statements of PostSet, none where there are more ids than one
// statement takes.
func (s *Store) setStatements(languages *i18n.Languages, ids []int64, taxonomies []string) ([]sqlconn.Statement, error) {
	ids = sqlconn.DistinctIDs(ids)
	if len(ids) == 0 || len(ids) > sqlconn.MaxInList {
		return nil, nil
	}
	posts, err := s.postsStatement(languages, ids)
	if err != nil {
		return nil, err
	}
	meta, err := s.metaStatement("meta.read", "", ids, shownMeta)
	if err != nil || len(taxonomies) == 0 {
		return []sqlconn.Statement{posts, meta}, err
	}
	terms, err := s.terms.PostTermsStatement(ids, taxonomies)
	return []sqlconn.Statement{posts, meta, terms}, err
}
