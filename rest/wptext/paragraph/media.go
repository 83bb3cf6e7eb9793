package paragraph

import (
	"strings"

	"calbridge/rest/wptext/scan"
)

// tightenMedia removes the white space around the parts of select lists,
// objects, media players and captions, so that no paragraph or line break
// comes to stand between them.
func tightenMedia(s string) string {
	if strings.Contains(s, "<option") {
		s = trimAround(s, true, false, literal("<option"))
		s = trimAround(s, false, true, literal("</option>"))
	}
	if strings.Contains(s, "</object>") {
		s = trimAround(s, false, true, tagOf("<", ">", "object"))
		s = trimAround(s, true, false, literal("</object>"))
		s = trimAround(s, true, true, tagOf("<", ">", "param", "embed", "/param", "/embed"))
	}
	if strings.Contains(s, "<source") || strings.Contains(s, "<track") {
		s = trimAround(s, false, true, tagOf("<[", ">]", "audio", "video"))
		s = trimAround(s, true, false, closedMedia)
		s = trimAround(s, true, true, tagOf("<", ">", "source", "track"))
	}
	if strings.Contains(s, "<figcaption") {
		s = trimAround(s, true, false, tagOf("<", ">", "figcaption"))
		s = trimAround(s, false, true, literal("</figcaption>"))
	}
	return s
}

// search returns the bounds of the first hit in s at or behind from; start is
// negative when there is none.
type search func(s string, from int) (start, end int)

// trimAround removes the white space before and behind, as asked, of each hit.
func trimAround(s string, before, behind bool, next search) string {
	p := scan.Patch{Src: s}
	for pos := 0; ; {
		start, end := next(s, pos)
		if start < 0 {
			return p.String()
		}
		if before {
			if white := scan.WhiteBefore(s, start, pos); white < start {
				p.Replace(white, start)
			}
		}
		pos = end
		if behind {
			pos = scan.SkipWhite(s, end)
			if pos > end {
				p.Replace(end, pos)
			}
		}
	}
}

func literal(what string) search {
	return func(s string, from int) (int, int) {
		n := strings.Index(s[from:], what)
		if n < 0 {
			return -1, -1
		}
		return from + n, from + n + len(what)
	}
}

// tagOf finds a tag that begins with one of the characters openers and then
// one of the names, and ends at the first of the characters closers.
func tagOf(openers, closers string, names ...string) search {
	return func(s string, from int) (int, int) {
		for {
			n := strings.IndexAny(s[from:], openers)
			if n < 0 {
				return -1, -1
			}
			start := from + n
			from = start + 1
			if !startsWithAny(s[from:], names...) {
				continue
			}
			end := strings.IndexAny(s[from:], closers)
			if end < 0 {
				return -1, -1
			}
			return start, from + end + 1
		}
	}
}

// closedMedia finds the closing tag or shortcode of audio and video.
func closedMedia(s string, from int) (int, int) {
	for {
		n := strings.IndexAny(s[from:], "<[")
		if n < 0 {
			return -1, -1
		}
		start := from + n
		from = start + 1
		const size = len("/audio>")
		if startsWithAny(s[from:], "/audio>", "/audio]", "/video>", "/video]") {
			return start, from + size
		}
	}
}
