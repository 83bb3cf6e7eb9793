package media

import (
	"strconv"
	"strings"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/kses"
	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/shortcode"
	"calbridge/wpstore/php"
)

// caption renders [caption], an image with a text below it.
// nested executes the shortcodes inside.
func caption(attrs *php.Array, inner string, site *wptext.Site, nested func(string) string) string {
	text, given := attrs.Lookup("caption")
	caption := php.ToString(text)
	if !given {
		if image, rest, ok := splitCaption(inner); ok {
			inner, caption = image, php.Trim(rest)
		}
	} else if strings.Contains(caption, "<") {
		caption = kses.Post(caption, site.Traits)
	}
	width := php.ToInt(shortcode.Attr(attrs, "width", ""))
	if width < 1 || caption == "" {
		return inner
	}
	id := keepIDChars(shortcode.Attr(attrs, "id", ""))
	captionID := keepIDChars(shortcode.Attr(attrs, "caption_id", ""))
	if captionID == "" && id != "" {
		captionID = "caption-" + strings.ReplaceAll(id, "_", "-")
	}
	class := php.Trim("wp-caption " + shortcode.Attr(attrs, "align", "alignnone") + " " + shortcode.Attr(attrs, "class", ""))
	idAttr := optionalAttr("id", id)
	content := nested(inner)
	captionAttr := optionalAttr("id", captionID)
	described := optionalAttr("aria-describedby", captionID)
	if site.Theme.HTML5Captions {
		return "<figure " + idAttr + described + `style="width: ` + strconv.FormatInt(width, 10) + `px" class="` + escape.Attr(class) + `">` +
			content + "<figcaption " + captionAttr + `class="wp-caption-text">` + caption + "</figcaption></figure>"
	}
	if described != "" {
		content = strings.ReplaceAll(content, "<img ", "<img "+described)
	}
	return "<div " + idAttr + `style="width: ` + strconv.FormatInt(width+10, 10) + `px" class="` + escape.Attr(class) + `">` +
		content + "<p " + captionAttr + `class="wp-caption-text">` + caption + "</p></div>"
}

// optionalAttr writes an attribute and a space, or nothing.
func optionalAttr(name, value string) string {
	if value == "" {
		return ""
	}
	return name + `="` + escape.Attr(value) + `" `
}

// keepIDChars keeps ASCII letters, digits, "_" and "-".
func keepIDChars(s string) string {
	return markup.ReplaceRuns(s, 1, "", func(c byte) bool { return !markup.IsWord(c) && c != '-' })
}

// splitCaption splits the text of a caption into its image, perhaps inside a link, and
// the rest. Text before the image is lost.
func splitCaption(s string) (image, rest string, ok bool) {
	// A finder only moves forward; the three kinds of tags do so separately.
	link, plain, linked := markup.NewFinder(s, ">"), markup.NewFinder(s, ">"), markup.NewFinder(s, ">")
	lastLink := 0
	for i := markup.IndexFrom(s, '<', 0); i >= 0; i = markup.IndexFrom(s, '<', i+1) {
		p, gt := i, &plain
		if end := openTagEnd(s, p, "a", &link); end > 0 {
			if end == lastLink {
				continue // nothing new behind the same ">"
			}
			lastLink = end
			p, gt = markup.SkipWhite(s, end), &linked
		}
		end := openTagEnd(s, p, "img", gt)
		if end == 0 {
			continue
		}
		if q := markup.SkipWhite(s, end); markup.HasPrefixFold(s[q:], "</a>") {
			end = q + len("</a>")
		}
		return s[i:end], s[end:], true
	}
	return "", "", false
}

// openTagEnd returns the end of "<name ", at least one character and ">" at p,
// or 0.
func openTagEnd(s string, p int, name string, gt *markup.Finder) int {
	head := p + len(name) + 2
	if head >= len(s) || s[p] != '<' || s[head-1] != ' ' || !strings.EqualFold(s[p+1:head-1], name) || s[head] == '>' {
		return 0
	}
	return gt.Next(head) + 1
}
