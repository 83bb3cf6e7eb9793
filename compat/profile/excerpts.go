package profile

import (
	"regexp"
	"strings"

	"calbridge/compat/jsontree"
)

const (
	// excerptWords is the number of words in an excerpt made from a text.
	excerptWords = 30
	// usualMore is the tail of such an excerpt where no theme changes it.
	usualMore = " [&hellip;]"
)

// ellipsis matches the beginning of the tail of an excerpt.
var ellipsis = regexp.MustCompile(`(?s)( ?\[?(?:&hellip;|…|&#8230;|\.\.\.).*)$`)

// voteExcerpts finds what a theme adds after excerpts made from a text. It looks in the
// JSON-LD of an item.
func voteExcerpts(v *votes, from source, item *jsontree.Node) {
	ld := item.Member("json_ld")
	description, link := ld.Member("description").Text(), item.Member("url").Text()
	if description == "" || link == "" || item.Member("excerpt").Text() != "" {
		return
	}
	words := strings.SplitAfterN(description, " ", excerptWords)
	if len(words) < excerptWords {
		return
	}
	tail := ellipsis.FindString(words[excerptWords-1])
	if more, ok := moreOf(tail, ld.Member("name").Text(), link); ok && !strings.HasSuffix(more, usualMore) {
		v.word(from, "excerpt_more", more)
	}
}

// moreOf restores the tail of a description to its form before WordPress turned it into
// paragraphs and a JavaScript string, with {title} and {url} in place of the item's.
func moreOf(tail, title, link string) (string, bool) {
	more, whole := strings.CutSuffix(tail, `&lt;/p&gt;\n`)
	if !whole || more == "" {
		return "", false
	}
	for _, address := range []string{link, strings.ReplaceAll(link, "&", "&#038;")} {
		more = strings.ReplaceAll(more, address, "{url}")
	}
	if strings.Contains(more, "://") { // another address
		return "", false
	}
	if len(title) > 1 {
		more = strings.ReplaceAll(more, title, "{title}")
	}
	more = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, `\'`, "'").Replace(more)
	paragraphs := strings.ReplaceAll(more, "</p>\\n<p", "<p")
	if strings.Contains(paragraphs, "<p") {
		paragraphs += "</p>" // its own, not that around the excerpt
	}
	return strings.ReplaceAll(paragraphs, `\n`, "\n"), true
}

// galleryStyles matches the style sheet before a gallery, with its number of columns.
var galleryStyles = regexp.MustCompile(`(?s)(\n\t\t<style[^>]*>[^<]*</style>\s*)<div id='gallery-(\d+)' class='gallery [^']*gallery-columns-([1-9])[ ']`)

// voteGalleryStyles finds the style sheet of galleries in a description.
func voteGalleryStyles(v *votes, from source, text string) {
	for _, found := range galleryStyles.FindAllStringSubmatch(text, -1) {
		width := map[string]string{"1": "100", "2": "50", "3": "33", "4": "25", "5": "20", "6": "16", "7": "14", "8": "12", "9": "11"}[found[3]]
		style := strings.ReplaceAll(found[1], "#gallery-"+found[2], "#gallery-{number}")
		if filled := strings.Replace(style, "width: "+width+"%", "width: {width}%", 1); filled != style {
			v.add(from, slot{section: sectionBlocks, key: "core/gallery#style"}, filled, 1)
		}
	}
}
