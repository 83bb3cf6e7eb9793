package sitefacts

import (
	"cmp"
	"maps"

	"calbridge/rest/wptext/typography"
	"calbridge/wpstore/langpack"
)

// packTexts returns the texts of the site's language packs by the names of [langpack.Texts],
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

// reportedTexts returns those texts of the language packs that the companion plugin reports.
func reportedTexts(f *companionFacts) any {
	texts := map[string]string{}
	for _, t := range langpack.Texts() {
		text, ok := f.Texturize[cmp.Or(t.Context, t.Original)]
		if text == t.Original {
			text = t.Default
		}
		if ok {
			texts[t.Name] = text
		}
	}
	return someMap(texts)
}

// agreeingTexts compares the texts that both sources have: a source may lack some.
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

// Packs returns the site's language packs, nil where they are not known.
func (d *Document) Packs() *langpack.Packs { return d.packs }

// FurtherPacks returns the packs of the other languages of a language plugin by locale, as far as
// they are known.
func (d *Document) FurtherPacks() map[string]*langpack.Packs { return d.further }

func furtherPacks(f *folder) map[string]*langpack.Packs {
	if f == nil {
		return nil
	}
	all := map[string]*langpack.Packs{}
	for locale, packs := range f.Further {
		all[locale] = &packs
	}
	return all
}

// LanguageTexts returns the known texts of the site's language, by the names of
// [langpack.Texts]: those that the companion plugin reports, else those of the packs.
func (d *Document) LanguageTexts() map[string]string {
	texts := map[string]string{}
	maps.Copy(texts, value[map[string]string](d, PackTexts))
	maps.Copy(texts, value[map[string]string](d, Marks))
	return texts
}

// packsOf returns the language packs of the folder; without one, of the texts that the
// companion plugin reports.
func packsOf(in *Inputs) *langpack.Packs {
	switch {
	case in.Folder != nil:
		return &in.Folder.Packs
	case in.Companion.Known("texturize") && in.Companion.Texturize["Free"] != "": // of a plugin that reports all
		texts, _ := reportedTexts(in.Companion).(map[string]string)
		return langpack.PacksOf(texts)
	}
	return nil
}

// localeConcerns names the texts of a language that are not known.
func localeConcerns(d *Document) []Concern {
	locale := d.Text(Locale)
	switch {
	case locale == "en_US" || d.From(PackTexts) != "":
		return nil
	case d.packs != nil:
		return []Concern{{Name: "site.locale", Found: "the language packs of " + locale + " can't be read: messages of errors and descriptions may be English", Advice: "Let calbridge read the WordPress folder with --wordpress-dir, or record the site's wording for --profile."}}
	}
	built := ": typographic marks, numbers, slugs and messages may be English"
	if typography.LocaleFor(locale).OpenDouble != typography.LocaleFor("").OpenDouble {
		built = ": its texts are taken to be those of current packs"
	}
	return []Concern{{Name: "site.locale", Found: "the language packs of " + locale + " are not known" + built, Advice: knowAdvice}}
}
