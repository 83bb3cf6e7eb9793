package kses

import (
	"strings"

	"calbridge/rest/wptext/scan"
)

// Allowed says which elements [Filter] keeps and which attributes they may
// have. Make one with [NewAllowed] or [PostHTML].
type Allowed struct {
	elements map[string]map[string]bool // element, attribute
	global   map[string]bool            // attributes of every element
	data     bool                       // data-… attributes too

	blocks     bool   // the attributes of block comments are filtered as well
	uploadsURL string // where embedded PDF files may be
}

// NewAllowed returns a list of elements: each string is the name of an
// element, in lower case, and the names of its attributes, parted by spaces.
func NewAllowed(elements ...string) Allowed {
	a := Allowed{elements: make(map[string]map[string]bool, len(elements))}
	for _, line := range elements {
		name, attributes, _ := strings.Cut(line, " ")
		a.elements[name] = scan.WordSet(attributes)
	}
	return a
}

// PostHTML is the list that WordPress allows in posts. UploadsURL is the
// address of the uploads folder, without a slash at its end: an object element
// may show a PDF file from there, and only from there.
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
	a := NewAllowed(append(lines, strings.Fields(plainPostElements)...)...)
	a.global = scan.WordSet(postGlobalAttributes)
	a.data = a.global["data-*"]
	a.blocks = true
	return a
}

// titleHTML is the list for titles, comments and term names.
var titleHTML = NewAllowed("a href title", "abbr title", "acronym title", "b", "blockquote cite",
	"cite", "code", "del datetime", "em", "i", "q cite", "s", "strike", "strong")

// excerptHTML is the list for the descriptions of JSON-LD.
var excerptHTML = NewAllowed("a class style href rel target id", "b class style",
	"strong class style", "em class style", "span class style", "ul class style",
	"li class style", "ol class style")

// attribute reports whether the element with the attributes own may have the
// attribute name.
func (a *Allowed) attribute(own map[string]bool, name string) bool {
	return own[name] || a.global[name] || a.data && isDataName(name)
}

// isDataName reports whether name, in lower case, is that of a data attribute
// of plain form.
func isDataName(name string) bool {
	rest, ok := strings.CutPrefix(name, "data-")
	if !ok || rest == "" {
		return false
	}
	for i := 0; i < len(rest); i++ {
		if c := rest[i]; !scan.IsWord(c) && c != '-' {
			return false
		}
	}
	return true
}

// urlAttributes hold addresses, whose scheme must be allowed.
var urlAttributes = scan.WordSet(`action archive background cite classid codebase data formaction href icon
longdesc manifest poster profile src usemap xmlns`)
