package profile

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// template is a message being turned into a template. Its weight becomes zero when a
// replacement is ambiguous.
type template struct {
	text   string
	weight int
}

// occurrences returns the positions of a word not adjacent to a letter, digit or
// underscore.
func (t *template) occurrences(word string) []int {
	if word == "" {
		return nil
	}
	var found []int
	for from := 0; ; {
		i := strings.Index(t.text[from:], word)
		if i < 0 {
			return found
		}
		at := from + i
		before, _ := utf8.DecodeLastRuneInString(t.text[:at])
		after, _ := utf8.DecodeRuneInString(t.text[at+len(word):])
		if !wordRune(before) && !wordRune(after) {
			found = append(found, at)
		}
		from = at + len(word)
	}
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r))
}

func (t *template) replaceAt(at, length int, placeholder string) {
	t.text = t.text[:at] + placeholder + t.text[at+length:]
}

// replaceLast replaces the last occurrence of a word and reports whether there was one.
func (t *template) replaceLast(word, placeholder string) bool {
	found := t.occurrences(word)
	return t.replaceOne(found, len(found)-1, len(word), placeholder)
}

// replaceFirst replaces the first occurrence of a word.
func (t *template) replaceFirst(word, placeholder string) bool {
	return t.replaceOne(t.occurrences(word), 0, len(word), placeholder)
}

func (t *template) replaceOne(found []int, i, length int, placeholder string) bool {
	if len(found) == 0 {
		return false
	}
	if len(found) > 1 {
		t.weight = 0
	}
	t.replaceAt(found[i], length, placeholder)
	return true
}

// jsonTypes are the types in WordPress's schemas.
var jsonTypes = []string{"array", "object", "string", "number", "integer", "boolean", "null"}

// replaceType replaces the last name of a JSON type, for arguments whose advertised type
// is unknown.
func (t *template) replaceType() {
	last, length := -1, 0
	for _, name := range jsonTypes {
		if found := t.occurrences(name); len(found) > 0 && found[len(found)-1] > last {
			last, length = found[len(found)-1], len(name)
		}
	}
	if last >= 0 {
		t.replaceAt(last, length, "{type}")
	}
}

// replaceList replaces the allowed values, in their order, together with the texts that
// join them. It returns the joining texts by their names among the profile's words.
func (t *template) replaceList(items []string, placeholder string) (map[string]string, bool) {
	const longest = 24 // bytes in a joining text
	if len(items) == 0 {
		return nil, false
	}
	for _, start := range t.occurrences(items[0]) {
		end := start + len(items[0])
		var joints []string
		for _, item := range items[1:] {
			near := t.text[end:min(len(t.text), end+longest+len(item))]
			i := strings.Index(near, item)
			if i <= 0 {
				break
			}
			joints = append(joints, near[:i])
			end += i + len(item)
		}
		words, ok := jointWords(joints)
		if len(joints) == len(items)-1 && ok {
			t.replaceAt(start, end-start, placeholder)
			return words, true
		}
	}
	return nil, false
}

// jointWords names the texts that join a list. All are equal except the last.
func jointWords(joints []string) (map[string]string, bool) {
	switch n := len(joints); n {
	case 0:
		return nil, true
	case 1:
		return map[string]string{"list_pair_separator": joints[0]}, true
	default:
		same := slices.Compact(slices.Clone(joints[:n-1]))
		return map[string]string{"list_separator": joints[0], "list_last_separator": joints[n-1]}, len(same) == 1
	}
}

// quoted finds a text between quotation marks, raw or as character references.
var quoted = regexp.MustCompile(`(?:&#8216;|&#8218;|&#8220;|&#8222;|&[lb]dquo;|&laquo;|&quot;|["“„«‘‚])([^"“”„«»‘’‚&\s]+)(?:&#8216;|&#8217;|&#8220;|&#8221;|&rdquo;|&ldquo;|&raquo;|&quot;|["“”»‘’])`)

// replaceQuoted replaces the only quoted text.
func (t *template) replaceQuoted(placeholder string) {
	found := quoted.FindAllStringSubmatchIndex(t.text, 2)
	if len(found) != 1 {
		t.weight = 0
		return
	}
	t.replaceAt(found[0][2], found[0][3]-found[0][2], placeholder)
}

// replaceFields replaces a list of the request's field names, joined with ", ", in the
// message.
func (t *template) replaceFields(fields []string) {
	slices.Sort(fields)
	start, end := -1, -1
	for _, field := range fields {
		for _, at := range t.occurrences(field) {
			switch {
			case start < 0:
				start, end = at, at+len(field)
			case at == end+2 && t.text[end:at] == ", ":
				end = at + len(field)
			case at+len(field)+2 == start && t.text[at+len(field):start] == ", ":
				start = at
			default:
				t.weight = 0
			}
		}
	}
	if start >= 0 {
		t.replaceAt(start, end-start, "{fields}")
	}
}
