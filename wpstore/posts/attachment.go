package posts

import (
	"context"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/sqlconn"
)

const (
	// AttachmentType is the post type of files in the library.
	AttachmentType = "attachment"
	// SourceKey is the metadata key that remembers the URL that a file was fetched from.
	SourceKey = "_tribe_importer_original_url"
)

// AttachmentByURL returns the file of the library that has a URL as its id or was
// fetched from it, the oldest if there are several; 0 means none. At most two
// queries.
func (s *Store) AttachmentByURL(ctx context.Context, url string) (int64, error) {
	if !sqlconn.Searchable(url) {
		return 0, nil
	}
	id, err := s.run.Number(ctx, "attachments.by_guid", sq.Select("ID").From(s.tables.Quoted("posts")).
		Where(sq.Eq{"post_type": AttachmentType, "guid": url}).OrderBy("ID").Limit(1))
	if err != nil || id != 0 {
		return id, err
	}
	return s.run.Number(ctx, "attachments.by_source", sq.Select("p.ID").From(s.tables.Quoted("postmeta")+" m").
		Join(s.tables.Quoted("posts")+" p ON p.ID = m.post_id").
		Where(sq.Eq{"m.meta_key": SourceKey, "m.meta_value": url, "p.post_type": AttachmentType}).OrderBy("p.ID").Limit(1))
}
