package media

import (
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/shortcode"
)

// Shortcodes executes all shortcodes of a text. [embed] must have been replaced before;
// the rest of them vanish.
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

// shortcode returns what one shortcode shows. The HTML of the calendar's own ones comes
// from the site's profile.
func (r *renderer) shortcode(found shortcode.Shortcode) string {
	attrs := shortcode.ParseAttrs(found.Attrs)
	switch found.Name {
	case "caption", "wp_caption":
		return caption(attrs, found.Inner, r.site, r.text)
	case "gallery":
		return renderGallery(attrs, r.site, r.res, r.req)
	case "audio":
		r.req.Audios++
		return r.player(found, audioTypes, r.req.Audios)
	case "video":
		r.req.Videos++
		return r.player(found, videoTypes, r.req.Videos)
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
