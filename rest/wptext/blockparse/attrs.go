package blockparse

import (
	"strings"

	"calbridge/rest/phpjson"
	"calbridge/wpstore/php"
)

// DecodeAttrs reads the attributes of a block comment; nil without valid ones.
func DecodeAttrs(text string) *php.Array {
	if text == "" {
		return nil
	}
	v, err := phpjson.Decode([]byte(text))
	if err != nil {
		return nil
	}
	attrs, _ := v.(*php.Array)
	return attrs
}

// AsArray returns the array that WordPress makes of a parsed block.
func (b *Block) AsArray() *php.Array {
	var name php.Value
	if b.Name != "" {
		name = b.Name
	}
	inner, content := &php.Array{}, &php.Array{}
	for _, part := range b.Parts {
		if part.Inner != nil {
			inner.Append(part.Inner.AsArray())
			content.Append(nil)
		} else {
			content.Append(part.Text)
		}
	}
	out := &php.Array{}
	out.SetString("blockName", name)
	out.SetString("attrs", b.Attrs)
	out.SetString("innerBlocks", inner)
	out.SetString("innerHTML", b.Text())
	out.SetString("innerContent", content)
	return out
}

// Attributes returns an attribute of every block of a name in a post's content that
// has it, inner blocks included, in order.
func Attributes(content, name, attribute string) []php.Value {
	if !strings.Contains(content, "<!-- wp:"+strings.TrimPrefix(name, "core/")) {
		return nil
	}
	var out []php.Value
	var walk func([]*Block)
	walk = func(blocks []*Block) {
		for _, b := range blocks {
			if b.Name == name {
				if v := b.Attr(attribute); v != nil {
					out = append(out, v)
				}
			}
			walk(b.Inner())
		}
	}
	walk(Parse(content))
	return out
}
