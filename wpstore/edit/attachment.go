package edit

import (
	"context"

	"calbridge/wpstore"
)

// AddAttachment adds a file to the library, with the user as its author, and returns its id.
func (p *Posts) AddAttachment(ctx context.Context, a wpstore.Attachment) (int64, error) {
	e := p.New(wpstore.Post{
		Type: wpstore.AttachmentType, Status: "inherit", Author: p.rows.User, Title: a.Title, MimeType: a.MimeType,
		GUID: a.URL, CommentStatus: a.CommentStatus,
	})
	if err := p.Save(ctx, e); err != nil {
		return 0, err
	}
	e.Meta.Update("_wp_attached_file", a.File)
	e.Meta.Update("_wp_attachment_metadata", a.Metadata)
	e.Meta.Update(wpstore.OriginalURL, a.Source)
	return e.ID, p.Flush(ctx, e)
}
