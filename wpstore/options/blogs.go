package options

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// Blogs returns at most most sites of the network, ordered by number. Only multisite
// installations have the table. One query.
func (s *Store) Blogs(ctx context.Context, most uint64) ([]wpstore.Blog, error) {
	var blogs []wpstore.Blog
	err := s.run.Query(ctx, "options.read_blogs", sq.
		Select("blog_id", "domain", "path", "archived", "spam", "deleted").
		From(s.tables.Quoted("blogs")).
		OrderBy("blog_id").
		Limit(most), func(rows *sql.Rows) error {
		var b wpstore.Blog
		err := rows.Scan(&b.ID, &b.Domain, &b.Path, &b.Archived, &b.Spam, &b.Deleted)
		blogs = append(blogs, b)
		return err
	})
	return blogs, err
}
