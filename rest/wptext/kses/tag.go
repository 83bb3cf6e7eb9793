package kses

import (
	"html"
	"strings"

	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/scan"
)

// tag filters one tag; it gives "" if the tag is broken or not allowed.
func (k *run) tag(token string) string {
	i := scan.SkipWhite(token, 1)
	closing := i < len(token) && token[i] == '/'
	if closing {
		i = scan.SkipWhite(token, i+1)
	}
	end := i
	for end < len(token) && (scan.IsLetter(token[end]) || scan.IsDigit(token[end]) || token[end] == '-') {
		end++
	}
	name := token[i:end]
	own, ok := k.allowed.elements[scan.LowerASCII(name)]
	if !ok {
		return ""
	}
	if closing {
		return "</" + name + ">"
	}
	return k.openingTag(name, own, strings.TrimSuffix(token[end:], ">"))
}

// openingTag writes the tag with those of its attributes that are allowed.
func (k *run) openingTag(name string, own map[string]bool, attributes string) string {
	var b strings.Builder
	b.WriteByte('<')
	b.WriteString(name)
	if list, ok := parseAttributes(attributes); ok {
		object := strings.EqualFold(name, "object")
		if !object || k.isPDF(list) {
			for _, a := range list {
				if k.allowed.attribute(own, a.name) {
					k.writeAttribute(&b, a)
				}
			}
		}
	}
	if strings.HasSuffix(strings.TrimRight(attributes, " \t\n\v\f\r"), "/") {
		b.WriteString(" /")
	}
	b.WriteByte('>')
	return b.String()
}

// htmlAttribute is an attribute of a tag as a browser reads it.
type htmlAttribute struct {
	name  string // in lower case
	value string // without character references
	bare  bool   // no value
}

// parseAttributes reads the text of a tag behind its name as a browser does.
// Of attributes with the same name the first wins. It returns false if the
// text ends inside of a quoted value.
func parseAttributes(s string) (list []htmlAttribute, ok bool) {
	seen := make(map[string]bool)
	for i := 0; ; {
		for i < len(s) && (isTagSpace(s[i]) || s[i] == '/') {
			i++
		}
		if i == len(s) {
			return list, true
		}
		start := i
		i++ // an equals sign in front belongs to the name
		for i < len(s) && !isTagSpace(s[i]) && s[i] != '/' && s[i] != '=' {
			i++
		}
		a := htmlAttribute{name: scan.LowerASCII(s[start:i]), bare: true}
		if next := skipTagSpace(s, i); next < len(s) && s[next] == '=' {
			a.bare = false
			a.value, i, ok = attributeValue(s, skipTagSpace(s, next+1))
			if !ok {
				return nil, false
			}
		}
		if !seen[a.name] {
			seen[a.name] = true
			list = append(list, a)
		}
	}
}

// attributeValue reads the value at i and returns it decoded, with its end.
func attributeValue(s string, i int) (value string, end int, ok bool) {
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		end := scan.IndexFrom(s, s[i], i+1)
		if end < 0 {
			return "", 0, false
		}
		return html.UnescapeString(s[i+1 : end]), end + 1, true
	}
	end = i
	for end < len(s) && !isTagSpace(s[end]) {
		end++
	}
	return html.UnescapeString(s[i:end]), end, true
}

// isTagSpace is white space in HTML.
func isTagSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' }

func skipTagSpace(s string, i int) int {
	for i < len(s) && isTagSpace(s[i]) {
		i++
	}
	return i
}

var attributeEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "'", "&apos;", `"`, "&quot;")

// writeAttribute writes an allowed attribute, unless its value is not.
func (k *run) writeAttribute(b *strings.Builder, a htmlAttribute) {
	if a.bare {
		b.WriteByte(' ')
		b.WriteString(a.name)
		return
	}
	value := a.value
	switch {
	case a.name == "download":
		return // allowed without a value only
	case a.name == "style":
		value = safeCSS(value)
		if value == "" {
			return
		}
	case urlAttributes[a.name]:
		value = escape.CutBadProtocol(value)
	}
	b.WriteByte(' ')
	b.WriteString(a.name)
	b.WriteString(`="`)
	attributeEscaper.WriteString(b, value)
	b.WriteByte('"')
}

// isPDF reports whether the attributes of an object element show a PDF file
// from the uploads of the site.
func (k *run) isPDF(list []htmlAttribute) bool {
	data, pdf := false, false
	for _, a := range list {
		switch a.name {
		case "data":
			data = k.allowed.uploadsURL != "" && strings.HasPrefix(a.value, k.allowed.uploadsURL+"/") &&
				strings.HasSuffix(a.value, ".pdf") && !strings.ContainsAny(a.value, "?#")
		case "type":
			pdf = strings.EqualFold(a.value, "application/pdf")
		}
	}
	return data && pdf
}
