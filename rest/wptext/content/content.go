package content

import (
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blocks"

	"calbridge/rest/wptext/media"
	"calbridge/rest/wptext/paragraph"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore/php"
)

// Render turns post_content into the field "description": the
// chain of the_content without a current post. res has what the text refers to in the
// database (see [Refs]); req runs through all texts of an answer, in the order in which
// WordPress renders them.
func Render(s string, site *wptext.Site, res *wptext.Resources, req *wptext.RequestState) string {
	site.Shortcodes.Note(s, false, req.NotRendered)
	s = media.ExpandEmbeds(s, site.Theme.ContentWidth, res)
	inBlocks := strings.Contains(s, "<!-- wp:")
	s = blocks.Render(s, site, res, req)
	s = typography.Texturize(s, site.Locale)
	switch {
	case inBlocks:
		// The block editor writes its own paragraphs, so WordPress removes the step
		// for them from the chain and then puts it back in a later place.
		req.LateParagraphs = true
		s = secureHome(paragraph.ShortcodeUnautop(s), site)
	case req.LateParagraphs || site.LateParagraphs:
		s = paragraph.Autop(secureHome(paragraph.ShortcodeUnautop(s), site))
	default:
		s = secureHome(paragraph.ShortcodeUnautop(paragraph.Autop(s)), site)
	}
	s = typography.CapitalPContent(s, site.Locale)
	s = media.Shortcodes(s, site, res, req)
	s = media.CompleteTags(s, site, res, req)
	if site.UseSmilies {
		s = typography.Smilies(s, site.SiteURL, site.Traits.Has(trait.SmiliesEndAtLineBreaks))
	}
	return php.Trim(s)
}
