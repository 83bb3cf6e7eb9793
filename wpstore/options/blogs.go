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
	return s.blogs(ctx, s.selectBlogs().Limit(most))
}

// Network returns the network of sites with a number, and at most most of its sites. Two queries.
func (s *Store) Network(ctx context.Context, id int64, most uint64) (wpstore.Network, error) {
	var n wpstore.Network
	err := s.run.Query(ctx, "options.network", sq.Select("domain", "path").From(s.tables.Quoted("site")).Where(sq.Eq{"id": id}),
		func(rows *sql.Rows) error { return rows.Scan(&n.Domain, &n.Path) })
	if err != nil {
		return n, err
	}
	n.Blogs, err = s.blogs(ctx, s.selectBlogs().Where(sq.Eq{"site_id": id}).Limit(most))
	return n, err
}

// blog returns this site's row among those of the network, the zero value without one. One query.
func (s *Store) blog(ctx context.Context) (wpstore.Blog, error) {
	found, err := s.blogs(ctx, s.selectBlogs().Where(sq.Eq{"blog_id": s.tables.Blog()}))
	if err != nil || len(found) == 0 {
		return wpstore.Blog{}, err
	}
	return found[0], nil
}

func (s *Store) selectBlogs() sq.SelectBuilder {
	return sq.Select("blog_id", "domain", "path", "public", "archived", "spam", "deleted").From(s.tables.Quoted("blogs")).OrderBy("blog_id")
}

func (s *Store) blogs(ctx context.Context, from sq.SelectBuilder) ([]wpstore.Blog, error) {
	var blogs []wpstore.Blog
	err := s.run.Query(ctx, "options.read_blogs", from, func(rows *sql.Rows) error {
		var b wpstore.Blog
		err := rows.Scan(&b.ID, &b.Domain, &b.Path, &b.Public, &b.Archived, &b.Spam, &b.Deleted)
		blogs = append(blogs, b)
		return err
	})
	return blogs, err
}
