package explain

import (
	"regexp"
	"strings"

	"calbridge/compat/diff"
)

// wordingPlaces matches the places of texts that come from language files: messages of
// errors, descriptions of arguments and of the document.
var wordingPlaces = regexp.MustCompile(`^\$(\.body)?\.(message|data\.params\b.*|data\.details\b.*\.message)$|^\$(\.body)?\.(data|routes|endpoints|args|paths|info|tags|definitions|components|schema)\b.*\.(description|title|summary)$|^\$\.info\.(title|description)$`)

// wording names the cause of differences in such texts, if there are no others: both answers
// have the same status, and texts in these places.
func (x *explaining) wording() {
	if x.Recorded.Status != x.Got.Status || !x.left() {
		return
	}
	for _, d := range x.found {
		if !open(d) {
			continue
		}
		if d.Part != diff.PartBody || d.Cause.Name != "" || !wordingPlaces.MatchString(d.Where) || !strings.HasPrefix(strings.TrimLeft(d.Recorded, "…"), `"`) || !strings.HasPrefix(strings.TrimLeft(d.Got, "…"), `"`) {
			return
		}
	}
	x.all(Wording)
}
