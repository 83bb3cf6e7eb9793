package edit

import (
	"context"

	"calbridge/wpstore"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// linked returns the ids of the venues and organizers that publishLinked may publish.
func (p *Posts) linked(e *PostEdit) (ids []int64) {
	if e.Type != wpstore.EventType || e.Status != "publish" || p.rows.User == 0 {
		return nil
	}
	for _, key := range []string{wpstore.VenueLink, wpstore.OrganizerLink} {
		for _, value := range e.Meta.All(key) {
			ids = append(ids, leadingID(value))
		}
	}
	return ids
}

// publishLinked publishes the venues and organizers that a published event linked to before
// this save, if they are neither public nor private and the user may publish them.
func (p *Posts) publishLinked(ctx context.Context, ids []int64, heads map[int64]wpstore.PostHead) error {
	var trashed []int64
	for id, head := range heads {
		linkable := head.Type == wpstore.VenueType || head.Type == wpstore.OrganizerType
		switch {
		case !linkable || head.Status == "publish" || head.Status == "private":
			delete(heads, id)
		case head.Status == "trash":
			trashed = append(trashed, id)
		}
	}
	before, err := p.heads.PostMetaKeys(ctx, trashed, []string{trashStatus})
	if err != nil {
		return err
	}
	for _, id := range ids {
		head, ok := heads[id]
		was, _ := before[id].First(trashStatus)
		if !ok || !p.rules.MayPublishLinked(&head, was) {
			continue
		}
		if err := p.publishOne(ctx, id); err != nil {
			return err
		}
		delete(heads, id)
	}
	return nil
}

func (p *Posts) publishOne(ctx context.Context, id int64) error {
	b, posts := sqlconn.NewBatch(p.rows.Runner), map[int64]*wpstore.Post{}
	if err := p.posts.QueueLocked(ctx, b, []int64{id}, posts); err != nil {
		return err
	}
	var newest *wpstore.Post
	p.revisions.queueNewest(b, id, &newest)
	if err := b.Send(ctx); err != nil || posts[id] == nil || posts[id].Status == "publish" || posts[id].Status == "private" {
		return err // gone, or published by another transaction
	}
	old := posts[id]
	published := *old
	published.Status = "publish"
	revised := published
	if noDate(revised.ModifiedGMT) {
		revised.ModifiedGMT = toUTC(revised.Modified, p.rows.Zone)
	}
	revision, err := p.revisions.add(ctx, &revised, newest)
	if err != nil {
		return err
	}
	if published.Name == "" { // only then the whole row is saved again
		if published.Name, err = p.slugs.unique(ctx, p.rules.Slug(published.Title), "", id, published.Type); err != nil {
			return err
		}
		if noDate(published.DateGMT) {
			published.DateGMT = toUTC(published.Date, p.rows.Zone)
		}
		published.Modified, published.ModifiedGMT = p.rows.LocalTime(), p.rows.UTCTime()
		published.GUID = escapeGUID(published.GUID)
	}
	p.rows.Changed.Save(rowedit.Save{
		Function: rowedit.PublishPost, ID: id, OldStatus: old.Status, Status: published.Status, Before: rowedit.ChangedColumns(old, &published), Revision: revision,
	})
	return p.posts.Update(ctx, old, &published)
}

// leadingID returns the number that a meta value begins with, 0 for none.
func leadingID(s string) int64 {
	var n int64
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9' && n < 1<<50; i++ {
		n = n*10 + int64(s[i]-'0')
	}
	return n
}
