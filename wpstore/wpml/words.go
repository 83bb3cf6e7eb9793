package wpml

import (
	"math"
	"strings"
)

// bytesPerWord is how long a word is where WPML does not count words one by one.
const bytesPerWord = 5

// basicEntities are the character references that count as one character.
var basicEntities = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#039;", "'")

// wordCount is WPML's estimate of the words of a post: the bytes of its texts
// without tags, shortcodes, e-mail addresses, white space and digits, by five.
func wordCount(texts ...string) int64 {
	text := basicEntities.Replace(withoutTags(strings.Join(texts, "\n")))
	text = withoutAddresses(withoutBrackets(text))
	n := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ', c >= '\t' && c <= '\r', c >= '0' && c <= '9':
		default:
			n++
		}
	}
	return int64(math.Floor(float64(n)/bytesPerWord + 0.5))
}

// withoutTags drops comments and tags. A sign that white space follows is text,
// and so is one that nothing closes.
func withoutTags(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for {
		at := strings.IndexByte(s, '<')
		if at < 0 {
			break
		}
		b.WriteString(s[:at])
		s = s[at:]
		if len(s) > 1 && isBlank(s[1]) {
			b.WriteByte('<')
			s = s[1:]
			continue
		}
		end := strings.IndexByte(s, '>')
		if strings.HasPrefix(s, "<!--") {
			end = strings.Index(s, "-->")
			if end >= 0 {
				end += len("-->") - 1
			}
		}
		if end < 0 {
			break
		}
		s = s[end+1:]
	}
	b.WriteString(s)
	return b.String()
}

// withoutBrackets drops shortcodes, and whatever else is in square brackets.
func withoutBrackets(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for {
		at := strings.IndexByte(s, '[')
		if at < 0 {
			break
		}
		b.WriteString(s[:at])
		s = s[at:]
		end := strings.IndexByte(s, ']')
		if end < 0 {
			break
		}
		if end == 1 { // nothing in between
			b.WriteByte('[')
			s = s[1:]
			continue
		}
		s = s[end+1:]
	}
	b.WriteString(s)
	return b.String()
}

// withoutAddresses drops e-mail addresses.
func withoutAddresses(s string) string {
	if !strings.Contains(s, "@") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for len(s) > 0 {
		end := 0
		for end < len(s) && isAddress(s[end]) {
			end++
		}
		if end == 0 {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		run := s[:end]
		local, host, ok := strings.Cut(run, "@")
		if !ok || local == "" || strings.Contains(host, "@") || !strings.Contains(strings.Trim(host, "."), ".") {
			b.WriteString(run)
		}
		s = s[end:]
	}
	return b.String()
}

func isAddress(c byte) bool {
	return c == '@' || c == '.' || c == '-' || c == '+' || c == '_' ||
		c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
