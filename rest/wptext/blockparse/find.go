package blockparse

import (
	"strings"

	"calbridge/wpstore/php"
)

// Attributes returns an attribute of every block of a name in a post's
// content, inner blocks included, in the order in which they stand. Blocks without
// the attribute are passed over.
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
