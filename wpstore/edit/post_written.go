package edit

import (
	"time"

	"calbridge/wpstore"
)

// Written returns the row of a post and all its metadata as the transaction leaves them, after
// Flush. ok is false where the database may have stored something else than it was given.
func (p *Posts) Written(e *PostEdit) (post *wpstore.Post, meta []wpstore.MetaRow, ok bool) {
	if !storedAsIs(&e.Post) {
		return nil, nil, false
	}
	meta, ok = p.posts.Metas.Stored(e.Meta)
	row := e.Post
	row.Digest = wpstore.Digest{}
	return &row, meta, ok
}

// TermIDs returns the term_taxonomy ids of all terms that Save has given a new post; false
// where it may have others.
func TermIDs(e *PostEdit) (ids []int64, known bool) { return e.all, e.termsKnown }

// storedAsIs reports whether no value of a row is one that columns clamp or cut. That they hold
// its characters is checked when it is written.
func storedAsIs(p *wpstore.Post) bool {
	for _, date := range [...]string{p.Date, p.DateGMT, p.Modified, p.ModifiedGMT} {
		if t, err := time.Parse(time.DateTime, date); date != wpstore.NoDate && (err != nil || t.Format(time.DateTime) != date) {
			return false
		}
	}
	const narrowest = 20 // characters
	for _, text := range [...]string{p.Status, p.CommentStatus, p.PingStatus, p.Type, p.MimeType} {
		if len(text) > narrowest {
			return false
		}
	}
	const number = 1<<31 - 1
	return len(p.Name) <= 200 && max(len(p.Password), len(p.GUID)) <= 255 &&
		min(p.Author, p.Parent) >= 0 && p.MenuOrder <= number && p.MenuOrder >= -number
}
