package content

import (
	"calbridge/rest/trait"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/media"
	"calbridge/rest/wptext/paragraph"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore/php"
)

// Excerpt turns a stored post_excerpt into the field "excerpt".
// Nothing is generated from the content; shortcodes, blocks and embeds stay text.
func Excerpt(s string, site *wptext.Site, res *wptext.Resources, req *wptext.RequestState) string {
	s = typography.Texturize(s, site.Locale)
	if site.UseSmilies {
		s = typography.Smilies(s, site.SiteURL, site.Traits.Has(trait.SmiliesEndAtLineBreaks))
	}
	s = paragraph.ShortcodeUnautop(paragraph.Autop(escape.ConvertChars(s)))
	return php.Trim(media.CompleteTags(secureHome(s, site), site, res, req))
}
