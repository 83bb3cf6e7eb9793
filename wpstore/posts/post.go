package posts

import (
	"context"
	"fmt"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowcache"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/sqlconn/mysqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/terms"
)

// Store reads posts and their metadata. It is for one request, or for one transaction.
type Store struct {
	run     *sqlconn.Runner
	tables  table.Names
	plugins langplugin.Plugins
	rows    *rowcache.View // nil if rows are not cached
	terms   *terms.Store
}

// New returns a Store. Rows that are cached come from the view, which may be nil.
func New(run *sqlconn.Runner, tables table.Names, plugins langplugin.Plugins, rows *rowcache.View, terms *terms.Store) Store {
	return Store{run, tables, plugins, rows, terms}
}

// Posts loads whole posts of any type and status; ids without a row are absent.
func (s *Store) Posts(ctx context.Context, ids []int64) (map[int64]*wpstore.Post, error) {
	return s.PostsWithLanguage(ctx, &i18n.Languages{}, ids)
}

// PostsWithLanguage loads whole posts with their languages, in one query.
func (s *Store) PostsWithLanguage(ctx context.Context, languages *i18n.Languages, ids []int64) (map[int64]*wpstore.Post, error) {
	return rowcache.Load(s.rows, rowcache.Posts(languages), ids, func(ids []int64) (map[int64]*wpstore.Post, error) { return s.readPosts(ctx, languages, ids) })
}

// QueuePosts queues the statements that read whole posts past the row cache, and adds the posts
// to found.
func (s *Store) QueuePosts(b *sqlconn.Batch, ids []int64, found map[int64]*wpstore.Post) error {
	return s.queuePosts(b, &i18n.Languages{}, ids, found)
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
	b, found := sqlconn.NewBatch(s.run), make(map[int64]*wpstore.Post, len(ids))
	if err := s.queuePosts(b, languages, ids, found); err != nil {
		return nil, err
	}
	return found, b.Send(ctx)
}

func (s *Store) queuePosts(b *sqlconn.Batch, languages *i18n.Languages, ids []int64, found map[int64]*wpstore.Post) error {
	s.run.Depends().On(invalidation.Post, ids...)
	return sqlconn.EachBlock(ids, func(block []int64) error {
		query, err := s.postsStatement(languages, block)
		if err == nil {
			b.Rows("posts.read", query, func(rows *mysqlconn.RowSet) error { return s.addPosts(languages, rows, found) })
		}
		return err
	})
}

// addPosts adds the result of a postsStatement to found.
func (s *Store) addPosts(languages *i18n.Languages, rows *mysqlconn.RowSet, found map[int64]*wpstore.Post) error {
	plugin := s.plugins.Of(languages.Plugin)
	posts := make([]wpstore.Post, rows.Len())
	for i := range posts {
		p := &posts[i]
		if err := rows.Numbers(i, &p.ID, &p.Author, &p.Parent, &p.MenuOrder); err != nil {
			return fmt.Errorf("query posts.read: %w", err)
		}
		for k, text := range [...]*string{&p.Date, &p.DateGMT, &p.Modified, &p.ModifiedGMT,
			&p.Content, &p.Title, &p.Excerpt, &p.Status, &p.Name, &p.Password,
			&p.Type, &p.MimeType, &p.GUID, &p.CommentStatus, &p.PingStatus, &p.Language} {
			*text = rows.At(i, 4+k)
		}
		p.Language = plugin.PostLanguage(languages, p.Language)
		p.Digest = s.run.Digest(rows.Raw(i, i+1))
		found[p.ID] = p
	}
	return nil
}

// PostHeads loads the heads of posts of any type and status; ids without a row are
// absent.
func (s *Store) PostHeads(ctx context.Context, ids []int64) (map[int64]wpstore.PostHead, error) {
	b, found := sqlconn.NewBatch(s.run), make(map[int64]wpstore.PostHead, len(ids))
	if err := s.QueueHeads(b, ids, found); err != nil {
		return nil, err
	}
	return found, b.Send(ctx)
}

// QueueHeads queues the statements of PostHeads, and adds the heads to found.
func (s *Store) QueueHeads(b *sqlconn.Batch, ids []int64, found map[int64]wpstore.PostHead) error {
	s.run.Depends().On(invalidation.Post, ids...)
	return sqlconn.EachBlock(ids, func(block []int64) error {
		query, err := s.headsStatement(block)
		if err != nil {
			return err
		}
		var p wpstore.PostHead
		b.Query("posts.heads", query, sqlconn.EachRow(func() { found[p.ID] = p },
			&p.ID, &p.Author, &p.Parent, &p.Type, &p.Status, &p.Password, &p.Name, &p.MimeType))
		return nil
	})
}

// CachedHeads loads like PostHeads. If rows may come from the row cache, it uses the cache
// and loads whole posts.
func CachedHeads(ctx context.Context, s *Store, ids []int64) (map[int64]wpstore.PostHead, error) {
	if !s.rows.Caches() || len(ids) > maxWhole {
		return s.PostHeads(ctx, ids)
	}
	posts, err := s.Posts(ctx, sqlconn.DistinctIDs(ids))
	if err != nil {
		return nil, err
	}
	found := make(map[int64]wpstore.PostHead, len(posts))
	for id, p := range posts {
		found[id] = wpstore.PostHead{ID: id, Author: p.Author, Parent: p.Parent, Type: p.Type, Status: p.Status, Password: p.Password, Name: p.Name, MimeType: p.MimeType}
	}
	return found, nil
}

// maxWhole is the largest number of posts that are loaded whole for their heads.
const maxWhole = 10

func (s *Store) headsStatement(ids []int64) (sqlconn.Statement, error) {
	return s.run.Templates().ByIDs("posts.heads", "", "ID", ids, func(onIDs sq.Sqlizer) sq.Sqlizer {
		return sq.Select("ID", "post_author", "post_parent", "post_type", "post_status", "post_password", "post_name", "post_mime_type").
			From(s.tables.Quoted("posts")).Where(onIDs)
	})
}

// PostIDsByPath returns the posts of a type, in any status, whose slug is the last segment of
// a path and whose ancestors' slugs are all the segments before it. The lowest id comes first.
// Slugs are already sanitised and compare byte by byte, as in WordPress's get_page_by_path.
func (s *Store) PostIDsByPath(ctx context.Context, postType string, segments []string) ([]int64, error) {
	if len(segments) == 0 || len(segments) > maxPathSegments || !sqlconn.Searchable(strings.Join(segments, "/")) {
		return nil, nil
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
	var id int64
	var n node
	err := s.run.Query(ctx, "posts.by_path", query, sqlconn.EachRow(func() {
		found[id] = n
		order = append(order, id)
	}, &id, &n.parent, &n.name))
	if err != nil {
		return nil, err
	}
	var matching []int64
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
			matching = append(matching, id)
		}
	}
	return matching, nil
}

// PostIDByPrefix returns the published post of a type whose slug begins with a text, 0 if
// there is none. Of several, WordPress uses the one that the database finds first; here it
// is the one with the first slug.
func (s *Store) PostIDByPrefix(ctx context.Context, postType, prefix string) (int64, error) {
	s.run.Depends().OnSet(invalidation.Posts)
	if !sqlconn.Searchable(prefix) {
		return 0, nil
	}
	ids, err := s.run.IDs(ctx, "posts.by_prefix", sq.
		Select("ID").
		From(s.tables.Quoted("posts")).
		Where(sq.Like{"post_name": sqlconn.EscapeLike(prefix) + "%"}).
		Where(sq.Eq{"post_type": postType, "post_status": "publish"}).
		OrderBy("post_name", "ID").
		Limit(1))
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	return ids[0], nil
}

// WithMeta returns the posts with a row of metadata of a key, whatever its value.
func (s *Store) WithMeta(ctx context.Context, key string) ([]int64, error) {
	s.run.Depends().OnSet(invalidation.Posts)
	return s.run.IDs(ctx, "posts.with_meta", sq.
		Select("DISTINCT post_id").
		From(s.tables.Quoted("postmeta")).
		Where(sq.Eq{"meta_key": key}))
}

// BlockTexts passes on the contents of published posts of some types that have blocks of the block
// editor, the newest first, at most as many as given.
func (s *Store) BlockTexts(ctx context.Context, postTypes []string, most uint64, each func(id int64, content string)) error {
	s.run.Depends().OnSet(invalidation.Posts)
	var id int64
	var content string
	return s.run.Query(ctx, "posts.block_texts", sq.
		Select("ID", "post_content").
		From(s.tables.Quoted("posts")).
		Where(sq.Eq{"post_type": postTypes, "post_status": "publish"}).
		Where(sq.Like{"post_content": "%<!-- wp:%"}).
		OrderBy("ID DESC").Limit(most), sqlconn.EachRow(func() { each(id, content) }, &id, &content))
}

// CountPublished returns the number of published posts of a type.
func (s *Store) CountPublished(ctx context.Context, postType string) (int64, error) {
	s.run.Depends().OnSet(invalidation.Posts)
	return s.run.Number(ctx, "posts.count", sq.
		Select("COUNT(*)").
		From(s.tables.Quoted("posts")).
		Where(sq.Eq{"post_type": postType, "post_status": "publish"}))
}

// maxPathSegments limits the depth of a path that is looked up.
const maxPathSegments = 32

// OEmbedCache returns the cached HTML of embedded URLs by cache key. WordPress stores each
// as a published post of type oembed_cache whose slug is the key.
func (s *Store) OEmbedCache(ctx context.Context, keys []string) (map[string]string, error) {
	found := make(map[string]string, len(keys))
	if len(keys) == 0 {
		return found, nil
	}
	query := sq.Select("post_name", "post_content").
		From(s.tables.Quoted("posts")).
		Where(sq.Eq{"post_name": keys, "post_type": "oembed_cache", "post_status": "publish"}).
		OrderBy("ID")
	var key, html string
	err := s.run.Query(ctx, "posts.oembed_cache", query, sqlconn.EachRow(func() {
		if _, seen := found[key]; !seen {
			found[key] = html
		}
	}, &key, &html))
	return found, err
}

// AttachedImages returns the images uploaded to a post, 0 for no post, in gallery order:
// menu order, then id.
func (s *Store) AttachedImages(ctx context.Context, parent int64) ([]int64, error) {
	return s.run.IDs(ctx, "posts.attached_images", sq.
		Select("ID").
		From(s.tables.Quoted("posts")).
		Where(sq.Eq{"post_type": wpstore.AttachmentType, "post_status": "inherit", "post_parent": parent}).
		Where(sq.Like{"post_mime_type": "image/%"}).
		OrderBy("menu_order", "ID"))
}

// AttachmentByURL returns the file of the library that has a URL as its guid or was
// fetched from it, the oldest if there are several and 0 if there is none. At most two
// queries.
func (s *Store) AttachmentByURL(ctx context.Context, url string) (int64, error) {
	if !sqlconn.Searchable(url) {
		return 0, nil
	}
	id, err := s.run.Number(ctx, "attachments.by_guid", sq.Select("ID").From(s.tables.Quoted("posts")).
		Where(sq.Eq{"post_type": wpstore.AttachmentType, "guid": url}).OrderBy("ID").Limit(1))
	if err != nil || id != 0 {
		return id, err
	}
	return s.run.Number(ctx, "attachments.by_source", sq.Select("p.ID").From(s.tables.Quoted("postmeta")+" m").
		Join(s.tables.Quoted("posts")+" p ON p.ID = m.post_id").
		Where(sq.Eq{"m.meta_key": wpstore.OriginalURL, "m.meta_value": url, "p.post_type": wpstore.AttachmentType}).OrderBy("p.ID").Limit(1))
}

// PostTranslations returns the translations of posts, by id. A group includes the post
// itself, under its own language. Posts without a language are absent.
func (s *Store) PostTranslations(ctx context.Context, languages *i18n.Languages, ids []int64) (map[int64]i18n.Group, error) {
	if languages.Plugin == i18n.NoPlugin {
		return map[int64]i18n.Group{}, nil
	}
	return rowcache.Load(s.rows, rowcache.Groups(), ids, func(ids []int64) (map[int64]i18n.Group, error) {
		s.run.Depends().On(invalidation.Post, ids...)
		found := make(map[int64]i18n.Group, len(ids))
		plugin := s.plugins.Of(languages.Plugin)
		err := sqlconn.EachBlock(ids, func(block []int64) error {
			return plugin.PostGroups(ctx, s.run, "posts.translations", block, found)
		})
		return found, err
	})
}
