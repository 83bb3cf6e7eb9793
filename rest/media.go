package rest

import (
	"maps"
	"slices"

	"calbridge/rest/api"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/rest/wptext/images"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// fetch adds what refs names, and the pictures thumbs, to the media of the set, in
// a fixed number of queries.
func (c *call) fetch(set *loaded, refs *content.Refs, thumbs []int64) error {
	res := set.media
	if keys := refs.EmbedKeys(); len(keys) > 0 {
		found, err := c.req.Store.OEmbedCache(c.ctx, keys)
		if err != nil {
			return err
		}
		if res.Embeds == nil {
			res.Embeds = map[string]string{}
		}
		maps.Copy(res.Embeds, found)
	}
	parents, err := c.visibleParents(refs.Parents())
	if err != nil {
		return err
	}
	children, err := c.imagesOf(parents)
	if err != nil {
		return err
	}
	ids := slices.Concat(thumbs, refs.Attachments(), refs.Blocks(), refs.Organizers())
	for _, list := range children {
		ids = append(ids, list...)
	}
	ids = slices.DeleteFunc(distinct(ids), func(id int64) bool {
		_, read := slices.BinarySearch(set.pictures, id)
		return read
	})
	posts, err := c.req.Store.Posts(c.ctx, ids)
	if err != nil {
		return err
	}
	meta, err := c.req.Store.PostMetaKeys(c.ctx, ids, mediaKeys)
	if err != nil {
		return err
	}
	for id, p := range posts {
		c.file(set, p, meta[id])
	}
	for parent, list := range children {
		if res.Children == nil {
			res.Children = map[int64][]*wptext.Attachment{}
		}
		for _, id := range list {
			if a := res.Attachments[id]; a != nil {
				res.Children[parent] = append(res.Children[parent], a)
			}
		}
	}
	return nil
}

// fileDigest stands for a file with its metadata.
func (c *call) fileDigest(p *wpstore.Post, m wpstore.Meta) wpstore.Digest {
	d := digester{buf: make([]byte, 0, 64)}
	d.add(p.Digest())
	d.add(m.Digest())
	return c.req.Store.Digest(d.buf)
}

// mediaKeys are the metas that attachments and organizer blocks need.
var mediaKeys = []string{
	"_wp_attached_file", "_wp_attachment_metadata", "_wp_attachment_image_alt",
	"_OrganizerPhone", "_OrganizerWebsite", "_OrganizerEmail",
}

// file sorts a fetched post into the resources by its type.
func (c *call) file(set *loaded, p *wpstore.Post, m wpstore.Meta) {
	res, rows := set.media, c.fileDigest(p, m)
	set.files[p.ID] = rows
	first := func(key string) string { v, _ := m.First(key); return v }
	switch {
	case p.Type == "attachment":
		if res.Attachments == nil {
			res.Attachments = map[int64]*wptext.Attachment{}
		}
		metadata, ok := c.srv.metadata.get(rows)
		if !ok {
			stored := first("_wp_attachment_metadata")
			metadata = phpserial.Maybe(stored)
			c.srv.keepMetadata(rows, metadata, len(stored))
		}
		res.Attachments[p.ID] = &wptext.Attachment{
			ID: p.ID, Title: p.Title, Caption: p.Excerpt, Name: p.Name, Status: p.Status, Parent: p.Parent,
			MIMEType: p.MimeType, GUID: p.GUID, MenuOrder: p.MenuOrder, File: first("_wp_attached_file"),
			Metadata: metadata, Alt: first("_wp_attachment_image_alt"),
		}
	case p.Type == "wp_block" && p.Status == "publish" && p.Password == "":
		if res.Blocks == nil {
			res.Blocks = map[int64]string{}
		}
		res.Blocks[p.ID] = p.Content
	case p.Type == api.Organizers.PostType:
		if res.Organizers == nil {
			res.Organizers = map[int64]*wptext.Organizer{}
		}
		res.Organizers[p.ID] = &wptext.Organizer{
			Title: typography.Title(p.Title, c.req.Place.Site.Locale), Phone: first("_OrganizerPhone"),
			Website: first("_OrganizerWebsite"), Email: first("_OrganizerEmail"),
		}
	}
}

// locateParents finds the permalinks of the posts that attachments belong to,
// which the links of a gallery's images are made from.
func (c *call) locateParents(res *wptext.Resources) error {
	var ids []int64
	for _, a := range res.Attachments {
		if a.Parent != 0 {
			ids = append(ids, a.Parent)
		}
	}
	if ids = distinct(ids); len(ids) == 0 {
		return nil
	}
	parents, err := c.req.Store.Posts(c.ctx, ids)
	if err != nil {
		return err
	}
	for _, a := range res.Attachments {
		if p := parents[a.Parent]; p != nil && c.req.Viewer.Viewable(p) {
			a.ParentURL = c.req.Place.Links.Post(p, true)
		}
	}
	return nil
}

// imagesOf lists the images of the parents that galleries without ids name; 0
// stands for unattached ones. Contents of one answer hardly ever name more than
// that one, so the bound keeps the number of queries fixed.
func (c *call) imagesOf(parents []int64) (map[int64][]int64, error) {
	out := map[int64][]int64{}
	for _, parent := range parents[:min(len(parents), maxGalleryParents)] {
		ids, err := c.req.Store.AttachedImages(c.ctx, parent)
		if err != nil {
			return nil, err
		}
		out[parent] = ids
	}
	return out, nil
}

const maxGalleryParents = 4

// visibleParents drops the posts whose images this client may not see.
func (c *call) visibleParents(ids []int64) ([]int64, error) {
	if len(ids) == 0 || len(ids) == 1 && ids[0] == 0 {
		return ids, nil
	}
	heads, err := c.req.Store.PostHeads(c.ctx, ids)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(ids, func(id int64) bool {
		h := heads[id]
		return id != 0 && (h.Password != "" || h.Status != "publish" && !c.req.Viewer.MayRead(&wpstore.Post{ID: id, Author: h.Author, Type: h.Type, Status: h.Status}))
	}), nil
}

// image returns the "image" field: false, or an object with the sizes.
func (c *call) image(set *loaded, m wpstore.Meta) php.Value {
	raw, _ := m.First("_thumbnail_id")
	return images.Object(raw, set.media.Attachments[php.ToInt(raw)], c.req.Place.Text.UploadsURL)
}
