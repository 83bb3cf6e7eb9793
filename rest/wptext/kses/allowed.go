package kses

import (
	"strings"

	"calbridge/rest/wptext/scan"
)

// Allowed says which elements and attributes [Filter] lets through. [PostHTML]
// makes one.
type Allowed struct {
	elements map[string]map[string]bool // element, attribute
	global   map[string]bool            // attributes of every element
	data     bool                       // data-… attributes too

	blocks     bool   // the attributes of block comments are filtered as well
	uploadsURL string // where embedded PDF files may be
}

// newAllowed returns a list of elements: each string is the name of an element,
// in lower case, and the names of its attributes.
func newAllowed(elements ...string) Allowed {
	a := Allowed{elements: make(map[string]map[string]bool, len(elements))}
	for _, line := range elements {
		name, attributes, _ := strings.Cut(line, " ")
		a.elements[name] = scan.WordSet(attributes)
	}
	return a
}

// PostHTML returns the list for posts. uploadsURL is the address of the uploads folder
// without trailing slash: an object element may only show a PDF file from there.
func PostHTML(uploadsURL string) Allowed {
	a := postHTML
	a.uploadsURL = uploadsURL
	return a
}

var postHTML = newPostHTML()

func newPostHTML() Allowed {
	lines := strings.Split(strings.TrimSpace(postElements), "\n")
	for i, line := range lines {
		lines[i] = strings.Replace(line, "math:", mathAttributes, 1)
	}
	a := newAllowed(append(lines, strings.Fields(plainPostElements)...)...)
	a.global = scan.WordSet(postGlobalAttributes)
	a.data = a.global["data-*"]
	a.blocks = true
	return a
}

// titleHTML is the list for titles, comments and term names.
var titleHTML = newAllowed("a href title", "abbr title", "acronym title", "b", "blockquote cite",
	"cite", "code", "del datetime", "em", "i", "q cite", "s", "strike", "strong")

// excerptHTML is the list for the descriptions of JSON-LD.
var excerptHTML = newAllowed("a class style href rel target id", "b class style",
	"strong class style", "em class style", "span class style", "ul class style",
	"li class style", "ol class style")

// attribute reports whether the element with the attributes own may have the
// attribute name.
func (a *Allowed) attribute(own map[string]bool, name string) bool {
	return own[name] || a.global[name] || a.data && isDataName(name)
}

// isDataName reports whether name, in lower case, is a plain data-… attribute.
func isDataName(name string) bool {
	rest, ok := strings.CutPrefix(name, "data-")
	return ok && isName(rest)
}

// isName reports whether s consists of word characters and hyphens.
func isName(s string) bool {
	return s != "" && scan.ReplaceRuns(s, 1, "", func(c byte) bool { return scan.IsWord(c) || c == '-' }) == ""
}

// urlAttributes hold addresses, whose scheme must be allowed.
var urlAttributes = scan.WordSet(`action archive background cite classid codebase data formaction href icon
longdesc manifest poster profile src usemap xmlns`)
