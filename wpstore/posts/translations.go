package posts

import (
	"context"

	"calbridge/i18n"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/rowcache"
	"calbridge/wpstore/sqlconn"
)

// PostTranslations returns the translations of posts, by id: a group holds the
// post itself too, under its own language. Posts without a language are absent.
// One query, none for no ids and on a site without languages.
func (s *Store) PostTranslations(ctx context.Context, languages *i18n.Languages, ids []int64) (map[int64]i18n.Group, error) {
	if languages.Plugin == i18n.NoPlugin {
		return map[int64]i18n.Group{}, nil
	}
	return rowcache.Recall(s.rows, rowcache.Groups(), ids, func(ids []int64) (map[int64]i18n.Group, error) {
		s.run.Depends().On(invalidation.Post, ids...)
		found := make(map[int64]i18n.Group, len(ids))
		plugin := s.plugins.Of(languages.Plugin)
		err := sqlconn.EachBlock(ids, func(block []int64) error {
			return plugin.PostGroups(ctx, s.run, "posts.translations", block, found)
		})
		return found, err
	})
}
