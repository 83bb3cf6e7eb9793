package kses

import (
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext/markup"
)

// Allowed holds the elements and attributes that [Filter] lets through. [PostHTML]
// makes one.
type Allowed struct {
	elements map[string]element
	global   names // attributes of every element
	data     bool  // data-… attributes too

	blocks     bool   // the attributes of block comments are filtered as well
	uploadsURL string // where embedded PDF files may be
}

// names are names of attributes, properties or functions, and the sites where each is
// allowed.
type names map[string]trait.Condition

func (n names) allow(name string, traits trait.Set) bool {
	sites, ok := n[name]
	return ok && sites.In(traits)
}

// add adds the names of a list, which are allowed on those sites.
func (n names) add(list string, sites trait.Condition) {
	for name := range strings.FieldsSeq(list) {
		n[name] = sites
	}
}

// element is where an element is allowed, and its attributes besides the global ones.
type element struct {
	sites      trait.Condition
	attributes names
}

// addElements adds elements that are allowed on those sites, or attributes to elements that
// others allow as well: each line is the name of an element, in lower case, and the names of
// its attributes.
func (a *Allowed) addElements(lines string, sites trait.Condition) {
	for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
		name, attributes, _ := strings.Cut(line, " ")
		e, ok := a.elements[name]
		if !ok {
			e = element{sites, names{}}
			a.elements[name] = e
		}
		e.attributes.add(attributes, sites)
	}
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
	a := Allowed{elements: map[string]element{}, global: names{}, data: true, blocks: true}
	for _, part := range postElements {
		a.addElements(strings.ReplaceAll(part.lines, "math:", mathAttributes), part.sites)
		a.global.add(part.global, part.sites)
	}
	return a
}

// titleHTML is the list for titles, comments and term names.
var titleHTML = newAllowed(titleElements)

// termHTML is the list for the descriptions of terms.
var termHTML = func() Allowed {
	a := newAllowed(titleElements)
	a.addElements("a rel target", trait.Condition{Without: trait.TextBefore68})
	return a
}()

// excerptHTML is the list for the descriptions of JSON-LD.
var excerptHTML = newAllowed(excerptElements)

func newAllowed(lines string) Allowed {
	a := Allowed{elements: map[string]element{}}
	a.addElements(lines, trait.Condition{})
	return a
}

// attribute reports whether the element with the attributes own may have the
// attribute name.
func (k *run) attribute(own names, name string) bool {
	return own.allow(name, k.traits) || k.allowed.global.allow(name, k.traits) || k.allowed.data && isDataName(name, k.traits)
}

// isDataName reports whether name, in lower case, is a data-… attribute. Before WordPress
// 6.6 single hyphens join its words.
func isDataName(name string, traits trait.Set) bool {
	rest, ok := strings.CutPrefix(name, "data-")
	if !ok || !isName(rest) {
		return false
	}
	return !traits.Has(trait.TextBefore66) || rest[0] != '-' && rest[len(rest)-1] != '-' && !strings.Contains(rest, "--")
}

// isName reports whether s consists of word characters and hyphens.
func isName(s string) bool {
	return s != "" && markup.ReplaceRuns(s, 1, "", func(c byte) bool { return markup.IsWord(c) || c == '-' }) == ""
}

// urlAttributes hold addresses, whose scheme must be allowed.
var urlAttributes = markup.WordSet(`action archive background cite classid codebase data formaction href icon
longdesc manifest poster profile src usemap xmlns`)
