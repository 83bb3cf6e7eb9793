package langpack

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	// directive matches a placeholder in a text of a pack: %s, %2$d, or %% for a percent
	// sign.
	directive = regexp.MustCompile(`%(?:(\d{1,2})\$)?([sdl%])`)
	// placeholder matches a placeholder in a template of calbridge.
	placeholder = regexp.MustCompile(`\{[a-z_]+\}`)
)

const anyValue = "\x00" // stands for a placeholder of any name

// shape returns a text without the names of its placeholders. ok reports whether it has
// any.
func shape(text string) (s string, ok bool) {
	s = directive.ReplaceAllStringFunc(text, func(found string) string {
		if found == "%%" {
			return "%"
		}
		ok = true
		return anyValue
	})
	return s, ok
}

// Template returns the translation of a template such as "Invalid: {param}". Its original
// in the file has %s or %1$s in place of the names in braces.
func (c *Catalogue) Template(template string) (translation string, ok bool) {
	names := placeholder.FindAllString(template, -1)
	if c == nil || names == nil {
		return c.Lookup("", template)
	}
	original, ok := c.shapes[placeholder.ReplaceAllString(template, anyValue)]
	if !ok {
		return "", false
	}
	byNumber := map[string]string{} // names by the numbers of values
	for i, place := range places(original) {
		byNumber[place] = names[i]
	}
	translation, next := c.messages[original], 0
	translated := places(translation)
	for _, place := range translated {
		if byNumber[place] == "" {
			return "", false
		}
	}
	return directive.ReplaceAllStringFunc(translation, func(found string) string {
		if found == "%%" {
			return "%"
		}
		next++
		return byNumber[translated[next-1]]
	}), true
}

// places returns the numbers of the values that a text shows, in its order.
func places(text string) []string {
	var numbers []string
	for _, m := range directive.FindAllStringSubmatch(text, -1) {
		switch {
		case m[2] == "%":
		case m[1] != "":
			numbers = append(numbers, m[1])
		default:
			numbers = append(numbers, strconv.Itoa(len(numbers)+1))
		}
	}
	return numbers
}

// noteShape registers an original for Template.
func (c *Catalogue) noteShape(original string) {
	if s, ok := shape(original); ok && !strings.Contains(original, "\x04") {
		if c.shapes == nil {
			c.shapes = map[string]string{}
		}
		c.shapes[s] = original
	}
}
