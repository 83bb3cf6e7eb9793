package posts

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowcache"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/terms"
)

// Store reads posts and their metadata. It is for one request, or for one transaction.
type Store struct {
	run     *sqlconn.Runner
	tables  table.Names
	plugins langplugin.Plugins
	rows    *rowcache.View // nil where rows are not cached
	terms   *terms.Store
}

// New returns a Store. Rows that are cached come from the view, which may be nil.
func New(run *sqlconn.Runner, tables table.Names, plugins langplugin.Plugins, rows *rowcache.View, terms *terms.Store) Store {
	return Store{run, tables, plugins, rows, terms}
}

// Posts loads whole posts of any type and status; ids without a row are absent.
// One query, none for no ids.
func (s *Store) Posts(ctx context.Context, ids []int64) (map[int64]*wpstore.Post, error) {
	return s.PostsWithLanguage(ctx, &i18n.Languages{}, ids)
}

// PostsWithLanguage loads whole posts with their languages, in the same one query.
func (s *Store) PostsWithLanguage(ctx context.Context, languages *i18n.Languages, ids []int64) (map[int64]*wpstore.Post, error) {
	return rowcache.Recall(s.rows, rowcache.Posts(languages), ids, func(ids []int64) (map[int64]*wpstore.Post, error) { return s.readPosts(ctx, languages, ids) })
}

func (s *Store) postsStatement(languages *i18n.Languages, ids []int64) (sqlconn.Statement, error) {
	return s.run.Templates().ByIDs("posts.read", s.plugins.Of(languages.Plugin).PostVariant(languages), "ID", ids, func(onIDs sq.Sqlizer) sq.Sqlizer {
		return s.plugins.Of(languages.Plugin).PostColumn(sq.Select("ID", "post_author", "post_parent", "menu_order",
			"post_date", "post_date_gmt", "post_modified", "post_modified_gmt",
			"post_content", "post_title", "post_excerpt",
			"post_status", "post_name", "post_password",
			"post_type", "post_mime_type", "guid", "comment_status", "ping_status").
			From(s.tables.Quoted("posts")).
			Where(onIDs), languages)
	})
}

func (s *Store) readPosts(ctx context.Context, languages *i18n.Languages, ids []int64) (map[int64]*wpstore.Post, error) {
	s.run.Depends().On(invalidation.Post, ids...)
	found := make(map[int64]*wpstore.Post, len(ids))
	plugin := s.plugins.Of(languages.Plugin)
	err := sqlconn.EachBlock(ids, func(block []int64) error {
		query, err := s.postsStatement(languages, block)
		if err != nil {
			return err
		}
		rows, err := s.run.Rows(ctx, "posts.read", query)
		if err != nil {
			return err
		}
		posts := make([]wpstore.Post, rows.Len())
		for i := range posts {
			p := &posts[i]
			if err := rows.Numbers(i, &p.ID, &p.Author, &p.Parent, &p.MenuOrder); err != nil {
				return fmt.Errorf("query posts.read: %w", err)
			}
			for k, text := range []*string{&p.Date, &p.DateGMT, &p.Modified, &p.ModifiedGMT,
				&p.Content, &p.Title, &p.Excerpt, &p.Status, &p.Name, &p.Password,
				&p.Type, &p.MimeType, &p.GUID, &p.CommentStatus, &p.PingStatus, &p.Language} {
				*text = rows.At(i, 4+k)
			}
			p.Language = plugin.PostLanguage(languages, p.Language)
			p.Digest = s.run.Digest(rows.Raw(i, i+1))
			found[p.ID] = p
		}
		return nil
	})
	return found, err
}

// PostHeads loads the heads of posts of any type and status; ids without a row
// are absent. One query, none for no ids.
func (s *Store) PostHeads(ctx context.Context, ids []int64) (map[int64]wpstore.PostHead, error) {
	s.run.Depends().On(invalidation.Post, ids...)
	found := make(map[int64]wpstore.PostHead, len(ids))
	err := sqlconn.EachBlock(ids, func(block []int64) error {
		query := sq.Select("ID", "post_author", "post_parent",
			"post_type", "post_status", "post_password", "post_name", "post_mime_type").
			From(s.tables.Quoted("posts")).
			Where(sqlconn.IDList("ID", block))
		return s.run.Query(ctx, "posts.heads", query, func(rows *sql.Rows) error {
			var p wpstore.PostHead
			if err := rows.Scan(&p.ID, &p.Author, &p.Parent,
				&p.Type, &p.Status, &p.Password, &p.Name, &p.MimeType); err != nil {
				return err
			}
			found[p.ID] = p
			return nil
		})
	})
	return found, err
}

// PostIDByPath returns the post of a type whose slug is the last segment of a
// path, and whose ancestors' slugs are the segments before it, in any status; the
// lowest id when there are several, 0 when there is none. A child is thus found by
// its whole path only. Slugs are already sanitised and compare byte by byte, as
// in WordPress's get_page_by_path. One query.
func (s *Store) PostIDByPath(ctx context.Context, postType string, segments []string) (int64, error) {
	if len(segments) == 0 || len(segments) > maxPathSegments || !sqlconn.Searchable(strings.Join(segments, "/")) {
		return 0, nil
	}
	type node struct {
		parent int64
		name   string
	}
	found := map[int64]node{}
	var order []int64
	query := sq.
		Select("ID", "post_parent", "post_name").
		From(s.tables.Quoted("posts")).
		Where(sq.Eq{"post_name": segments, "post_type": postType}).
		OrderBy("ID")
	err := s.run.Query(ctx, "posts.by_path", query, func(rows *sql.Rows) error {
		var id int64
		var n node
		if err := rows.Scan(&id, &n.parent, &n.name); err != nil {
			return err
		}
		found[id] = n
		order = append(order, id)
		return nil
	})
	if err != nil {
		return 0, err
	}
next:
	for _, id := range order {
		at := id
		for i := len(segments) - 1; i >= 0; i-- {
			n, ok := found[at]
			if !ok || n.name != segments[i] {
				continue next
			}
			at = n.parent
		}
		if at == 0 {
			return id, nil
		}
	}
	return 0, nil
}

// maxPathSegments bounds the depth of a path that is looked up.
const maxPathSegments = 32

// OEmbedCache returns the cached HTML of embedded URLs by cache key (WordPress
// keeps each as a published post of type oembed_cache whose slug is the key).
// Absent keys are absent. One query.
func (s *Store) OEmbedCache(ctx context.Context, keys []string) (map[string]string, error) {
	found := make(map[string]string, len(keys))
	if len(keys) == 0 {
		return found, nil
	}
	query := sq.Select("post_name", "post_content").
		From(s.tables.Quoted("posts")).
		Where(sq.Eq{"post_name": keys, "post_type": "oembed_cache", "post_status": "publish"}).
		OrderBy("ID")
	err := s.run.Query(ctx, "posts.oembed_cache", query, func(rows *sql.Rows) error {
		var key, html string
		if err := rows.Scan(&key, &html); err != nil {
			return err
		}
		if _, seen := found[key]; !seen {
			found[key] = html
		}
		return nil
	})
	return found, err
}

// AttachedImages returns the images uploaded to a post, 0 for those of no post, in
// gallery order: menu order, then id. One query.
func (s *Store) AttachedImages(ctx context.Context, parent int64) ([]int64, error) {
	return s.run.IDs(ctx, "posts.attached_images", sq.
		Select("ID").
		From(s.tables.Quoted("posts")).
		Where(sq.Eq{"post_type": "attachment", "post_status": "inherit", "post_parent": parent}).
		Where(sq.Like{"post_mime_type": "image/%"}).
		OrderBy("menu_order", "ID"))
}
