package kses

import (
	"html"
	"net/url"
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"
)

// tag filters one tag; "" if the tag is broken or not allowed.
func (k *run) tag(token string) string {
	i := markup.SkipWhite(token, 1)
	closing := i < len(token) && token[i] == '/'
	if closing {
		i = markup.SkipWhite(token, i+1)
	}
	end := i
	for end < len(token) && (markup.IsLetter(token[end]) || markup.IsDigit(token[end]) || token[end] == '-') {
		end++
	}
	name := token[i:end]
	own, ok := k.allowed.elements[markup.LowerASCII(name)]
	switch {
	case !ok || !own.sites.In(k.traits):
		return ""
	case closing:
		return "</" + name + ">"
	}
	if !strings.HasSuffix(token, ">") {
		token += ">"
	}
	var b strings.Builder
	b.Grow(len(token) + len(token)/4)
	b.WriteByte('<')
	b.WriteString(name)
	list := k.attributes(token, end)
	if !strings.EqualFold(name, "object") || k.isPDF(list) {
		for _, a := range list {
			if k.attribute(own.attributes, a.lower) {
				k.writeAttribute(&b, a)
			}
		}
	}
	if strings.HasSuffix(strings.TrimRight(token[:len(token)-1], " \t\n\v\f\r"), "/") {
		b.WriteString(" /")
	}
	b.WriteByte('>')
	return b.String()
}

// attribute is an attribute of a tag.
type attribute struct {
	name  string
	lower string // the name in lower case
	value string
	bare  bool // no value
	quote byte // 0 for a value without character references, otherwise the quotes around it
}

// attributes reads those of a tag from offset p on.
func (k *run) attributes(tag string, p int) []attribute {
	if k.traits.Has(trait.TextBefore70) {
		return writtenAttributes(tag[p : len(tag)-1])
	}
	return parsedAttributes(tag, p)
}

// parsedAttributes reads attributes as a browser does: their names in lower case, their
// values without character references. Of attributes with the same name the first wins. An
// unclosed quotation loses them all.
func parsedAttributes(tag string, p int) (list []attribute) {
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
		if name := markup.LowerASCII(tag[a.Start:a.NameEnd]); !seen[name] {
			seen[name] = true
			list = append(list, attribute{name: name, lower: name, value: html.UnescapeString(tag[a.ValueStart:a.ValueEnd]), bare: a.End == a.NameEnd})
		}
	}
}

// writeAttribute writes an allowed attribute, unless its value isn't.
func (k *run) writeAttribute(b *strings.Builder, a attribute) {
	name, styled := a.lower, false
	switch {
	case a.bare && name == "style":
		return
	case a.bare:
		b.WriteByte(' ')
		b.WriteString(a.name)
		return
	case name == "download":
		return // allowed without a value only
	case name == "style":
		safe := Style(a.value, k.traits)
		if safe == "" {
			return
		}
		styled = safe != a.value
		a.value = safe
	case urlAttributes[name]:
		a.value = escape.CutBadProtocol(a.value)
	}
	value, quote := "", byte('"')
	switch {
	case a.quote != 0:
		value, quote = angles.Replace(a.value), a.quote
	case styled:
		value = k.escape.Attr(a.value)
	default:
		value = escape.TagValue(a.value)
	}
	b.WriteByte(' ')
	b.WriteString(a.name)
	b.WriteByte('=')
	b.WriteByte(quote)
	b.WriteString(value)
	b.WriteByte(quote)
}

// angles removes angle brackets.
var angles = strings.NewReplacer("<", "", ">", "")

// isPDF reports whether the attributes of an object element show a PDF file
// from the uploads of the site.
func (k *run) isPDF(list []attribute) bool {
	data, pdf := false, false
	for _, a := range list {
		switch a.lower {
		case "data":
			data = isUpload(a.value, k.allowed.uploadsURL) && strings.HasSuffix(a.value, ".pdf") && !strings.ContainsAny(a.value, "?#")
		case "type":
			pdf = strings.EqualFold(a.value, "application/pdf")
		}
	}
	return data && pdf
}

// isUpload reports whether an address is on the host of the uploads, over http or https.
func isUpload(address, uploadsURL string) bool {
	u, err := url.Parse(uploadsURL)
	if err != nil || u.Host == "" {
		return false
	}
	return strings.HasPrefix(address, "http://"+u.Host+"/") || strings.HasPrefix(address, "https://"+u.Host+"/")
}
