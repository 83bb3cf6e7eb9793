package wptext

import (
	"strings"

	"calbridge/wpstore/php"
)

// renderer carries what the steps of one text share.
type renderer struct {
	site *Site
	res  *Resources
	req  *RequestState

	embeds   embedResolver // set while the shortcode embed is active
	reusable []int64       // reusable blocks being rendered, outermost first
}

// Content renders post_content as the field "description" shows it: the chain
// of WordPress's the_content with no current post. res has what the text refers
// to in the database (see [Refs]); req runs through all texts of one answer and
// must see them in the order in which WordPress would render them.
func Content(s string, site *Site, res *Resources, req *RequestState) string {
	r := &renderer{site: site, res: res, req: req}
	r.countForeignShortcodes(s, false)
	s = r.embedShortcodes(s)
	s = r.autoEmbed(s)
	inBlocks := strings.Contains(s, "<!-- wp:")
	s = r.blocks(s)
	s = Texturize(s, site.Locale)
	switch {
	case inBlocks:
		// The block editor writes its own paragraphs, so WordPress takes its step
		// for them out of the chain and then puts it back in a later place.
		req.lateParagraphs = true
		s = r.secureHome(ShortcodeUnautop(s))
	case req.lateParagraphs || site.LateParagraphs:
		s = Autop(r.secureHome(ShortcodeUnautop(s)))
	default:
		s = r.secureHome(ShortcodeUnautop(Autop(s)))
	}
	s = CapitalPContent(s, site.Locale)
	s = r.shortcodes(s)
	s = ImageTags(s, site, res, req)
	if site.UseSmilies {
		s = Smilies(s, site.SiteURL)
	}
	return php.Trim(s)
}

func (r *renderer) secureHome(s string) string {
	if !r.site.FixInsecureHome {
		return s
	}
	return SecureHomeURL(s, r.site.Home)
}
