package paragraph

import (
	"slices"
	"strings"

	"calbridge/rest/wptext/markup"
)

// blockNames are the elements that make paragraphs of their own.
var blockNames = markup.WordSet(`table thead tfoot caption col colgroup tbody tr td th div dl dd dt ul ol li
pre form map area blockquote address style p h1 h2 h3 h4 h5 h6 hr fieldset legend section article aside hgroup
header footer nav figure figcaption details menu summary`)

// blockNamesOf has the block names by their first letter.
var blockNamesOf = func() (names [256][]string) {
	for name := range blockNames {
		names[name[0]] = append(names[name[0]], name)
	}
	return names
}()

// blockStart reports whether s begins with a block name. As in WordPress only the
// beginning counts, so "param" and "link" pass because of "p" and "li".
func blockStart(s string) bool { return s != "" && startsWithAny(s, blockNamesOf[s[0]]...) }

func startsWithAny(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// blockTag returns the end of a block element's opening or closing tag at s[i]; 0 if
// there is none. gt finds the ">".
func blockTag(s string, i int, gt *markup.Finder) int {
	if i == len(s) || s[i] != '<' || !blockStart(strings.TrimPrefix(s[i+1:], "/")) {
		return 0
	}
	return gt.Next(i+1) + 1
}
