package posts

import (
	"context"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
)

// PostSet loads posts as PostsWithLanguage does, their metadata as PostMeta does, and
// their terms in some taxonomies, nil for none, as PostTerms does: with the same
// queries, which are sent together where a connection is kept.
func (s *Store) PostSet(ctx context.Context, languages *i18n.Languages, ids []int64, taxonomies []string) (set wpstore.PostSet, err error) {
	if !s.rows.Allowed() { // else there is no telling which rows are read
		err := s.run.Announce(func() ([]sqlconn.Statement, error) { return s.setStatements(languages, ids, taxonomies) })
		if err != nil {
			return set, err
		}
		defer s.run.AnnounceNothing()
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

// setStatements are the statements of PostSet, of which there is one of each kind for
// all but very many ids.
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
