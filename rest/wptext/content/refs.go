package content

import (
	"maps"
	"slices"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blocks"
	"calbridge/rest/wptext/embed"
	"calbridge/rest/wptext/images"
	"calbridge/rest/wptext/media"
)

// Refs collects what a set of texts refers to in the database, so that all of it
// is read at once before rendering; see [wptext.Resources]. The zero value is empty.
type Refs struct {
	attachments, parents, blocks, organizers map[int64]bool

	embeds map[string]bool
}

// Attachments returns the ids of attachments in rising order. They are guesses
// from text: some are no attachments.
func (r *Refs) Attachments() []int64 { return sortedIDs(r.attachments) }

// Parents returns the posts whose attached images are needed; 0 asks for all
// images attached to no post. Only images of posts that the reader may see
// should be given.
func (r *Refs) Parents() []int64 { return sortedIDs(r.parents) }

// Blocks returns the ids of reusable blocks.
func (r *Refs) Blocks() []int64 { return sortedIDs(r.blocks) }

// Organizers returns the ids of organizers.
func (r *Refs) Organizers() []int64 { return sortedIDs(r.organizers) }

// EmbedKeys returns the names (post_name) of stored embeds.
func (r *Refs) EmbedKeys() []string { return slices.Sorted(maps.Keys(r.embeds)) }

// Add adds what other refers to.
func (r *Refs) Add(other *Refs) {
	addAll(&r.attachments, other.attachments)
	addAll(&r.parents, other.parents)
	addAll(&r.blocks, other.blocks)
	addAll(&r.organizers, other.organizers)
	addAll(&r.embeds, other.embeds)
}

func addAll[K comparable](set *map[K]bool, more map[K]bool) {
	for key := range more {
		addTo(set, key)
	}
}

// FilesOnly says that there are references to attachments at most.
func (r *Refs) FilesOnly() bool {
	return len(r.parents)+len(r.blocks)+len(r.organizers)+len(r.embeds) == 0
}

// Empty says that nothing was found.
func (r *Refs) Empty() bool {
	return len(r.attachments)+len(r.parents)+len(r.blocks)+len(r.organizers)+len(r.embeds) == 0
}

// Size is about what the references take in memory, in bytes.
func (r *Refs) Size() int {
	const fixed, perSet, perID = 48, 200, 20
	size := fixed
	for _, n := range [...]int{len(r.attachments), len(r.parents), len(r.blocks), len(r.organizers), 2 * len(r.embeds)} {
		if n > 0 {
			size += perSet + n*perID
		}
	}
	return size
}

func sortedIDs(set map[int64]bool) []int64 {
	if len(set) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(set))
}

// maxRefs bounds each kind of reference, since they come from stored text.
const maxRefs = 10000

func addTo[K comparable](set *map[K]bool, key K) {
	if *set == nil {
		*set = make(map[K]bool)
	}
	if len(*set) < maxRefs {
		(*set)[key] = true
	}
}

// Collect adds what a post_content refers to. It is a cheap scan that may find
// more than rendering will use, never less.
func (r *Refs) Collect(content string, site *wptext.Site) {
	r.CollectImages(content)
	files, parents := media.GalleryRefs(content)
	addIDs(&r.attachments, files)
	addIDs(&r.parents, parents)
	reusable, organizers := blocks.Refs(content)
	addIDs(&r.blocks, reusable)
	if site.TECBlocks {
		addIDs(&r.organizers, organizers)
	}
	for _, key := range embed.Keys(content, site.Theme.ContentWidth) {
		addTo(&r.embeds, key)
	}
}

func addIDs(set *map[int64]bool, ids []int64) {
	for _, id := range ids {
		addTo(set, id)
	}
}

// CollectImages adds what the tags of images refer to, which is all that an
// excerpt uses.
func (r *Refs) CollectImages(text string) { addIDs(&r.attachments, images.IDs(text)) }

// Nested collects what the reusable blocks in res refer to and returns what is
// not in r yet, which must be read too before rendering; r then knows it. A
// site's blocks seldom contain each other, so one further round is the rule; ask
// until Empty.
func (r *Refs) Nested(res *wptext.Resources, site *wptext.Site) *Refs {
	found := &Refs{}
	if res != nil {
		for _, content := range res.Blocks {
			found.Collect(content, site)
		}
	}
	keepNew(&r.attachments, found.attachments)
	keepNew(&r.parents, found.parents)
	keepNew(&r.blocks, found.blocks)
	keepNew(&r.organizers, found.organizers)
	keepNew(&r.embeds, found.embeds)
	return found
}

// keepNew moves what is new in found to known and leaves only that in found.
func keepNew[K comparable](known *map[K]bool, found map[K]bool) {
	for key := range found {
		if (*known)[key] {
			delete(found, key)
		} else {
			addTo(known, key)
		}
	}
}
