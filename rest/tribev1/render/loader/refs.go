package loader

import (
	"context"
	"strings"

	"calbridge/rest/wptext/content"
	"calbridge/wpstore"
)

// loadMedia fetches the attachments of pictures and everything that contents and excerpts
// refer to; reusable blocks may refer to more, up to maxNesting rounds.
func (l *Loader) loadMedia(ctx context.Context, set *Set) error {
	refs := &content.Refs{}
	var thumbs []int64
	set.refs = make(map[int64]*content.Refs, len(set.Posts))
	for id, p := range set.Posts {
		if l.Viewer.Sealed(p) {
			set.refs[id] = &content.Refs{}
			continue
		}
		if thumb := Picture(set.Meta[id]); thumb > 0 {
			thumbs = append(thumbs, thumb)
		}
		set.refs[id] = l.collectRefs(p)
		refs.Add(set.refs[id])
		set.galleries = set.galleries || strings.Contains(p.Content, "[gallery")
	}
	if err := l.fetch(ctx, set, refs, thumbs); err != nil {
		return err
	}
	for range maxNesting {
		more := refs.Nested(set.Media, l.Place.Text)
		if more.Empty() {
			break
		}
		if err := l.fetch(ctx, set, more, nil); err != nil {
			return err
		}
	}
	if set.galleries {
		return l.locateParents(ctx, set.Media)
	}
	return nil
}

// maxNesting is the depth to which reusable blocks inside reusable blocks are followed.
const maxNesting = 3

// collectRefs returns what the texts of a post refer to, from the cache if it has the row.
func (l *Loader) collectRefs(p *wpstore.Post) *content.Refs {
	key := refsKey{p.Digest, l.Place.Text}
	cached := l.Cache.refs != nil && key.row != (wpstore.Digest{})
	if cached {
		if refs, ok := l.Cache.refs.GetIfPresent(key); ok {
			return refs
		}
	}
	refs := &content.Refs{}
	refs.Collect(p.Content, l.Place.Text)
	refs.CollectImages(p.Excerpt)
	if cached {
		l.Cache.refs.Set(key, refs)
	}
	return refs
}
