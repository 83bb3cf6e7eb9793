package wptext

import "calbridge/wpstore/php"

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
	// ParentURL is the permalink of the parent for the reader; "" without a parent
	// that the reader may see.
	ParentURL string
}

// Organizer is what the organizer block shows.
type Organizer struct {
	Title, Phone, Website, Email string
}

// Resources is what was found in the database for the [content.Refs] of a set of texts.
type Resources struct {
	Attachments map[int64]*Attachment
	// Children lists the images whose parent is the key; 0 for unattached ones.
	Children map[int64][]*Attachment
	// Embeds is the stored HTML of embedded URLs by key: post_content of the
	// published posts of type oembed_cache by post_name.
	Embeds map[string]string
	// Blocks is the content of reusable blocks: published posts of type wp_block
	// without password.
	Blocks     map[int64]string
	Organizers map[int64]*Organizer
}
