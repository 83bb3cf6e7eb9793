package paragraph

import (
	"slices"
	"strings"

	"calbridge/rest/wptext/scan"
)

// blockStart reports whether s begins with the name of an element that makes
// its own paragraph. Only the beginning counts, so "param" and "link" pass
// because of "p" and "li"; WordPress's patterns accept them just the same.
func blockStart(s string) bool {
	if s == "" {
		return false
	}
	switch rest := s[1:]; s[0] {
	case 'p':
		return true
	case 't':
		return startsWithAny(rest, "able", "foot", "body", "r", "d", "h")
	case 'c':
		return startsWithAny(rest, "aption", "ol")
	case 'd':
		return startsWithAny(rest, "iv", "l", "d", "t", "etails")
	case 'u', 'o':
		return strings.HasPrefix(rest, "l")
	case 'l':
		return startsWithAny(rest, "i", "egend")
	case 'f':
		return startsWithAny(rest, "orm", "ieldset", "ooter", "igure", "igcaption")
	case 'm':
		return startsWithAny(rest, "ap", "enu")
	case 'a':
		return startsWithAny(rest, "rea", "ddress", "rticle", "side")
	case 'b':
		return strings.HasPrefix(rest, "lockquote")
	case 's':
		return startsWithAny(rest, "tyle", "ection", "ummary")
	case 'h':
		return startsWithAny(rest, "1", "2", "3", "4", "5", "6", "r", "group", "eader")
	case 'n':
		return strings.HasPrefix(rest, "av")
	}
	return false
}

// isBlockName reports whether name is the whole name of such an element.
func isBlockName(name string) bool {
	switch name {
	case "table", "thead", "tfoot", "caption", "col", "colgroup", "tbody", "tr", "td", "th",
		"div", "dl", "dd", "dt", "ul", "ol", "li", "pre", "form", "map", "area", "blockquote",
		"address", "style", "p", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "fieldset", "legend",
		"section", "article", "aside", "hgroup", "header", "footer", "nav", "figure",
		"figcaption", "details", "menu", "summary":
		return true
	}
	return false
}

func startsWithAny(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// blockTag returns the end of the opening or closing tag of such an element
// that starts at s[i], which is "<"; 0 if there is none. Gt finds the ">".
func blockTag(s string, i int, gt *scan.Finder) int {
	name := i + 1
	if name < len(s) && s[name] == '/' {
		name++
	}
	if !blockStart(s[name:]) {
		return 0
	}
	return gt.Next(name) + 1
}
