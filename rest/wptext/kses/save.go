package kses

import (
	"regexp"
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext/blockparse"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// Saving is how the texts of posts are filtered when a user saves them.
type Saving struct {
	// Unfiltered: the user has the capability unfiltered_html.
	Unfiltered bool
	// UploadsURL is the address of the uploads folder without trailing slash.
	UploadsURL string
	Traits     trait.Set
}

// Title returns a title as it is stored.
func (s Saving) Title(text string) string {
	text = s.linkRel(text)
	if !s.Unfiltered {
		text = Title(text, s.Traits)
	}
	return text
}

// Content returns a content as it is stored.
func (s Saving) Content(text string) string {
	text = s.linkRel(text)
	if !s.Unfiltered {
		if !s.Traits.Has(trait.TextBefore70) {
			text = withoutBlockCSS(text, s.Traits)
		}
		text = Filter(text, PostHTML(s.UploadsURL), s.Traits)
	}
	return escape.ConvertInvalidEntities(text)
}

// Excerpt returns an excerpt as it is stored.
func (s Saving) Excerpt(text string) string {
	text = s.linkRel(text)
	if !s.Unfiltered {
		text = Filter(text, PostHTML(s.UploadsURL), s.Traits)
	}
	return escape.ConvertInvalidEntities(text)
}

// withoutBlockCSS removes the style sheets of blocks (attribute style.css), which only users
// with the capability edit_css may write.
func withoutBlockCSS(s string, traits trait.Set) string {
	if !strings.Contains(s, "<!-- wp:") || !strings.Contains(s, "css") {
		return s
	}
	p := markup.Patch{Src: s}
	scanner := blockparse.Scanner{S: s}
	for pos := 0; ; {
		d, ok := scanner.Next(pos)
		if !ok {
			return p.String()
		}
		pos = d.End
		attrs := blockparse.DecodeAttrs(d.Attrs)
		style, _ := attrs.At("style").(*php.Array)
		if _, ok := style.Lookup("css"); !ok {
			continue
		}
		style.Delete(php.KeyOf("css"))
		if style.Len() == 0 {
			attrs.Delete(php.KeyOf("style"))
		}
		start := d.Start + strings.Index(s[d.Start:d.End], d.Attrs)
		end := start + len(d.Attrs)
		if attrs.Len() == 0 {
			p.Replace(start, markup.SkipWhite(s, end))
		} else {
			p.Replace(start, end, string(blockEscaperOf(traits).appendJSON(nil, attrs)))
		}
	}
}

// linkRel adds noopener to the attribute rel of links with a target, as WordPress before 6.7
// does.
func (s Saving) linkRel(text string) string {
	if !s.Traits.Has(trait.TextBefore67) || phpserial.LooksSerialized(text) || markup.IndexFold(text, "target") < 0 || markup.IndexFold(text, "<a ") < 0 {
		return text
	}
	var sb strings.Builder
	done := 0
	for _, code := range scripts.FindAllStringIndex(text, -1) {
		sb.WriteString(targetLinks.ReplaceAllStringFunc(text[done:code[0]], s.targetLink))
		sb.WriteString(text[code[0]:code[1]])
		done = code[1]
	}
	sb.WriteString(targetLinks.ReplaceAllStringFunc(text[done:], s.targetLink))
	return sb.String()
}

var (
	scripts     = regexp.MustCompile(`(?is)<script.*?</script>|<style.*?</style>`)
	targetLinks = regexp.MustCompile(`(?i)<a\s[^>]*target\s*=[^>]*>`)
)

// targetLink writes the tag of a link with a target again. Of a target in capitals, it changes only
// the tag's name.
func (s Saving) targetLink(tag string) string {
	const rel = "rel"
	list := writtenAttributes(tag[len("<a") : len(tag)-1])
	at, target := -1, false
	for i, a := range list {
		if a.name == rel {
			at = i
		}
		target = target || a.name == "target"
	}
	if !target {
		return "<a " + tag[len("<a "):]
	}
	words := ""
	if at < 0 {
		at = len(list)
		list = append(list, attribute{})
	} else {
		words = list[at].value
	}
	list[at] = attribute{name: rel, lower: rel, value: escape.RulesOf(s.Traits).Attr(withWord(words, "noopener")), quote: '"'}
	var b strings.Builder
	b.WriteString("<a")
	for _, a := range list {
		if urlAttributes[a.lower] {
			a.value = escape.CutBadProtocol(a.value)
		}
		b.WriteString(" " + a.name)
		if !a.bare {
			b.WriteString("=" + string(a.quote) + a.value + string(a.quote))
		}
	}
	b.WriteByte('>')
	return b.String()
}

// withWord returns the words of a list, each once, and one more.
func withWord(list, word string) string {
	var words []string
	seen := map[string]bool{}
	for w := range strings.FieldsSeq(list + " " + word) {
		if !seen[w] {
			seen[w] = true
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}
