package content

import (
	"maps"
	"slices"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blocks"

	"calbridge/rest/wptext/media"
)

// Refs collects what a set of texts refers to in the database, so that all of it
// is read at once before rendering; see [wptext.Resources]. The zero value is empty.
type Refs struct {
	ids    [kinds]set[int64]
	embeds set[string]
}

// The kinds of posts that texts refer to by id.
const (
	attachments = iota
	parents
	reusable
	organizers
	kinds
)

// Attachments returns the ids of attachments in rising order. They are guesses
// from text: some are no attachments.
func (r *Refs) Attachments() []int64 { return r.ids[attachments].sorted() }

// Parents returns the posts whose attached images are needed; 0 means all unattached
// images. Resources should have images of posts that the reader may see only.
func (r *Refs) Parents() []int64 { return r.ids[parents].sorted() }

// Blocks returns the ids of reusable blocks.
func (r *Refs) Blocks() []int64 { return r.ids[reusable].sorted() }

// Organizers returns the ids of organizers.
func (r *Refs) Organizers() []int64 { return r.ids[organizers].sorted() }

// EmbedKeys returns the names (post_name) of stored embeds.
func (r *Refs) EmbedKeys() []string { return r.embeds.sorted() }

// Add adds what other refers to.
func (r *Refs) Add(other *Refs) {
	for kind, ids := range other.ids {
		for id := range ids {
			r.ids[kind].add(id)
		}
	}
	for key := range other.embeds {
		r.embeds.add(key)
	}
}

// FilesOnly reports whether there are no references but to attachments.
func (r *Refs) FilesOnly() bool {
	return len(r.ids[parents])+len(r.ids[reusable])+len(r.ids[organizers])+len(r.embeds) == 0
}

// Empty reports whether nothing was found.
func (r *Refs) Empty() bool { return r.FilesOnly() && len(r.ids[attachments]) == 0 }

// Size returns about what the references take in memory, in bytes.
func (r *Refs) Size() int {
	const fixed, perSet, perID = 48, 200, 20
	size := fixed
	for _, ids := range r.ids {
		if len(ids) > 0 {
			size += perSet + len(ids)*perID
		}
	}
	if len(r.embeds) > 0 {
		size += perSet + 2*len(r.embeds)*perID
	}
	return size
}

// Collect adds what a post_content refers to. It is a cheap scan that may find
// more than rendering uses, never less.
func (r *Refs) Collect(content string, site *wptext.Site) {
	r.CollectImages(content)
	files, attachedTo := media.GalleryRefs(content)
	r.ids[attachments].add(files...)
	r.ids[parents].add(attachedTo...)
	inBlocks := blocks.Refs(content)
	r.ids[attachments].add(inBlocks.Films...)
	r.ids[reusable].add(inBlocks.Reusable...)
	if site.TECBlocks {
		r.ids[organizers].add(inBlocks.Organizers...)
	}
	r.embeds.add(media.EmbedKeys(content, site.Theme.ContentWidth)...)
}

// CollectImages adds what the tags of images refer to, which is all that an
// excerpt uses.
func (r *Refs) CollectImages(text string) { r.ids[attachments].add(media.IDs(text)...) }

// Nested collects what the reusable blocks in res refer to, adds it to r and returns
// what is new, which must be read too before rendering. Blocks may contain further
// blocks: repeat until it is empty.
func (r *Refs) Nested(res *wptext.Resources, site *wptext.Site) *Refs {
	found := &Refs{}
	for _, content := range res.Blocks {
		found.Collect(content, site)
	}
	for kind, known := range r.ids {
		maps.DeleteFunc(found.ids[kind], func(id int64, _ bool) bool { return known[id] })
	}
	maps.DeleteFunc(found.embeds, func(key string, _ bool) bool { return r.embeds[key] })
	r.Add(found)
	return found
}

// set is a set of at most maxRefs references.
type set[K int64 | string] map[K]bool

// maxRefs bounds each kind of reference, since they come from stored text.
const maxRefs = 10000

func (s *set[K]) add(keys ...K) {
	if *s == nil && len(keys) > 0 {
		*s = make(set[K])
	}
	for _, key := range keys {
		if len(*s) < maxRefs {
			(*s)[key] = true
		}
	}
}

// sorted returns the references in rising order. Most sets of a list's events are empty:
// these cost no allocation.
func (s set[K]) sorted() []K {
	if len(s) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(s))
}
