package wptext

import "strings"

// AllowedHTML says which elements [Kses] keeps and which attributes they may
// have. Make one with [NewAllowedHTML] or [PostHTML].
type AllowedHTML struct {
	elements map[string]map[string]bool // element, attribute
	global   map[string]bool            // attributes of every element
	data     bool                       // data-… attributes too

	blocks     bool   // the attributes of block comments are filtered as well
	uploadsURL string // where embedded PDF files may be
}

// NewAllowedHTML returns a list of elements: each string is the name of an
// element, in lower case, and the names of its attributes, parted by spaces.
func NewAllowedHTML(elements ...string) AllowedHTML {
	a := AllowedHTML{elements: make(map[string]map[string]bool, len(elements))}
	for _, line := range elements {
		name, attributes, _ := strings.Cut(line, " ")
		a.elements[name] = wordSet(attributes)
	}
	return a
}

// PostHTML is the list that WordPress allows in posts. UploadsURL is the
// address of the uploads folder, without a slash at its end: an object element
// may show a PDF file from there, and only from there.
func PostHTML(uploadsURL string) AllowedHTML {
	a := postHTML
	a.uploadsURL = uploadsURL
	return a
}

var postHTML = newPostHTML()

func newPostHTML() AllowedHTML {
	lines := strings.Split(strings.TrimSpace(postElements), "\n")
	for i, line := range lines {
		lines[i] = strings.Replace(line, "math:", mathAttributes, 1)
	}
	a := NewAllowedHTML(append(lines, strings.Fields(plainPostElements)...)...)
	a.global = wordSet(postGlobalAttributes)
	a.data = a.global["data-*"]
	a.blocks = true
	return a
}

// titleHTML is the list for titles, comments and term names.
var titleHTML = NewAllowedHTML("a href title", "abbr title", "acronym title", "b", "blockquote cite",
	"cite", "code", "del datetime", "em", "i", "q cite", "s", "strike", "strong")

// excerptHTML is the list for the descriptions of JSON-LD.
var excerptHTML = NewAllowedHTML("a class style href rel target id", "b class style",
	"strong class style", "em class style", "span class style", "ul class style",
	"li class style", "ol class style")

// attribute reports whether the element with the attributes own may have the
// attribute name.
func (a *AllowedHTML) attribute(own map[string]bool, name string) bool {
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
		if c := rest[i]; !isWord(c) && c != '-' {
			return false
		}
	}
	return true
}

// urlAttributes hold addresses, whose scheme must be allowed.
var urlAttributes = wordSet(`action archive background cite classid codebase data formaction href icon
longdesc manifest poster profile src usemap xmlns`)
