package typography

import (
	"strings"

	"calbridge/rest/wptext/scan"
)

// smiley is a text and the emoji character that replaces it. Mrgreen has no
// character: it is a picture of the site.
type smiley struct{ text, emoji string }

const mrgreen = ":mrgreen:"

var smilies = [...]smiley{
	{";-)", "😉"}, {";)", "😉"}, {":|", "😐"}, {":x", "😡"},
	{":wink:", "😉"}, {":twisted:", "😈"}, {":smile:", "🙂"}, {":shock:", "😯"},
	{":sad:", "🙁"}, {":roll:", "🙄"}, {":razz:", "😛"}, {":oops:", "😳"},
	{":o", "😮"}, {":neutral:", "😐"}, {mrgreen, ""}, {":mad:", "😡"},
	{":lol:", "😆"}, {":idea:", "💡"}, {":grin:", "😀"}, {":evil:", "👿"},
	{":eek:", "😮"}, {":cry:", "😥"}, {":cool:", "😎"}, {":arrow:", "➡"},
	{":P", "😛"}, {":D", "😀"}, {":???:", "😕"}, {":?:", "❓"},
	{":?", "😕"}, {":-|", "😐"}, {":-x", "😡"}, {":-o", "😮"},
	{":-P", "😛"}, {":-D", "😀"}, {":-?", "😕"}, {":-)", "🙂"},
	{":-(", "🙁"}, {":)", "🙂"}, {":(", "🙁"}, {":!:", "❗"},
	{"8O", "😯"}, {"8-O", "😯"}, {"8-)", "😎"},
}

// Smilies is WordPress's convert_smilies: it replaces smilies that stand
// alone, between white space, line borders or tags, by emoji, outside of code,
// pre, style, script and textarea. SiteURL, without a slash at its end, is
// where the one smiley lives that is a picture. Call it only on sites whose
// option use_smilies is on.
func Smilies(s, siteURL string) string {
	if !strings.ContainsAny(s, ":;8") {
		return s
	}
	p := scan.Patch{Src: s}
	ignored := "" // the closing tag that ends the element whose text is left alone
	for pos := 0; pos < len(s); {
		start, end := nextSimpleTag(s, pos)
		if ignored == "" {
			replaceSmilies(&p, pos, start, siteURL)
		}
		if tag := s[start:end]; ignored != "" {
			if tag == ignored {
				ignored = ""
			}
		} else if tag != "" {
			ignored = smileyFreeElement(tag)
		}
		pos = end
	}
	return p.String()
}

// nextSimpleTag returns the bounds of the first "<…>" of s at or behind pos,
// or len(s) twice. A "<" without its ">" is text.
func nextSimpleTag(s string, pos int) (start, end int) {
	start = scan.IndexFrom(s, '<', pos)
	if start >= 0 {
		end = scan.IndexFrom(s, '>', start)
		if end >= 0 {
			return start, end + 1
		}
	}
	return len(s), len(s)
}

// smileyFreeElement returns the closing tag that ends the element opened by
// tag, if its text may hold no smilies. WordPress looks only at the beginning
// of the name.
func smileyFreeElement(tag string) string {
	switch {
	case strings.HasPrefix(tag, "<code"):
		return "</code>"
	case strings.HasPrefix(tag, "<pre"):
		return "</pre>"
	case strings.HasPrefix(tag, "<style"):
		return "</style>"
	case strings.HasPrefix(tag, "<script"):
		return "</script>"
	case strings.HasPrefix(tag, "<textarea"):
		return "</textarea>"
	}
	return ""
}

// replaceSmilies replaces the smilies in the text from start to end.
func replaceSmilies(p *scan.Patch, start, end int, siteURL string) {
	text := p.Src[start:end]
	for i := 0; i < len(text); i++ {
		if c := text[i]; c != ':' && c != ';' && c != '8' || i > 0 && !scan.SpaceBefore(text, i) {
			continue
		}
		for _, sm := range smilies {
			if !strings.HasPrefix(text[i:], sm.text) {
				continue
			}
			after := i + len(sm.text)
			if after < len(text) && scan.SpaceAt(text, after) == 0 {
				continue
			}
			if sm.text == mrgreen {
				p.Replace(start+i, start+after, `<img src="`, siteURL, `/wp-includes/images/smilies/mrgreen.png" alt="`,
					sm.text, `" class="wp-smiley" style="height: 1em; max-height: 1em;" />`)
			} else {
				p.Replace(start+i, start+after, sm.emoji)
			}
			i = after - 1
			break
		}
	}
}
