package media

import (
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/shortcode"
)

// Shortcodes executes all shortcodes of a text. The shortcode [embed] must have
// been replaced before; what is left of it vanishes.
func Shortcodes(s string, site *wptext.Site, res *wptext.Resources, req *wptext.RequestState) string {
	r := renderer{site: site, res: res, req: req}
	return r.text(s)
}

// renderer renders the shortcodes of one text, those inside captions included.
type renderer struct {
	site *wptext.Site
	res  *wptext.Resources
	req  *wptext.RequestState
}

func (r *renderer) text(s string) string {
	return shortcode.Run(s, shortcode.All, false, r.shortcode)
}

// shortcode returns what one shortcode shows. What is known of it only by the
// site being replaced stands in the site's profile.
func (r *renderer) shortcode(found shortcode.Shortcode) string {
	attrs := shortcode.ParseAttrs(found.Attrs)
	switch found.Name {
	case "caption", "wp_caption":
		return caption(attrs, found.Inner, r.site.Theme.HTML5, r.text)
	case "gallery":
		return renderGallery(attrs, r.site, r.res, r.req)
	case "audio":
		return audio(attrs, found.Inner, r.site.WPVersion, r.req)
	case "video":
		return video(attrs, found.Inner, r.site, r.req)
	case "playlist":
		return playlist(attrs, r.res, r.req)
	case "embed":
		return ""
	}
	bracketed := "[" + found.Name + "]"
	html, ok := r.site.ProfileBlocks[bracketed]
	if !ok {
		r.req.NotRendered(bracketed)
	}
	return html
}
