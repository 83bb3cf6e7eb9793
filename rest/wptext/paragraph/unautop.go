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
	u := newUnautop(s)
	return eachParagraph(s, func(p *scan.Patch, i int) int {
		code := scan.SkipSpaces(s, i+len("<p>"))
		name := u.shortcodeAt(code)
		if name < 0 {
			return 0
		}
		end, closing := u.bounds(code, name)
		if after := u.behindClosing.paragraphEnd(s, closing); after > 0 {
			p.Replace(i, after, s[code:closing])
			return after
		}
		after := u.behindOpening.paragraphEnd(s, end)
		if after > 0 {
			p.Replace(i, after, s[code:end])
		}
		return after
	})
}

// unautop holds the searches over one text.
type unautop struct {
	s        string
	bracket  scan.Finder
	closings [len(shortcode.Names)]scan.Finder

	behindOpening, behindClosing spaceRun
}

func newUnautop(s string) *unautop {
	u := &unautop{s: s, bracket: scan.NewFinder(s, "]")}
	for n, name := range shortcode.Names {
		u.closings[n] = scan.NewFinder(s, "[/"+name+"]")
	}
	return u
}

// shortcodeAt returns which shortcode's opening tag starts at i, or -1.
func (u *unautop) shortcodeAt(i int) int {
	if i >= len(u.s) || u.s[i] != '[' {
		return -1
	}
	rest := u.s[i+1:]
	for n, name := range shortcode.Names {
		if strings.HasPrefix(rest, name) &&
			(len(rest) == len(name) || !scan.IsWord(rest[len(name)]) && rest[len(name)] != '-') {
			return n
		}
	}
	return -1
}

// bounds returns the end of the opening tag at i of shortcode n, and the end
// of the closing tag if there is one; 0 stands for none.
func (u *unautop) bounds(i, n int) (end, closing int) {
	bracket := u.bracket.Next(i)
	if bracket < 0 {
		return 0, 0
	}
	end = bracket + 1
	if u.s[bracket-1] == '/' {
		return end, 0
	}
	if at := u.closings[n].Next(end); at >= 0 {
		closing = at + len(u.closings[n].What)
	}
	return end, closing
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
