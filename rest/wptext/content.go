package wptext

import (
	"strings"

	"calbridge/wpstore/php"
)

// Content renders post_content as the field "description" shows it: the chain
// of WordPress's the_content with no current post. res has what the text refers
// to in the database (see [Refs]); req runs through all texts of one answer and
// must see them in the order in which WordPress would render them.
func Content(s string, site *Site, res *Resources, req *RequestState) string {
	noteForeignShortcodes(s, site.Shortcodes, false, req.notRendered)
	s = expandEmbeds(s, site.Theme.ContentWidth, res)
	inBlocks := strings.Contains(s, "<!-- wp:")
	s = Blocks(s, site, res, req)
	s = Texturize(s, site.Locale)
	switch {
	case inBlocks:
		// The block editor writes its own paragraphs, so WordPress takes its step
		// for them out of the chain and then puts it back in a later place.
		req.lateParagraphs = true
		s = secureHome(ShortcodeUnautop(s), site)
	case req.lateParagraphs || site.LateParagraphs:
		s = Autop(secureHome(ShortcodeUnautop(s), site))
	default:
		s = secureHome(ShortcodeUnautop(Autop(s)), site)
	}
	s = CapitalPContent(s, site.Locale)
	s = Shortcodes(s, site, res, req)
	s = ImageTags(s, site, res, req)
	if site.UseSmilies {
		s = Smilies(s, site.SiteURL)
	}
	return php.Trim(s)
}
