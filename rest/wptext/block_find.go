package wptext

import (
	"strings"

	"calbridge/wpstore/php"
)

// BlockAttributes returns an attribute of every block of a name in a post's
// content, inner blocks included, in the order in which they stand. Blocks without
// the attribute are passed over.
func BlockAttributes(content, name, attribute string) []php.Value {
	if !strings.Contains(content, "<!-- wp:"+strings.TrimPrefix(name, "core/")) {
		return nil
	}
	var out []php.Value
	var walk func([]*block)
	walk = func(blocks []*block) {
		for _, b := range blocks {
			if b.name == name {
				if v := b.attr(attribute); v != nil {
					out = append(out, v)
				}
			}
			walk(b.inner())
		}
	}
	walk(parseBlocks(content))
	return out
}
