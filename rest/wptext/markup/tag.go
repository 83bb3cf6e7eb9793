package markup

import (
	"strings"

	"calbridge/rest/wptext/scan"
)

// Tag is an opening tag found in HTML.
type Tag struct {
	start, End int    // the tag with its brackets
	Name       string // in lower case
	attrs      int    // offset behind the name
}

// NextTag finds the first opening tag at or behind from as a browser would:
// comments and the contents of script, style, textarea and title are skipped,
// quoted attribute values may hold ">". An unfinished tag ends the search.
func NextTag(s string, from int) (Tag, bool) {
	for {
		i := strings.IndexByte(s[from:], '<')
		if i < 0 {
			return Tag{}, false
		}
		start := from + i
		switch {
		case strings.HasPrefix(s[start:], "<!--"):
			end := strings.Index(s[start+2:], "-->")
			if end < 0 {
				return Tag{}, false
			}
			from = start + 2 + end + 3
		case start+1 < len(s) && scan.IsLetter(s[start+1]):
			return tagAt(s, start)
		default:
			from = start + 1
		}
	}
}

// tagAt reads the opening tag at start.
func tagAt(s string, start int) (Tag, bool) {
	p := start + 1
	for p < len(s) && !scan.IsSpace(s[p]) && s[p] != '/' && s[p] != '>' {
		p++
	}
	tag := Tag{start: start, Name: strings.ToLower(s[start+1 : p]), attrs: p}
	for {
		attr, ok := NextAttr(s, p)
		if !ok {
			if attr.End >= len(s) {
				return tag, false
			}
			tag.End = attr.End + 1
			return tag, true
		}
		p = attr.End
	}
}

// After returns where the search for the next tag goes on.
func (t Tag) After(s string) int {
	switch t.Name {
	case "script", "style", "textarea", "title":
		if i := scan.IndexFold(s[t.End:], "</"+t.Name); i >= 0 {
			return t.End + i
		}
		return len(s)
	}
	return t.End
}

// Attr is one attribute of a tag, as offsets into the text.
type Attr struct {
	Start, End           int
	nameEnd              int
	ValueStart, ValueEnd int // equal to end when there is no value
	Quote                byte
}

// NextAttr reads the attribute at or behind p. ok is false at the end of the
// tag; end is then the offset of its ">" or the length of s.
func NextAttr(s string, p int) (a Attr, ok bool) {
	for p < len(s) && (scan.IsSpace(s[p]) || s[p] == '/') {
		p++
	}
	if p >= len(s) || s[p] == '>' {
		return Attr{Start: p, End: p}, false
	}
	a.Start = p
	for p++; p < len(s) && !scan.IsSpace(s[p]) && s[p] != '/' && s[p] != '>' && s[p] != '='; p++ {
	}
	a.nameEnd, a.End, a.ValueStart, a.ValueEnd = p, p, p, p
	q := scan.SkipWhite(s, p)
	if q >= len(s) || s[q] != '=' {
		return a, true
	}
	q = scan.SkipWhite(s, q+1)
	if q < len(s) && (s[q] == '"' || s[q] == '\'') {
		a.Quote = s[q]
		a.ValueStart = q + 1
		i := strings.IndexByte(s[q+1:], a.Quote)
		if i < 0 {
			return Attr{Start: len(s), End: len(s)}, false
		}
		a.ValueEnd = q + 1 + i
		a.End = a.ValueEnd + 1
		return a, true
	}
	a.ValueStart = q
	for q < len(s) && !scan.IsSpace(s[q]) && s[q] != '>' {
		q++
	}
	a.ValueEnd, a.End = q, q
	return a, true
}

// Attr finds the first attribute with the given lower-case name.
func (t Tag) Attr(s, name string) (Attr, bool) {
	for p := t.attrs; ; {
		a, ok := NextAttr(s, p)
		if !ok {
			return a, false
		}
		if strings.EqualFold(s[a.Start:a.nameEnd], name) {
			return a, true
		}
		p = a.End
	}
}

func (t Tag) Value(s, name string) string {
	a, ok := t.Attr(s, name)
	if !ok {
		return ""
	}
	return s[a.ValueStart:a.ValueEnd]
}

// FirstTag finds the first opening tag whose name is one of names, or any tag
// when no names are given.
func FirstTag(s string, names ...string) (Tag, bool) {
	for pos := 0; ; {
		tag, ok := NextTag(s, pos)
		if !ok || len(names) == 0 {
			return tag, ok
		}
		for _, name := range names {
			if tag.Name == name {
				return tag, true
			}
		}
		pos = tag.After(s)
	}
}

// AddClass adds class names to a tag of s, each unless it is there already. They
// go to the end of the attribute class, or into a new one right behind the name
// of the tag.
func AddClass(s string, tag Tag, classes ...string) string {
	a, ok := tag.Attr(s, "class")
	var value string
	if ok {
		value = s[a.ValueStart:a.ValueEnd]
	}
	changed := value
	for _, class := range classes {
		if !HasClass(changed, class) {
			changed = strings.TrimRight(changed, " \t\n\f\r")
			if changed != "" {
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
	return s[:a.Start] + `class="` + strings.ReplaceAll(changed, `"`, "&quot;") + `"` + s[a.End:]
}

func HasClass(classes, class string) bool {
	for c := range strings.FieldsSeq(classes) {
		if c == class {
			return true
		}
	}
	return false
}

// SetFirstAttr sets an attribute of a tag: in its place when the tag has it,
// otherwise as the first one. The value must be escaped.
func SetFirstAttr(s string, tag Tag, name, value string) string {
	text := name + `="` + value + `"`
	if a, ok := tag.Attr(s, name); ok {
		return s[:a.Start] + text + s[a.End:]
	}
	return s[:tag.attrs] + " " + text + s[tag.attrs:]
}
