package typography

import (
	"strings"

	"calbridge/rest/wptext/markup"
)

// smiley is a text and the emoji that replaces it. One has none: it is a picture.
type smiley struct{ text, emoji string }

var smilies = [...]smiley{
	{";-)", "😉"}, {";)", "😉"}, {":|", "😐"}, {":x", "😡"},
	{":wink:", "😉"}, {":twisted:", "😈"}, {":smile:", "🙂"}, {":shock:", "😯"},
	{":sad:", "🙁"}, {":roll:", "🙄"}, {":razz:", "😛"}, {":oops:", "😳"},
	{":o", "😮"}, {":neutral:", "😐"}, {":mrgreen:", ""}, {":mad:", "😡"},
	{":lol:", "😆"}, {":idea:", "💡"}, {":grin:", "😀"}, {":evil:", "👿"},
	{":eek:", "😮"}, {":cry:", "😥"}, {":cool:", "😎"}, {":arrow:", "➡"},
	{":P", "😛"}, {":D", "😀"}, {":???:", "😕"}, {":?:", "❓"},
	{":?", "😕"}, {":-|", "😐"}, {":-x", "😡"}, {":-o", "😮"},
	{":-P", "😛"}, {":-D", "😀"}, {":-?", "😕"}, {":-)", "🙂"},
	{":-(", "🙁"}, {":)", "🙂"}, {":(", "🙁"}, {":!:", "❗"},
	{"8O", "😯"}, {"8-O", "😯"}, {"8-)", "😎"},
}

// Smilies reproduces WordPress's convert_smilies: it replaces smilies between white space,
// line borders or tags by emoji, outside code, pre, style, script and textarea (of
// whose names only the beginning counts). siteURL, without trailing slash, serves
// the one smiley that is a picture. Where lines end tags, as before WordPress 6.8, a tag is
// in one line. Only sites with the option use_smilies use it.
func Smilies(s, siteURL string, linesEndTags bool) string {
	if !strings.ContainsAny(s, ":;8") {
		return s
	}
	p := markup.Patch{Src: s}
	ignored := "" // the closing tag of the element whose text stays
	for pos := 0; pos < len(s); {
		start, end := nextSimpleTag(s, pos, linesEndTags)
		tag := s[start:end]
		switch {
		case ignored == "":
			replaceSmilies(&p, pos, start, siteURL)
			for _, name := range [...]string{"code", "pre", "style", "script", "textarea"} {
				if strings.HasPrefix(tag, "<"+name) {
					ignored = "</" + name + ">"
				}
			}
		case tag == ignored:
			ignored = ""
		}
		pos = end
	}
	return p.String()
}

// nextSimpleTag returns the bounds of the first "<…>" of s at or behind pos,
// or len(s) twice. A "<" without its ">", in its line where lines end tags, is text.
func nextSimpleTag(s string, pos int, linesEndTags bool) (start, end int) {
	for end = -1; ; {
		if start = markup.IndexFrom(s, '<', pos); start < 0 {
			return len(s), len(s)
		}
		if end < start {
			if end = markup.IndexFrom(s, '>', start); end < 0 {
				return len(s), len(s)
			}
		}
		line := -1
		if linesEndTags {
			line = strings.IndexByte(s[start:end], '\n')
		}
		if line < 0 {
			return start, end + 1
		}
		pos = start + line + 1
	}
}

// replaceSmilies replaces the smilies in the text from start to end.
func replaceSmilies(p *markup.Patch, start, end int, siteURL string) {
	text := p.Src[start:end]
	for i := 0; i < len(text); i++ {
		if c := text[i]; c != ':' && c != ';' && c != '8' || i > 0 && !markup.SpaceBefore(text, i) {
			continue
		}
		for _, sm := range smilies {
			if !strings.HasPrefix(text[i:], sm.text) {
				continue
			}
			after := i + len(sm.text)
			if after < len(text) && markup.SpaceAt(text, after) == 0 {
				continue
			}
			if sm.emoji == "" {
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
