package sitedb

import (
	"context"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

const (
	// AttachmentType is the post type of files in the library.
	AttachmentType = "attachment"
	// sourceKey remembers the URL that a file was fetched from.
	sourceKey = "_tribe_importer_original_url"
)

// AttachmentByURL returns the file of the library that has a URL as its id or was
// fetched from it, the oldest if there are several; 0 means none. At most two
// queries.
func (db *DB) AttachmentByURL(ctx context.Context, url string) (int64, error) {
	if !searchable(url) {
		return 0, nil
	}
	id, err := db.number(ctx, "attachments.by_guid", sq.Select("ID").From(db.table("posts")).
		Where(sq.Eq{"post_type": AttachmentType, "guid": url}).OrderBy("ID").Limit(1))
	if err != nil || id != 0 {
		return id, err
	}
	return db.number(ctx, "attachments.by_source", sq.Select("p.ID").From(db.table("postmeta")+" m").
		Join(db.table("posts")+" p ON p.ID = m.post_id").
		Where(sq.Eq{"m.meta_key": sourceKey, "m.meta_value": url, "p.post_type": AttachmentType}).OrderBy("p.ID").Limit(1))
}

// Attachment is a file that is new in the uploads folder.
type Attachment struct {
	Title, MimeType string
	URL             string // where the file is
	File            string // its path below the uploads folder
	Metadata        string // serialized
	Source          string // the URL that it came from
	CommentStatus   string
}

// AddAttachment adds a file to the library, with the user of the rules as its
// author, and returns its id.
func (tx *Tx) AddAttachment(ctx context.Context, rules *PostRules, a Attachment) (int64, error) {
	e := tx.NewPost(rules, wpstore.Post{
		Type: AttachmentType, Status: "inherit", Author: rules.UserID, Title: a.Title, MimeType: a.MimeType,
		GUID: a.URL, CommentStatus: a.CommentStatus,
	})
	if err := e.Save(ctx); err != nil {
		return 0, err
	}
	e.Meta.Add("_wp_attached_file", a.File)
	e.Meta.Add("_wp_attachment_metadata", a.Metadata)
	e.Meta.Add(sourceKey, a.Source)
	return e.ID, e.Flush(ctx)
}
