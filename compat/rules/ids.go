package rules

import (
	"regexp"

	"calbridge/compat/jsontree"
)

// idMap maps ids of the recording to the target's.
type idMap map[string]string

// idInText matches a number where a URL or a query may have an id: after a slash, an
// equals sign or a comma.
var idInText = regexp.MustCompile(`[/=,]\d+`)

// inText maps the ids in a URL, a query or a text that contains them.
func (m idMap) inText(text string) string {
	return idInText.ReplaceAllStringFunc(text, func(found string) string {
		if other, known := m[found[1:]]; known {
			return found[:1] + other
		}
		return found
	})
}

// same reports whether the recorded value equals the given one under the mapping.
func (m idMap) same(want, got *jsontree.Node) bool {
	if want.Kind != got.Kind {
		return false
	}
	switch want.Kind {
	case jsontree.Number:
		return m[want.Raw()] == got.Raw()
	case jsontree.String:
		text := want.Text()
		return m[text] == got.Text() || m.inText(text) == got.Text()
	}
	return false
}
