package wptext

import (
	"calbridge/rest/phpjson"
	"calbridge/wpstore/php"
)

// decodeBlockAttrs reads the attributes of a block comment; nil when there are
// none or they do not decode.
func decodeBlockAttrs(text string) *php.Array {
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

// asArray returns the array that WordPress makes of a parsed block.
func (b *block) asArray() *php.Array {
	var name php.Value
	if b.name != "" {
		name = b.name
	}
	inner, content := &php.Array{}, &php.Array{}
	for _, part := range b.parts {
		if part.inner != nil {
			inner.Append(part.inner.asArray())
			content.Append(nil)
		} else {
			content.Append(part.text)
		}
	}
	out := &php.Array{}
	out.SetString("blockName", name)
	out.SetString("attrs", b.attrs)
	out.SetString("innerBlocks", inner)
	out.SetString("innerHTML", b.text())
	out.SetString("innerContent", content)
	return out
}
