package loader

import (
	"context"
	"slices"

	"calbridge/rest/api"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/wpstore"
)

// fetch adds the references and the pictures thumbs to the media of the set, in a fixed
// number of queries.
func (l *Loader) fetch(ctx context.Context, set *Set, refs *content.Refs, thumbs []int64) error {
	res := set.Media
	if keys := refs.EmbedKeys(); len(keys) > 0 {
		found, err := l.Store.OEmbedCache(ctx, keys)
		if err != nil {
			return err
		}
		for key, html := range found {
			put(&res.Embeds, key, html)
		}
	}
	parents, err := l.visibleParents(ctx, refs.Parents())
	if err != nil {
		return err
	}
	children, err := l.imagesOf(ctx, parents)
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
	posts, meta, err := l.Store.PostsAndMetaKeys(ctx, ids, mediaKeys)
	if err != nil {
		return err
	}
	for id, p := range posts {
		l.file(set, p, meta[id])
	}
	for parent, list := range children {
		for _, id := range list {
			if a := res.Attachments[id]; a != nil {
				put(&res.Children, parent, append(res.Children[parent], a))
			}
		}
	}
	return nil
}

// mediaKeys are the metas that attachments and organizer blocks need.
var mediaKeys = []string{
	wpstore.MetaFile.Name(), wpstore.MetaFileSizes.Name(), wpstore.MetaFileAlt.Name(),
	wpstore.MetaOrganizerPhone.Name(), wpstore.MetaOrganizerWebsite.Name(), wpstore.MetaOrganizerEmail.Name(),
}

// file adds a fetched post to the resources, by its type.
func (l *Loader) file(set *Set, p *wpstore.Post, m wpstore.Meta) {
	res, rows := set.Media, l.fileDigest(set, p, m)
	set.files[p.ID] = rows
	first := func(key wpstore.MetaKey) string { return m.Field(key).Text() }
	switch {
	case p.Type == "attachment":
		sizes, _ := m.First(wpstore.MetaFileSizes.Name()) // the cache has it unserialized
		put(&res.Attachments, p.ID, &wptext.Attachment{
			ID: p.ID, Title: p.Title, Caption: p.Excerpt, Name: p.Name, Status: p.Status, Parent: p.Parent,
			MIMEType: p.MimeType, GUID: p.GUID, MenuOrder: p.MenuOrder, File: first(wpstore.MetaFile),
			Metadata: l.Cache.metadata(rows, sizes), Alt: first(wpstore.MetaFileAlt),
		})
	case p.Type == "wp_block" && p.Status == "publish" && p.Password == "":
		put(&res.Blocks, p.ID, p.Content)
	case p.Type == api.Organizers.PostType && l.Viewer.Learns(p):
		put(&res.Organizers, p.ID, &wptext.Organizer{
			Title: l.Place.Text.Title(p.Title), Phone: first(wpstore.MetaOrganizerPhone),
			Website: first(wpstore.MetaOrganizerWebsite), Email: first(wpstore.MetaOrganizerEmail),
		})
	}
}

// put sets an entry of a map, which may be nil.
func put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}

// fileDigest returns the digest of a file with its metadata.
func (l *Loader) fileDigest(set *Set, p *wpstore.Post, m wpstore.Meta) wpstore.Digest {
	d := digester{buf: set.scratch[:0]}
	d.add(p.Digest)
	d.add(m.Digest())
	set.scratch = d.buf
	return l.Cache.digest(d.buf)
}
