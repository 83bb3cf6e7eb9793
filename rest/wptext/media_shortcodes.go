package wptext

// Shortcodes executes all shortcodes of a text. The shortcode [embed] must have
// been replaced before; what is left of it vanishes.
func Shortcodes(s string, site *Site, res *Resources, req *RequestState) string {
	r := renderer{site: site, res: res, req: req}
	return r.text(s)
}

// renderer renders the shortcodes of one text, those inside captions included.
type renderer struct {
	site *Site
	res  *Resources
	req  *RequestState
}

func (r *renderer) text(s string) string {
	return runShortcodes(s, allShortcodes, false, r.shortcode)
}

// shortcode returns what one shortcode shows. What is known of it only by the
// site being replaced stands in the site's profile.
func (r *renderer) shortcode(found shortcode) string {
	attrs := shortcodeAttrs(found.attrs)
	switch found.name {
	case "caption", "wp_caption":
		return caption(attrs, found.inner, r.site.Theme.HTML5, r.text)
	case "gallery":
		return renderGallery(attrs, r.site, r.res, r.req)
	case "audio":
		return audio(attrs, found.inner, r.site.WPVersion, r.req)
	case "video":
		return video(attrs, found.inner, r.site, r.req)
	case "playlist":
		return playlist(attrs, r.res, r.req)
	case "embed":
		return ""
	}
	bracketed := "[" + found.name + "]"
	html, ok := r.site.ProfileBlocks[bracketed]
	if !ok {
		r.req.notRendered(bracketed)
	}
	return html
}
