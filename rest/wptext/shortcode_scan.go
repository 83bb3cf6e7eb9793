package wptext

import "strings"

// shortcode is one registered shortcode found in a text.
type shortcode struct {
	start, end int
	name       string
	attrs      string // between the name and the closing bracket or slash
	inner      string // between the opening and the closing tag
	// extraOpen and extraClose tell of a further bracket around; both together
	// escape the shortcode.
	extraOpen, extraClose bool
}

// shortcodeScanner finds shortcodes from left to right in linear time.
type shortcodeScanner struct {
	s       string
	names   shortcodeSet
	bracket finder
	closers [len(shortcodeNames)]finder
}

func newShortcodeScanner(s string, names shortcodeSet) *shortcodeScanner {
	c := &shortcodeScanner{s: s, names: names, bracket: newFinder(s, "]")}
	for n, name := range shortcodeNames {
		if names&(1<<n) != 0 {
			c.closers[n] = newFinder(s, "[/"+name+"]")
		}
	}
	return c
}

// next finds the first shortcode at or behind from: [name attributes],
// [name attributes /] or [name attributes]text[/name], each perhaps in a
// further pair of brackets. Of the shortcodes between an opening tag and the
// first closing tag of the same name nothing is told.
func (c *shortcodeScanner) next(from int) (shortcode, bool) {
	for {
		i := strings.IndexByte(c.s[from:], '[')
		if i < 0 {
			return shortcode{}, false
		}
		if found, ok := c.at(from + i); ok {
			return found, true
		}
		from += i + 1
	}
}

func (c *shortcodeScanner) at(start int) (found shortcode, ok bool) {
	s := c.s
	found.start = start
	p := start + 1
	if p < len(s) && s[p] == '[' {
		found.extraOpen = true
		p++
	}
	n := c.nameAt(p)
	if n < 0 {
		return found, false
	}
	found.name = shortcodeNames[n]
	p += len(found.name)
	end := c.bracket.next(p)
	if end < 0 {
		return found, false
	}
	found.end = end + 1
	if end > p && s[end-1] == '/' {
		found.attrs = s[p : end-1]
	} else {
		found.attrs = s[p:end]
		if closer := c.closers[n].next(end + 1); closer >= 0 {
			found.inner = s[end+1 : closer]
			found.end = closer + len(found.name) + 3
		}
	}
	if found.end < len(s) && s[found.end] == ']' {
		found.extraClose = true
		found.end++
	}
	return found, true
}

// nameAt returns the index of the shortcode whose name starts at p, or -1.
func (c *shortcodeScanner) nameAt(p int) int {
	for n, name := range shortcodeNames {
		end := p + len(name)
		if c.names&(1<<n) == 0 || end > len(c.s) || c.s[p:end] != name {
			continue
		}
		if end == len(c.s) || !isWord(c.s[end]) && c.s[end] != '-' {
			return n
		}
	}
	return -1
}
