package kses

import (
	"html"
	"strings"

	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/scan"
)

// tag filters one tag; "" if the tag is broken or not allowed.
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
	switch {
	case !ok:
		return ""
	case closing:
		return "</" + name + ">"
	}
	if !strings.HasSuffix(token, ">") {
		token += ">"
	}
	var b strings.Builder
	b.WriteString("<" + name)
	list := attributes(token, end)
	if !strings.EqualFold(name, "object") || k.isPDF(list) {
		for _, a := range list {
			if k.allowed.attribute(own, a.name) {
				writeAttribute(&b, a)
			}
		}
	}
	if strings.HasSuffix(strings.TrimRight(token[:len(token)-1], " \t\n\v\f\r"), "/") {
		b.WriteString(" /")
	}
	b.WriteByte('>')
	return b.String()
}

// attribute is an attribute of a tag as a browser reads it.
type attribute struct {
	name  string // in lower case
	value string // without character references
	bare  bool   // no value
}

// attributes reads those of a tag from offset p on. Of attributes with the same name
// the first wins. An unclosed quotation loses them all.
func attributes(tag string, p int) (list []attribute) {
	seen := make(map[string]bool)
	for {
		a, ok := markup.NextAttr(tag, p)
		if !ok && a.End == len(tag) {
			return nil
		}
		if !ok {
			return list
		}
		p = a.End
		if name := scan.LowerASCII(tag[a.Start:a.NameEnd]); !seen[name] {
			seen[name] = true
			list = append(list, attribute{name, html.UnescapeString(tag[a.ValueStart:a.ValueEnd]), a.End == a.NameEnd})
		}
	}
}

var attributeEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "'", "&apos;", `"`, "&quot;")

// writeAttribute writes an allowed attribute, unless its value isn't.
func writeAttribute(b *strings.Builder, a attribute) {
	if a.bare {
		b.WriteString(" " + a.name)
		return
	}
	switch {
	case a.name == "download":
		return // allowed without a value only
	case a.name == "style":
		a.value = safeCSS(a.value)
		if a.value == "" {
			return
		}
	case urlAttributes[a.name]:
		a.value = escape.CutBadProtocol(a.value)
	}
	b.WriteString(" " + a.name + `="` + attributeEscaper.Replace(a.value) + `"`)
}

// isPDF reports whether the attributes of an object element show a PDF file
// from the uploads of the site.
func (k *run) isPDF(list []attribute) bool {
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
