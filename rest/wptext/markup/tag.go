package markup

import (
	"iter"
	"slices"
	"strings"
)

// Tag is an opening tag found in HTML.
type Tag struct {
	Name  string // in lower case
	End   int    // offset behind the tag
	attrs int    // offset behind the name
}

// Tags yields the opening tags of s as a browser finds them: not in comments and in the
// text of script, style, textarea and title. Quoted attribute values may hold ">". An
// unfinished tag ends the search.
func Tags(s string) iter.Seq[Tag] {
	return func(yield func(Tag) bool) {
		tag, ok := nextTag(s, 0)
		for ok && yield(tag) {
			tag, ok = nextTag(s, tag.after(s))
		}
	}
}

func nextTag(s string, from int) (Tag, bool) {
	for {
		start := IndexFrom(s, '<', from)
		if start < 0 {
			return Tag{}, false
		}
		if start+1 < len(s) && IsLetter(s[start+1]) {
			return tagAt(s, start)
		}
		from = start + 1
		if strings.HasPrefix(s[start:], "<!--") {
			_, from = NextToken(s, start, false)
		}
	}
}

// tagAt reads the opening tag at start.
func tagAt(s string, start int) (Tag, bool) {
	p := start + 1
	for p < len(s) && !isSpace(s[p]) && s[p] != '/' && s[p] != '>' {
		p++
	}
	tag := Tag{Name: strings.ToLower(s[start+1 : p]), attrs: p}
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

// after returns where the search for the next tag goes on.
func (t Tag) after(s string) int {
	switch t.Name {
	case "script", "style", "textarea", "title":
		if i := IndexFold(s[t.End:], "</"+t.Name); i >= 0 {
			return t.End + i
		}
		return len(s)
	}
	return t.End
}

// Attr is one attribute of a tag, as offsets into the text.
type Attr struct {
	Start, NameEnd, End  int
	ValueStart, ValueEnd int // both equal to End without a value
	Quote                byte
}

// isSpace reports whether c is white space in HTML; unlike \s it has no vertical tab.
func isSpace(c byte) bool { return c != '\v' && IsSpace(c) }

func skipSpace(s string, p int) int {
	for p < len(s) && isSpace(s[p]) {
		p++
	}
	return p
}

// NextAttr reads the attribute at or behind p. ok is false at the end of the tag;
// End is then the offset of its ">", or the length of s when s or a quotation
// ends before the tag.
func NextAttr(s string, p int) (a Attr, ok bool) {
	for p < len(s) && (isSpace(s[p]) || s[p] == '/') {
		p++
	}
	if p >= len(s) || s[p] == '>' {
		return Attr{Start: p, End: p}, false
	}
	a.Start = p
	for p++; p < len(s) && !isSpace(s[p]) && s[p] != '/' && s[p] != '>' && s[p] != '='; p++ {
	}
	a.NameEnd, a.End, a.ValueStart, a.ValueEnd = p, p, p, p
	q := skipSpace(s, p)
	if q >= len(s) || s[q] != '=' {
		return a, true
	}
	q = skipSpace(s, q+1)
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
	for q < len(s) && !isSpace(s[q]) && s[q] != '>' {
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
		if strings.EqualFold(s[a.Start:a.NameEnd], name) {
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
	tag, ok := nextTag(s, 0)
	for ok && len(names) > 0 && !slices.Contains(names, tag.Name) {
		tag, ok = nextTag(s, tag.after(s))
	}
	return tag, ok
}

// AddClass adds those class names to a tag of s that it doesn't have yet: at the
// end of the attribute class, or in a new one right behind the name of the tag.
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

// SetFirstAttr sets an attribute of a tag, in place or else as the first one. The
// value must be escaped.
func SetFirstAttr(s string, tag Tag, name, value string) string {
	text := name + `="` + value + `"`
	if a, ok := tag.Attr(s, name); ok {
		return s[:a.Start] + text + s[a.End:]
	}
	return s[:tag.attrs] + " " + text + s[tag.attrs:]
}

// Setting is an attribute to be written, with its value escaped. Without a value only its
// name is.
type Setting struct {
	Name, Value string
	Bare        bool
}

func (a Setting) text() string {
	if a.Bare {
		return a.Name
	}
	return a.Name + `="` + a.Value + `"`
}

// SetAttrs sets attributes of a tag of s as WordPress's tag processor does: in their places,
// or else behind the name of the tag in the order of their names.
func SetAttrs(s string, tag Tag, settings ...Setting) string {
	slices.SortFunc(settings, func(a, b Setting) int { return strings.Compare(a.Name, b.Name) })
	type change struct {
		start, end int
		text       string
	}
	var added strings.Builder
	var changes []change
	for _, setting := range settings {
		if a, ok := tag.Attr(s, setting.Name); ok {
			changes = append(changes, change{a.Start, a.End, setting.text()})
		} else {
			added.WriteString(" " + setting.text())
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return a.start - b.start })
	p := Patch{Src: s}
	if added.Len() > 0 {
		p.Replace(tag.attrs, tag.attrs, added.String())
	}
	for _, c := range changes {
		p.Replace(c.start, c.end, c.text)
	}
	return p.String()
}
