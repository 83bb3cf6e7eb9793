package wptext

import (
	"cmp"
	"slices"

	"calbridge/wpstore/php"
)

// Attachment is a file of the media library.
type Attachment struct {
	ID        int64
	Title     string // post_title
	Caption   string // post_excerpt
	Name      string // post_name
	Status    string // post_status
	Parent    int64  // post_parent
	MIMEType  string // post_mime_type
	GUID      string
	MenuOrder int64
	File      string    // meta _wp_attached_file as stored
	Metadata  php.Value // meta _wp_attachment_metadata, unserialised
	Alt       string    // meta _wp_attachment_image_alt
	// ParentURL is the permalink of the parent for the reader of the answer; ""
	// when there is no parent, or none that the reader may see.
	ParentURL string
}

// Organizer is what the organizer block shows.
type Organizer struct {
	Title, Phone, Website, Email string
}

// Resources is what was found in the database for the [content.Refs] of a set of texts.
// A nil Resources is empty.
type Resources struct {
	Attachments map[int64]*Attachment
	// Children lists the images whose parent is the key; 0 for unattached ones.
	Children map[int64][]*Attachment
	// Embeds is the stored HTML of embedded URLs, post_content of the published
	// posts of type oembed_cache, by key (post_name).
	Embeds map[string]string
	// Blocks is the content of reusable blocks: published posts of type wp_block
	// without password.
	Blocks     map[int64]string
	Organizers map[int64]*Organizer
}

func (r *Resources) Attachment(id int64) *Attachment {
	if r == nil || id == 0 {
		return nil
	}
	return r.Attachments[id]
}

func (r *Resources) Embed(key string) string {
	if r == nil {
		return ""
	}
	return r.Embeds[key]
}

func (r *Resources) Organizer(id int64) *Organizer {
	if r == nil {
		return nil
	}
	return r.Organizers[id]
}

func (r *Resources) Reusable(id int64) (string, bool) {
	if r == nil {
		return "", false
	}
	content, ok := r.Blocks[id]
	return content, ok
}

// ImagesOf returns the images of a parent by menu order, then id.
func (r *Resources) ImagesOf(parent int64) []*Attachment {
	if r == nil {
		return nil
	}
	list := slices.Clone(r.Children[parent])
	slices.SortFunc(list, func(a, b *Attachment) int {
		return cmp.Or(cmp.Compare(a.MenuOrder, b.MenuOrder), cmp.Compare(a.ID, b.ID))
	})
	return list
}
