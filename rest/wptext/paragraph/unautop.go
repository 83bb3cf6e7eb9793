package paragraph

import (
	"strings"

	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/shortcode"
)

// ShortcodeUnautop reproduces WordPress's shortcode_unautop: it removes a paragraph that
// holds nothing but one registered shortcode.
func ShortcodeUnautop(s string) string {
	if strings.IndexByte(s, '[') < 0 {
		return s
	}
	scanner := shortcode.NewScanner(s, shortcode.All)
	var behindTag, behindClosed spaceRun
	p := markup.Patch{Src: s}
	for i := range p.Each("<p>") {
		code := markup.SkipSpaces(s, i+len("<p>"))
		if code == len(s) || s[code] != '[' {
			continue
		}
		name := scanner.NameAt(code + 1)
		if name < 0 {
			continue
		}
		tag, closed := scanner.Ends(code+1+len(shortcode.Names[name]), name)
		if after := behindClosed.paragraphEnd(s, closed); after > 0 {
			p.Replace(i, after, s[code:closed])
		} else if after := behindTag.paragraphEnd(s, tag); after > 0 {
			p.Replace(i, after, s[code:tag])
		}
	}
	return p.String()
}

// spaceRun remembers the last run of white space: many shortcodes may share the one
// behind them.
type spaceRun struct{ from, to int }

// paragraphEnd returns the end of the paragraph if only white space is left of it at
// i; otherwise, or if i is 0, it returns 0.
func (r *spaceRun) paragraphEnd(s string, i int) int {
	if i == 0 {
		return 0
	}
	if r.from != i {
		r.from, r.to = i, markup.SkipSpaces(s, i)
	}
	return paragraphEnd(s, r.to)
}
