package edit

import (
	"strings"

	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore/php"
	"calbridge/wpstore/rowedit"
)

// metaText converts texts to their form in metadata. It is true for sites with the block editor,
// which filters every text.
type metaText bool

// markup decodes HTML's special characters.
var markup = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#039;", "'", "&apos;", "'")

// plain returns a text of an event, without tags.
func (blocks metaText) plain(s string) string {
	return blocks.saved(sanitize.StripTags(markup.Replace(s)))
}

// saved returns a text of an event as it is stored.
func (blocks metaText) saved(s string) string {
	if blocks {
		s = sanitize.TextField(s)
	}
	return escape.StripSlashes(s)
}

// field returns a text of a venue or an organizer.
func (blocks metaText) field(v php.Value) string {
	text := escape.StripSlashes(sanitize.TextField(php.ToString(v)))
	if blocks {
		text = sanitize.TextField(text)
	}
	return text
}

// writeThumbnail sets the picture of a post; 0 removes it.
func writeThumbnail(m *rowedit.MetaEdit, id int64) {
	if id != 0 {
		m.Update("_thumbnail_id", php.ToString(id))
	} else {
		m.Delete("_thumbnail_id")
	}
}
