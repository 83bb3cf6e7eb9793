package content

import (
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/paragraph"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore/php"
)

// TagFilter changes the tags of HTML, such as by adding attributes to images.
type TagFilter func(html string) string

// ExcerptOptions are the settings of the site that [Excerpt] needs.
type ExcerptOptions struct {
	Locale     *typography.Locale // nil means English
	UseSmilies bool               // the option use_smilies
	SiteURL    string             // the option siteurl, without a slash at its end

	// FixHomeURL replaces insecure URLs of the site; nil where the site has no
	// such URLs. See [SecureHomeURL].
	FixHomeURL func(s string) string
	// TagFilter adds the loading attributes to image and iframe tags; nil
	// leaves the tags as they are.
	TagFilter TagFilter
}

// Excerpt turns a stored post excerpt into the excerpt that is shown. Nothing
// is made up from the content, and shortcodes, blocks and embeds stay text.
func Excerpt(s string, opt ExcerptOptions) string {
	s = typography.Texturize(s, opt.Locale)
	if opt.UseSmilies {
		s = typography.Smilies(s, opt.SiteURL)
	}
	s = paragraph.ShortcodeUnautop(paragraph.Autop(escape.ConvertChars(s)))
	if opt.FixHomeURL != nil {
		s = opt.FixHomeURL(s)
	}
	if opt.TagFilter != nil {
		s = opt.TagFilter(s)
	}
	return php.Trim(s)
}
