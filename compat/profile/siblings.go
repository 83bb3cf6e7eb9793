package profile

import "strings"

// siblingCodes are error codes with the same meaning for different post types; the star
// stands for the post type.
var siblingCodes = []string{
	"*-not-accessible", "*-archive-page-not-found", "*-is-in-trash",
	"could-not-create-*", "could-not-update-*", "could-not-delete-*",
}

var postKinds = []string{"event", "venue", "organizer"}

// addSiblings derives the messages of codes that were not recorded from those of their
// siblings. It works where the message names the post type once, with the word of the
// code, as on English sites. Elsewhere nothing is filled in.
func addSiblings(have map[slot]string) {
	for _, code := range siblingCodes {
		for _, kind := range postKinds {
			missing := slot{section: sectionErrors, key: strings.Replace(code, "*", kind, 1)}
			if _, found := have[missing]; found {
				continue
			}
			for _, other := range postKinds {
				text, found := have[slot{section: sectionErrors, key: strings.Replace(code, "*", other, 1)}]
				t := template{text: text, weight: 1}
				if found && t.replaceFirst(other, kind) && t.weight > 0 {
					have[missing] = t.text
					break
				}
			}
		}
	}
}
