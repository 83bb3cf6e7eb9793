package shortcode

import (
	"strings"

	"calbridge/rest/wptext/markup"
)

// Shortcode is one registered shortcode found in a text.
type Shortcode struct {
	start, end int
	Name       string
	Attrs      string // between the name and the closing bracket or slash
	Inner      string // between the opening and the closing tag
	// extraOpen and extraClose mark a further bracket around; both escape the
	// shortcode.
	extraOpen, extraClose bool
}

// Scanner finds shortcodes from left to right in linear time.
type Scanner struct {
	s       string
	names   Set
	bracket markup.Finder
	closers [len(Names)]markup.Finder
}

func NewScanner(s string, names Set) *Scanner {
	c := &Scanner{s: s, names: names, bracket: markup.NewFinder(s, "]")}
	for n, name := range Names {
		if names&(1<<n) != 0 {
			c.closers[n] = markup.NewFinder(s, "[/"+name+"]")
		}
	}
	return c
}

// next finds the first shortcode at or behind from: [name attributes],
// [name attributes /] or [name attributes]text[/name], each perhaps in a further pair
// of brackets. It skips shortcodes inside the text.
func (c *Scanner) next(from int) (Shortcode, bool) {
	for i := markup.IndexFrom(c.s, '[', from); i >= 0; i = markup.IndexFrom(c.s, '[', i+1) {
		if found, ok := c.at(i); ok {
			return found, true
		}
	}
	return Shortcode{}, false
}

func (c *Scanner) at(start int) (found Shortcode, ok bool) {
	s := c.s
	found.start = start
	p := start + 1
	if p < len(s) && s[p] == '[' {
		found.extraOpen = true
		p++
	}
	n := c.NameAt(p)
	if n < 0 {
		return found, false
	}
	found.Name = Names[n]
	p += len(found.Name)
	tag, closed := c.Ends(p, n)
	if tag == 0 {
		return found, false
	}
	found.end = tag
	found.Attrs = s[p : tag-1]
	switch {
	case closed > 0:
		found.Inner = s[tag : closed-len(c.closers[n].What)]
		found.end = closed
	case strings.HasSuffix(found.Attrs, "/"):
		found.Attrs = found.Attrs[:len(found.Attrs)-1]
	}
	if found.end < len(s) && s[found.end] == ']' {
		found.extraClose = true
		found.end++
	}
	return found, true
}

// NameAt returns the index of the shortcode whose name starts at p, or -1.
func (c *Scanner) NameAt(p int) int {
	for n, name := range Names {
		end := p + len(name)
		if c.names&(1<<n) == 0 || end > len(c.s) || c.s[p:end] != name {
			continue
		}
		if end == len(c.s) || !markup.IsWord(c.s[end]) && c.s[end] != '-' {
			return n
		}
	}
	return -1
}

// Ends returns the end of the opening tag of shortcode n, whose name ends at p, and
// the end of its closing tag; 0 means none. A self-closing tag has no closing tag.
// Calls come in rising order of p.
func (c *Scanner) Ends(p, n int) (tag, closed int) {
	bracket := c.bracket.Next(p)
	if bracket < 0 {
		return 0, 0
	}
	tag = bracket + 1
	if c.s[bracket-1] == '/' {
		return tag, 0
	}
	if at := c.closers[n].Next(tag); at >= 0 {
		closed = at + len(c.closers[n].What)
	}
	return tag, closed
}
