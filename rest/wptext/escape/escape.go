package escape

import (
	"strings"
	"unicode/utf8"

	"calbridge/rest/wptext/markup"
)

// HTML reproduces WordPress's esc_html: it escapes text for HTML but leaves existing
// character references alone. Text that isn't valid UTF-8 gives "".
func HTML(s string) string { return Rules{}.HTML(s) }

// Attr reproduces WordPress's esc_attr, for quoted attribute values; it does the same
// as [HTML].
func Attr(s string) string { return Rules{}.HTML(s) }

// HTML returns [HTML] by the rules.
func (r Rules) HTML(s string) string { return r.escapeHTML(s, true) }

// Attr returns [Attr] by the rules.
func (r Rules) Attr(s string) string { return r.escapeHTML(s, true) }

func (r Rules) escapeHTML(s string, single bool) string {
	if !utf8.ValidString(s) {
		return ""
	}
	if !strings.ContainsAny(s, `&<>"'`) {
		return s
	}
	s = r.NormalizeEntities(s)
	if single {
		return allEscapes.Replace(s)
	}
	return doubleEscapes.Replace(s)
}

var (
	allEscapes    = strings.NewReplacer("<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#039;")
	doubleEscapes = strings.NewReplacer("<", "&lt;", ">", "&gt;", `"`, "&quot;")
)

// JS reproduces WordPress's esc_js, for a JavaScript string inside an attribute: [Rules.HTML],
// but with a backslash before single quotes and \n for line feeds.
func (r Rules) JS(s string) string {
	return jsEscapes.Replace(apostrophes(StripSlashes(r.escapeHTML(s, false))))
}

var jsEscapes = strings.NewReplacer("\r", "", "\n", `\n`, "\x00", `\0`, `\`, `\\`, "'", `\'`)

// StripSlashes reproduces PHP's stripslashes: it removes one level of backslashes, as
// WordPress does to texts written through the REST API.
func StripSlashes(s string) string {
	p := markup.Patch{Src: s}
	for i := range p.Each(`\`) {
		if i+1 < len(s) && s[i+1] == '0' {
			p.Replace(i, i+2, "\x00")
		} else {
			p.Replace(i, i+1)
			p.Skip(i + 2)
		}
	}
	return p.String()
}

// apostrophes decodes numeric references to the apostrophe, with any number of
// leading zeros and an optional semicolon.
func apostrophes(s string) string {
	p := markup.Patch{Src: s}
	for i := range p.Each("&#") {
		rest, code := s[i+len("&#"):], "39"
		if markup.HasPrefixFold(rest, "x") {
			rest, code = rest[1:], "27"
		}
		if rest, ok := strings.CutPrefix(strings.TrimLeft(rest, "0"), code); ok {
			p.Replace(i, len(s)-len(strings.TrimPrefix(rest, ";")), "'")
		}
	}
	return p.String()
}

// LoneLess escapes each "<" without a ">" before the next "<" or the end of the
// text, together with the text behind it.
func (r Rules) LoneLess(s string) string {
	p := markup.Patch{Src: s}
	for i := range p.Each("<") {
		end := len(s)
		if n := strings.IndexAny(s[i+1:], "<>"); n >= 0 {
			end = i + 1 + n
		} else if s[end-1] == '\n' {
			end--
		}
		if end == len(s) || s[end] != '>' {
			p.Replace(i, end, r.HTML(s[i:end]))
		}
		p.Skip(end)
	}
	return p.String()
}

// TagValue escapes an attribute value as WordPress's tag processor does since 6.9.
func TagValue(s string) string { return tagEscapes.Replace(s) }

var tagEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "'", "&apos;", `"`, "&quot;")
