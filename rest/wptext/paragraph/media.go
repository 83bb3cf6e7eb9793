package paragraph

import (
	"regexp"
	"strings"

	"calbridge/rest/wptext/markup"
)

// tightenMedia removes the white space around the parts of select lists, objects,
// media players and captions, so that no paragraph or line break comes between them.
func tightenMedia(s string) string {
	if strings.Contains(s, "<option") {
		s = trimAround(s, true, false, openingOption)
		s = trimAround(s, false, true, closingOption)
	}
	if strings.Contains(s, "</object>") {
		s = trimAround(s, false, true, openingObject)
		s = trimAround(s, true, false, closingObject)
		s = trimAround(s, true, true, objectParts)
	}
	if strings.Contains(s, "<source") || strings.Contains(s, "<track") {
		s = trimAround(s, false, true, openingMedia)
		s = trimAround(s, true, false, closingMedia)
		s = trimAround(s, true, true, mediaParts)
	}
	if strings.Contains(s, "<figcaption") {
		s = trimAround(s, true, false, openingFigureCap)
		s = trimAround(s, false, true, closingFigureCap)
	}
	return s
}

// trimAround removes the white space before and behind, as asked, of each hit.
func trimAround(s string, before, behind bool, what *regexp.Regexp) string {
	p := markup.Patch{Src: s}
	pos := 0
	for _, hit := range what.FindAllStringIndex(s, -1) {
		if before {
			p.Replace(markup.WhiteBefore(s, hit[0], pos), hit[0])
		}
		pos = hit[1]
		if behind {
			pos = markup.SkipWhite(s, pos)
			p.Replace(hit[1], pos)
		}
	}
	return p.String()
}

// What the steps look for.
var (
	openingOption    = regexp.MustCompile(`<option`)
	closingOption    = regexp.MustCompile(`</option>`)
	openingObject    = regexp.MustCompile(`<object[^>]*>`)
	closingObject    = regexp.MustCompile(`</object>`)
	objectParts      = regexp.MustCompile(`</?(?:param|embed)[^>]*>`)
	openingMedia     = regexp.MustCompile(`[<\[](?:audio|video)[^>\]]*[>\]]`)
	closingMedia     = regexp.MustCompile(`[<\[]/(?:audio|video)[>\]]`)
	mediaParts       = regexp.MustCompile(`<(?:source|track)[^>]*>`)
	openingFigureCap = regexp.MustCompile(`<figcaption[^>]*>`)
	closingFigureCap = regexp.MustCompile(`</figcaption>`)
)
