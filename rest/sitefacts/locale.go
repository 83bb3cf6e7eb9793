package sitefacts

import (
	"fmt"
	"maps"
	"slices"

	"calbridge/rest/wptext/typography"
	"calbridge/wpstore/langpack"
)

// packTexts are the texts of the site's language packs by the names of [langpack.Texts],
// with WordPress's own in place of those that the packs lack.
func packTexts(f *folder) any {
	texts := f.Packs.Texts()
	for _, t := range langpack.Texts() {
		if _, ok := texts[t.Name]; !ok {
			texts[t.Name] = t.Default
		}
	}
	return texts
}

// reportedTexts are those of the texts that the companion plugin reports.
func reportedTexts(f *companionFacts) any {
	texts := map[string]string{}
	for _, t := range langpack.Texts() {
		if text, ok := f.Texturize[t.Context]; ok && t.Context != "" {
			texts[t.Name] = text
		}
	}
	return someMap(texts)
}

// agreeingTexts: a source may know some of the texts only.
func agreeingTexts(nearest, other any) bool {
	a, _ := nearest.(map[string]string)
	b, _ := other.(map[string]string)
	for name, text := range a {
		if there, ok := b[name]; ok && there != text {
			return false
		}
	}
	return true
}

// renderedTexts are the texts of calbridge's answers, by the names of [langpack.Texts].
func renderedTexts(in *Inputs) any {
	if in.Database == nil {
		return nil
	}
	l := typography.LocaleFor(in.Database.WPLang)
	texts := map[string]string{
		"opening double": l.OpenDouble, "closing double": l.CloseDouble, "opening single": l.OpenSingle, "closing single": l.CloseSingle,
		"apostrophe": l.Apostrophe, "prime": l.Prime, "double prime": l.DoublePrime, "en dash": l.EnDash, "em dash": l.EmDash,
		"decimal point": l.DecimalPoint, "thousands separator": l.ThousandsSeparator,
	}
	if in.Word != nil {
		for name, key := range map[string]string{
			"Protected: %s": "protected_title", "Private: %s": "private_title", "Free": "free",
			"venue slug": "venue_base", "organizer slug": "organizer_base", "category slug": "category_base",
		} {
			texts[name] = in.Word(key)
		}
	}
	return texts
}

// localeConcerns says where the texts of a language are not those of the site's packs.
func localeConcerns(d *Document) []Concern {
	const name = "site.locale"
	locale := d.Text(Locale)
	english := typography.LocaleFor("")
	if locale != english.Name && typography.LocaleFor(locale).OpenDouble == english.OpenDouble {
		return []Concern{{Name: name, Found: locale + " is not built in: typographic marks, numbers, slugs and messages may be English", Advice: compareAdvice}}
	}
	ours := value[map[string]string](d, RenderedTexts)
	var differ []string
	for _, source := range []Name{Marks, PackTexts} {
		texts := value[map[string]string](d, source)
		for _, name := range slices.Sorted(maps.Keys(ours)) {
			theirs, ok := texts[name]
			if text := fmt.Sprintf("%s: %q in place of %q", name, theirs, ours[name]); ok && theirs != ours[name] && !slices.Contains(differ, text) {
				differ = append(differ, text)
			}
		}
	}
	switch {
	case len(differ) > 0:
		return []Concern{{Name: name, Found: "the texts of " + locale + " are not calbridge's: " + few(differ), Advice: compareAdvice}}
	case locale != english.Name && d.From(PackTexts) == "":
		return []Concern{{Name: name, Found: "the language packs of " + locale + " are not known: its texts are taken to be those of current packs", Advice: knowAdvice}}
	}
	return nil
}
