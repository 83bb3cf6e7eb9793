package sitefacts

import (
	"fmt"
	"maps"
	"slices"

	"calbridge/rest/wptext/typography"
)

// localeConcerns says where the wording or the marks of a language are not those of the
// site's language packs.
func localeConcerns(d *Document) []Concern {
	const name = "site.locale"
	locale, marks := d.Text(Locale), value[map[string]string](d, Marks)
	built := typography.LocaleFor(locale)
	if english := typography.LocaleFor(""); locale != english.Name && built.OpenDouble == english.OpenDouble {
		return []Concern{{Name: name, Found: locale + " is not built in: typographic marks, numbers, slugs and messages are English", Advice: compareAdvice}}
	}
	if len(marks) == 0 {
		if locale == typography.LocaleFor("").Name || locale == "" {
			return nil
		}
		return []Concern{{Name: name, Found: "the language packs of " + locale + " are not known: typographic marks are those of a current pack", Advice: knowAdvice}}
	}
	var differ []string
	ours := contexts(built)
	for _, context := range slices.Sorted(maps.Keys(ours)) {
		if theirs, ok := marks[context]; ok && theirs != ours[context] {
			differ = append(differ, fmt.Sprintf("%s %s, calbridge's %s", context, theirs, ours[context]))
		}
	}
	if len(differ) == 0 {
		return nil
	}
	return []Concern{{Name: name, Found: fmt.Sprintf("the marks of %s are others (%s): %s", locale, d.From(Marks), few(differ)), Advice: compareAdvice}}
}

// contexts are a locale's marks by the context of their string in language packs.
func contexts(l *typography.Locale) map[string]string {
	return map[string]string{
		"opening curly double quote": l.OpenDouble, "closing curly double quote": l.CloseDouble,
		"opening curly single quote": l.OpenSingle, "closing curly single quote": l.CloseSingle,
		"apostrophe": l.Apostrophe, "prime": l.Prime, "double prime": l.DoublePrime, "en dash": l.EnDash, "em dash": l.EmDash,
	}
}

// packMarks are the marks by the language packs in the WordPress folder.
func packMarks(f *folder) any { return nil }
