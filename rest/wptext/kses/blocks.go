package kses

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext/blockparse"
	"calbridge/rest/wptext/markup"
	"calbridge/wpstore/php"
)

// filterBlocks filters the texts in the attributes of block comments and rewrites
// these comments as the block editor does: closing comments take the name of what
// they close, a block without content closes itself and open blocks are closed at
// the end. Nothing behind a stray closing comment is a block.
func (k *run) filterBlocks(s string, depth int) string {
	p := markup.Patch{Src: s}
	var open []string // names of the blocks around the position
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
			attributes = " " + string(blockEscaperOf(k.traits).appendJSON(nil, k.blockValue(attrs, depth)))
		}
		p.Replace(d.Start, pos, "<!-- wp:", name, attributes, end)
		if end == " -->" {
			open = append(open, name)
		}
	}
	for _, name := range slices.Backward(open) {
		p.Replace(len(s), len(s), "<!-- /wp:", name, " -->")
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

// appendJSON writes the attributes of a block as the block editor does: JSON
// without anything that could end the comment or that an HTML filter could change.
func (e blockEscaper) appendJSON(dst []byte, v php.Value) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case float64:
		return append(dst, php.FormatJSONFloat(v)...)
	case string:
		return e.appendString(dst, v)
	case *php.Array:
		brackets, list := "{}", v.IsList()
		if list {
			brackets = "[]"
		}
		separator := brackets[0]
		for key, item := range v.All() {
			dst = append(dst, separator)
			separator = ','
			if !list {
				dst = append(e.appendString(dst, key.String()), ':')
			}
			dst = e.appendJSON(dst, item)
		}
		if v.Len() == 0 {
			dst = append(dst, separator)
		}
		return append(dst, brackets[1])
	}
	return append(dst, php.ToString(v)...) // a whole number
}

func (e blockEscaper) appendString(dst []byte, s string) []byte {
	return append(append(append(dst, '"'), e.Replace(s)...), '"')
}

// blockEscaper escapes a text for the attributes of a block.
type blockEscaper struct{ *strings.Replacer }

// blockEscaperOf returns the escaper of a site.
func blockEscaperOf(traits trait.Set) blockEscaper {
	if traits.Has(trait.TextBefore69) {
		return pastBlockEscaper
	}
	return newestBlockEscaper
}

var newestBlockEscaper, pastBlockEscaper = newBlockEscaper(`\u005c`), newBlockEscaper(`\\`)

func newBlockEscaper(backslash string) blockEscaper {
	pairs := []string{`\`, backslash, "\n", `\n`, "\r", `\r`, "\t", `\t`, "--", `\u002d\u002d`, "\u2028", `\u2028`, "\u2029", `\u2029`}
	for c := range byte('?') {
		if c < ' ' || strings.IndexByte(`"&<>`, c) >= 0 {
			pairs = append(pairs, string(c), fmt.Sprintf(`\u%04x`, c))
		}
	}
	return blockEscaper{strings.NewReplacer(pairs...)}
}
