package loader

import (
	"context"
	"slices"

	"calbridge/rest/wptext"
	"calbridge/wpstore"
)

// imagesOf lists the images of the parents that galleries without ids name; 0 stands for
// images without a parent. maxGalleryParents bounds the queries; contents hardly ever name
// more than one parent.
func (l *Loader) imagesOf(ctx context.Context, parents []int64) (map[int64][]int64, error) {
	out := map[int64][]int64{}
	for _, parent := range parents[:min(len(parents), maxGalleryParents)] {
		ids, err := l.Store.AttachedImages(ctx, parent)
		if err != nil {
			return nil, err
		}
		out[parent] = ids
	}
	return out, nil
}

const maxGalleryParents = 4

// visibleParents drops the posts whose images this client may not see.
func (l *Loader) visibleParents(ctx context.Context, ids []int64) ([]int64, error) {
	if len(ids) == 0 || len(ids) == 1 && ids[0] == 0 {
		return ids, nil
	}
	heads, err := l.Store.PostHeads(ctx, ids)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(ids, func(id int64) bool {
		h := heads[id]
		return id != 0 && (h.Password != "" || h.Status != "publish" && !l.Viewer.MayRead(&wpstore.Post{ID: id, Author: h.Author, Type: h.Type, Status: h.Status}))
	}), nil
}

// locateParents finds the permalinks of the posts of attachments, for the links of a
// gallery's images.
func (l *Loader) locateParents(ctx context.Context, res *wptext.Resources) error {
	var ids []int64
	for _, a := range res.Attachments {
		if a.Parent != 0 {
			ids = append(ids, a.Parent)
		}
	}
	ids = distinct(ids)
	if len(ids) == 0 {
		return nil
	}
	parents, err := l.Store.Posts(ctx, ids)
	if err != nil {
		return err
	}
	for _, a := range res.Attachments {
		if p := parents[a.Parent]; p != nil && l.Viewer.Viewable(p) {
			a.ParentURL = l.Place.Links.Post(p, true)
		}
	}
	return nil
}
