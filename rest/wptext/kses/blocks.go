package kses

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"calbridge/rest/wptext/blockparse"
	"calbridge/rest/wptext/scan"
	"calbridge/wpstore/php"
)

// filterBlocks filters the texts in the attributes of block comments and
// writes these comments anew, as the block editor does: closing comments take
// the name of what they close, a block without content closes itself and what
// is left open is closed at the end. From a stray closing comment on nothing
// is a block any more.
func (k *run) filterBlocks(s string, depth int) string {
	p := scan.Patch{Src: s}
	var open []string // the names of the blocks around the position
	scanner := blockparse.Scanner{S: s}
	for pos := 0; ; {
		d, ok := scanner.Next(pos)
		if !ok || d.Closer && !d.Void && len(open) == 0 {
			break
		}
		pos = d.End
		if d.Closer && !d.Void {
			p.Replace(d.Start, d.End, "<!-- /wp:", open[len(open)-1], " -->")
			open = open[:len(open)-1]
			continue
		}
		end := " -->"
		if d.Void {
			end = " /-->"
		} else if next, ok := scanner.Next(pos); ok && next.Start == pos && next.Closer && !next.Void {
			end = " /-->"
			pos = next.End
		}
		name, attributes := strings.TrimPrefix(d.Name, "core/"), ""
		if attrs := blockparse.DecodeAttrs(d.Attrs); attrs.Len() > 0 {
			attributes = " " + string(appendBlockJSON(nil, k.blockValue(attrs, depth)))
		}
		p.Replace(d.Start, pos, "<!-- wp:", name, attributes, end)
		if end == " -->" {
			open = append(open, name)
		}
	}
	if len(open) == 0 {
		return p.String()
	}
	for i := len(open) - 1; i >= 0; i-- {
		p.Replace(len(s), len(s), "<!-- /wp:", open[i], " -->")
	}
	return p.String()
}

// blockValue filters every text in v.
func (k *run) blockValue(v php.Value, depth int) php.Value {
	switch v := v.(type) {
	case string:
		if k.budget <= 0 || depth >= maxCommentDepth {
			return ""
		}
		return k.filter(v, depth+1)
	case *php.Array:
		for key, item := range v.All() {
			v.Set(key, k.blockValue(item, depth))
		}
	}
	return v
}

// appendBlockJSON writes the attributes of a block as the block editor does:
// JSON without anything that could end the comment or be changed by a filter
// of HTML.
func appendBlockJSON(dst []byte, v php.Value) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case float64:
		return append(dst, php.FormatJSONFloat(v)...)
	case string:
		return appendBlockString(dst, v)
	case *php.Array:
		brackets, list := "{}", v.IsList()
		if list {
			brackets = "[]"
		}
		dst = append(dst, brackets[0])
		first := true
		for key, item := range v.All() {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			if !list {
				dst = append(appendBlockString(dst, key.String()), ':')
			}
			dst = appendBlockJSON(dst, item)
		}
		return append(dst, brackets[1])
	}
	return append(dst, php.ToString(v)...) // a whole number
}

func appendBlockString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\\':
			dst = append(dst, `\\`...)
		case c == '-' && i+1 < len(s) && s[i+1] == '-':
			dst = append(dst, `\u002d\u002d`...)
			i++
		case c < ' ' || c == '"' || c == '&' || c == '<' || c == '>':
			const hex = "0123456789abcdef"
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		case c < utf8.RuneSelf:
			dst = append(dst, c)
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			switch r {
			case '\u2028':
				dst = append(dst, `\u2028`...)
			case '\u2029':
				dst = append(dst, `\u2029`...)
			default:
				dst = append(dst, s[i:i+size]...)
			}
			i += size - 1
		}
	}
	return append(dst, '"')
}
