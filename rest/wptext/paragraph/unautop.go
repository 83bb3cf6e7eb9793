package paragraph

import (
	"strings"

	"calbridge/rest/wptext/scan"
	"calbridge/rest/wptext/shortcode"
)

// ShortcodeUnautop is WordPress's shortcode_unautop: it takes the paragraph
// away around a registered shortcode that is all the paragraph holds.
func ShortcodeUnautop(s string) string {
	if strings.IndexByte(s, '[') < 0 {
		return s
	}
	scanner := shortcode.NewScanner(s, shortcode.All)
	var behindTag, behindClosed spaceRun
	return eachParagraph(s, func(p *scan.Patch, i int) int {
		code := scan.SkipSpaces(s, i+len("<p>"))
		if code == len(s) || s[code] != '[' {
			return 0
		}
		name := scanner.NameAt(code + 1)
		if name < 0 {
			return 0
		}
		tag, closed := scanner.Ends(code+1+len(shortcode.Names[name]), name)
		if after := behindClosed.paragraphEnd(s, closed); after > 0 {
			p.Replace(i, after, s[code:closed])
			return after
		}
		after := behindTag.paragraphEnd(s, tag)
		if after > 0 {
			p.Replace(i, after, s[code:tag])
		}
		return after
	})
}

// spaceRun remembers the last run of white space, which many shortcodes may
// have behind them in common.
type spaceRun struct{ from, to int }

// paragraphEnd returns the end of the paragraph if nothing but white space is
// left of it at i; 0 if there is more, or if i is 0.
func (r *spaceRun) paragraphEnd(s string, i int) int {
	if i == 0 {
		return 0
	}
	if r.from != i {
		r.from, r.to = i, scan.SkipSpaces(s, i)
	}
	if strings.HasPrefix(s[r.to:], "</p>") {
		return r.to + len("</p>")
	}
	return 0
}
