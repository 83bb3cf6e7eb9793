package wptext

import (
	"strings"

	"calbridge/wpstore/php"
)

// shortcodes executes all shortcodes of a text.
func (r *renderer) shortcodes(s string) string {
	return r.runShortcodes(s, allShortcodes, false)
}

// runShortcodes executes those of the allowed shortcodes that occur in s.
// Shortcodes inside HTML tags run in the values of attributes only, and not at
// all with ignoreHTML.
func (r *renderer) runShortcodes(s string, allowed shortcodeSet, ignoreHTML bool) string {
	if !strings.Contains(s, "[") {
		return s
	}
	names := openShortcodes(s) & allowed
	if names == 0 {
		return s
	}
	s = r.shortcodesInTags(s, names, ignoreHTML)
	s = r.expandShortcodes(s, names)
	return showBrackets.Replace(s)
}

var (
	keepWrittenBrackets = strings.NewReplacer("&#91;", "&#091;", "&#93;", "&#093;")
	hideBrackets        = strings.NewReplacer("[", "&#91;", "]", "&#93;")
	showBrackets        = strings.NewReplacer("&#91;", "[", "&#93;", "]")
)

// expandShortcodes replaces the shortcodes in s by their output. An escaped one
// loses its outer brackets instead.
func (r *renderer) expandShortcodes(s string, names shortcodeSet) string {
	scan := newShortcodeScanner(s, names)
	out := patch{src: s}
	for pos := 0; ; {
		found, ok := scan.next(pos)
		if !ok {
			return out.String()
		}
		pos = found.end
		if found.extraOpen && found.extraClose {
			out.replace(found.start, found.end, s[found.start+1:found.end-1])
			continue
		}
		open, end := "", ""
		if found.extraOpen {
			open = "["
		}
		if found.extraClose {
			end = "]"
		}
		out.replace(found.start, found.end, open, r.shortcode(found), end)
	}
}

// shortcode returns the output of one shortcode.
func (r *renderer) shortcode(found shortcode) string {
	attrs := shortcodeAttrs(found.attrs)
	switch found.name {
	case "caption", "wp_caption":
		return r.caption(attrs, found.inner)
	case "gallery":
		return r.gallery(attrs)
	case "audio":
		return r.audio(attrs, found.inner)
	case "video":
		return r.video(attrs, found.inner)
	case "playlist":
		return r.playlist(attrs)
	case "embed":
		if r.embeds != nil {
			return embed(attrs, found.inner, r.embeds)
		}
		return "" // embeds were resolved before; what is left of them vanishes
	}
	bracketed := "[" + found.name + "]"
	html, ok := r.site.ProfileBlocks[bracketed]
	if !ok {
		r.req.notRendered(bracketed)
	}
	return html
}

// textAttr returns an attribute, fallback when it is not given.
func textAttr(attrs *php.Array, name, fallback string) string {
	v, ok := attrs.Lookup(name)
	if !ok {
		return fallback
	}
	return php.ToString(v)
}
