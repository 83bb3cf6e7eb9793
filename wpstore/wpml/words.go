package wpml

import (
	"math"
	"regexp"
	"strings"
)

// bytesPerWord is the length of a word in WPML's estimate.
const bytesPerWord = 5

// basicEntities are the character references that count as one character.
var basicEntities = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#039;", "'")

// wordCount returns WPML's estimate of the words of a post: the number of bytes of its
// texts, divided by five. Tags, shortcodes, e-mail addresses, white space and digits don't
// count.
func wordCount(texts ...string) int64 {
	text := basicEntities.Replace(ignored[0].ReplaceAllString(strings.Join(texts, "\n"), "$1"))
	text = ignored[1].ReplaceAllString(text, "")
	if strings.Contains(text, "@") {
		text = addressRun.ReplaceAllStringFunc(text, withoutAddress)
	}
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

// ignored matches a comment or tag with the first pattern, and a shortcode or anything else
// in square brackets with the second. "<" before white space is text, as is a comment or
// tag that doesn't end.
var ignored = [...]*regexp.Regexp{
	regexp.MustCompile(`(?s)<!(?:-->|--->|--.*?-->)|(<!--.*)|<(?:[^ \t-\r>][^>]*)?>`),
	regexp.MustCompile(`\[[^\]]+\]`),
}

// addressRun matches the bytes of an e-mail address, and those of any other word in ASCII.
var addressRun = regexp.MustCompile(`[@.+_0-9A-Za-z-]+`)

// withoutAddress returns "" for an e-mail address, and any other text unchanged.
func withoutAddress(run string) string {
	local, host, found := strings.Cut(run, "@")
	if found && local != "" && !strings.Contains(host, "@") && strings.Contains(strings.Trim(host, "."), ".") {
		return ""
	}
	return run
}
