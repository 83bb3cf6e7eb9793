package wptext

import "strings"

// htmlTag is an opening tag found in HTML.
type htmlTag struct {
	start, end int    // the tag with its brackets
	name       string // in lower case
	attrs      int    // offset behind the name
}

// nextTag finds the first opening tag at or behind from as a browser would:
// comments and the contents of script, style, textarea and title are skipped,
// quoted attribute values may hold ">". An unfinished tag ends the search.
func nextTag(s string, from int) (htmlTag, bool) {
	for {
		i := strings.IndexByte(s[from:], '<')
		if i < 0 {
			return htmlTag{}, false
		}
		start := from + i
		switch {
		case strings.HasPrefix(s[start:], "<!--"):
			end := strings.Index(s[start+2:], "-->")
			if end < 0 {
				return htmlTag{}, false
			}
			from = start + 2 + end + 3
		case start+1 < len(s) && isLetter(s[start+1]):
			return tagAt(s, start)
		default:
			from = start + 1
		}
	}
}

// tagAt reads the opening tag at start.
func tagAt(s string, start int) (htmlTag, bool) {
	p := start + 1
	for p < len(s) && !isSpace(s[p]) && s[p] != '/' && s[p] != '>' {
		p++
	}
	tag := htmlTag{start: start, name: strings.ToLower(s[start+1 : p]), attrs: p}
	for {
		attr, ok := nextAttr(s, p)
		if !ok {
			if attr.end >= len(s) {
				return tag, false
			}
			tag.end = attr.end + 1
			return tag, true
		}
		p = attr.end
	}
}

// after returns where the search for the next tag goes on.
func (t htmlTag) after(s string) int {
	switch t.name {
	case "script", "style", "textarea", "title":
		if i := indexFold(s[t.end:], "</"+t.name); i >= 0 {
			return t.end + i
		}
		return len(s)
	}
	return t.end
}

// tagAttr is one attribute of a tag, as offsets into the text.
type tagAttr struct {
	start, end           int
	nameEnd              int
	valueStart, valueEnd int // equal to end when there is no value
	quote                byte
}

// nextAttr reads the attribute at or behind p. ok is false at the end of the
// tag; end is then the offset of its ">" or the length of s.
func nextAttr(s string, p int) (a tagAttr, ok bool) {
	for p < len(s) && (isSpace(s[p]) || s[p] == '/') {
		p++
	}
	if p >= len(s) || s[p] == '>' {
		return tagAttr{start: p, end: p}, false
	}
	a.start = p
	for p++; p < len(s) && !isSpace(s[p]) && s[p] != '/' && s[p] != '>' && s[p] != '='; p++ {
	}
	a.nameEnd, a.end, a.valueStart, a.valueEnd = p, p, p, p
	q := skipWhite(s, p)
	if q >= len(s) || s[q] != '=' {
		return a, true
	}
	q = skipWhite(s, q+1)
	if q < len(s) && (s[q] == '"' || s[q] == '\'') {
		a.quote = s[q]
		a.valueStart = q + 1
		i := strings.IndexByte(s[q+1:], a.quote)
		if i < 0 {
			return tagAttr{start: len(s), end: len(s)}, false
		}
		a.valueEnd = q + 1 + i
		a.end = a.valueEnd + 1
		return a, true
	}
	a.valueStart = q
	for q < len(s) && !isSpace(s[q]) && s[q] != '>' {
		q++
	}
	a.valueEnd, a.end = q, q
	return a, true
}

// attr finds the first attribute with the given lower-case name.
func (t htmlTag) attr(s, name string) (tagAttr, bool) {
	for p := t.attrs; ; {
		a, ok := nextAttr(s, p)
		if !ok {
			return a, false
		}
		if strings.EqualFold(s[a.start:a.nameEnd], name) {
			return a, true
		}
		p = a.end
	}
}

func (t htmlTag) value(s, name string) string {
	a, ok := t.attr(s, name)
	if !ok {
		return ""
	}
	return s[a.valueStart:a.valueEnd]
}

// firstTag finds the first opening tag whose name is one of names, or any tag
// when no names are given.
func firstTag(s string, names ...string) (htmlTag, bool) {
	for pos := 0; ; {
		tag, ok := nextTag(s, pos)
		if !ok || len(names) == 0 {
			return tag, ok
		}
		for _, name := range names {
			if tag.name == name {
				return tag, true
			}
		}
		pos = tag.after(s)
	}
}

// addClass adds class names to a tag of s, each unless it is there already. They
// go to the end of the attribute class, or into a new one right behind the name
// of the tag.
func addClass(s string, tag htmlTag, classes ...string) string {
	a, ok := tag.attr(s, "class")
	var value string
	if ok {
		value = s[a.valueStart:a.valueEnd]
	}
	changed := value
	for _, class := range classes {
		if !hasClass(changed, class) {
			if changed = strings.TrimRight(changed, " \t\n\f\r"); changed != "" {
				changed += " "
			}
			changed += class
		}
	}
	switch {
	case changed == value:
		return s
	case !ok:
		return s[:tag.attrs] + ` class="` + changed + `"` + s[tag.attrs:]
	}
	return s[:a.start] + `class="` + strings.ReplaceAll(changed, `"`, "&quot;") + `"` + s[a.end:]
}

func hasClass(classes, class string) bool {
	for c := range strings.FieldsSeq(classes) {
		if c == class {
			return true
		}
	}
	return false
}

// setFirstAttr sets an attribute of a tag: in its place when the tag has it,
// otherwise as the first one. The value must be escaped.
func setFirstAttr(s string, tag htmlTag, name, value string) string {
	text := name + `="` + value + `"`
	if a, ok := tag.attr(s, name); ok {
		return s[:a.start] + text + s[a.end:]
	}
	return s[:tag.attrs] + " " + text + s[tag.attrs:]
}
