package shortcode

import (
	"strings"

	"calbridge/rest/wptext/scan"
)

// Shortcode is one registered shortcode found in a text.
type Shortcode struct {
	start, end int
	Name       string
	Attrs      string // between the name and the closing bracket or slash
	Inner      string // between the opening and the closing tag
	// extraOpen and extraClose tell of a further bracket around; both together
	// escape the shortcode.
	extraOpen, extraClose bool
}

// Scanner finds shortcodes from left to right in linear time.
type Scanner struct {
	s       string
	names   Set
	bracket scan.Finder
	closers [len(Names)]scan.Finder
}

func NewScanner(s string, names Set) *Scanner {
	c := &Scanner{s: s, names: names, bracket: scan.NewFinder(s, "]")}
	for n, name := range Names {
		if names&(1<<n) != 0 {
			c.closers[n] = scan.NewFinder(s, "[/"+name+"]")
		}
	}
	return c
}

// next finds the first shortcode at or behind from: [name attributes],
// [name attributes /] or [name attributes]text[/name], each perhaps in a
// further pair of brackets. Of the shortcodes between an opening tag and the
// first closing tag of the same name nothing is told.
func (c *Scanner) next(from int) (Shortcode, bool) {
	for {
		i := strings.IndexByte(c.s[from:], '[')
		if i < 0 {
			return Shortcode{}, false
		}
		if found, ok := c.at(from + i); ok {
			return found, true
		}
		from += i + 1
	}
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
	end := c.bracket.Next(p)
	if end < 0 {
		return found, false
	}
	found.end = end + 1
	if end > p && s[end-1] == '/' {
		found.Attrs = s[p : end-1]
	} else {
		found.Attrs = s[p:end]
		if closer := c.closers[n].Next(end + 1); closer >= 0 {
			found.Inner = s[end+1 : closer]
			found.end = closer + len(found.Name) + 3
		}
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
		if end == len(c.s) || !scan.IsWord(c.s[end]) && c.s[end] != '-' {
			return n
		}
	}
	return -1
}
