package api

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"calbridge/i18n"
	"calbridge/wpstore/langpack"
)

// Profile is a site's own wording, as written by "calbridge profile" and "calbridge record". The
// packages share its JSON format but no code.
type Profile struct {
	Format    string                     `json:"format"`
	Languages map[string]*profileWording `json:"languages"`
}

// profileWording is the wording of one language. Sections and keys may be absent.
type profileWording struct {
	Errors map[string]string                       `json:"errors"`
	Args   map[string]map[string]map[string]string `json:"args"`
	Doc    map[string]string                       `json:"doc"`
	Words  map[string]string                       `json:"words"`
	Blocks map[string]string                       `json:"blocks"`
	Pages  map[string]string                       `json:"pages"`
}

const (
	profileFormat   = "calbridge-profile/1"
	profileLanguage = "default"
)

// LoadProfile reads a profile file.
func LoadProfile(file string) (*Profile, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p := new(Profile)
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("%s is not a JSON profile: %w", file, err)
	}
	if p.Format != profileFormat {
		return nil, fmt.Errorf("%s has format %q; this version reads %q: build it again with `calbridge profile build`", file, p.Format, profileFormat)
	}
	return p, nil
}

// Wording holds the texts of responses in one language: those of the site profile, else ours, else
// our English ones. If the site's language packs are known, they translate English texts of the
// profile.
type Wording struct {
	profile    []*profileWording // most specific first
	catalogues [2]*i18n.Catalogue
	packs      *langpack.Packs   // nil if unknown
	packWords  map[string]string // words as the packs translate them
}

// NewWording returns the wording of a language; p and packs may be nil.
func NewWording(p *Profile, language string, packs *langpack.Packs) *Wording {
	all := i18n.Catalogues()
	w := &Wording{catalogues: [2]*i18n.Catalogue{cmp.Or(all[i18n.Wording(language)], all["en"]), all["en"]}, packs: packs}
	if p != nil {
		for _, key := range []string{language, profileLanguage} {
			if pw := p.Languages[key]; pw != nil {
				w.profile = append(w.profile, pw)
			}
		}
	}
	if packs != nil {
		w.translateWords()
	}
	return w
}

// translated returns a text of the profile, translated if it is English and a pack has it. Error
// codes of the calendar are written with hyphens, those of WordPress with underscores.
func (w *Wording) translated(text string, calendar bool) string {
	if w.packs == nil {
		return text
	}
	return w.packs.Template(text, calendar)
}

// profiled returns the profile's text under key.
func (w *Wording) profiled(section func(*profileWording) map[string]string, key string) (string, bool) {
	for _, p := range w.profile {
		if text, ok := section(p)[key]; ok {
			return text, true
		}
	}
	return "", false
}

// own returns our text under key. A key without a text stands for itself.
func (w *Wording) own(section func(*i18n.Catalogue) map[string]string, key string) string {
	for _, c := range w.catalogues {
		if text, ok := section(c)[key]; ok {
			return text
		}
	}
	return key
}

func ownArguments(c *i18n.Catalogue) map[string]string { return c.Arguments }
func ownDocuments(c *i18n.Catalogue) map[string]string { return c.Documents }

// Message returns the message of an error code with its placeholders filled.
func (w *Wording) Message(code string, vars map[string]string) string {
	text, ok := w.profiled(func(p *profileWording) map[string]string { return p.Errors }, code)
	if ok {
		text = w.translated(text, strings.Contains(code, "-"))
	} else {
		text = w.own(func(c *i18n.Catalogue) map[string]string { return c.Errors }, code)
	}
	pairs := make([]string, 0, 2*len(vars))
	for name, value := range vars {
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// Page returns the HTML page that WordPress shows for an error; ok is false if the profile lacks it.
func (w *Wording) Page(key string) (html string, ok bool) {
	return w.profiled(func(p *profileWording) map[string]string { return p.Pages }, key)
}

// List joins values as a sentence lists them.
func (w *Wording) List(values []string) string {
	last := len(values) - 1
	switch {
	case last <= 0:
		return strings.Join(values, "")
	case last == 1:
		return values[0] + w.Word("list_pair_separator") + values[1]
	}
	return strings.Join(values[:last], w.Word("list_separator")) + w.Word("list_last_separator") + values[last]
}

// Argument returns the description of an argument in the index. The language parameter
// has the same description under any name.
func (w *Wording) Argument(pattern string, methods []string, name string, language bool) string {
	for _, p := range w.profile {
		if text, ok := p.Args[pattern][strings.Join(methods, ",")][name]; ok {
			return w.translated(text, true)
		}
	}
	if language {
		name = "language"
	}
	return w.own(ownArguments, name)
}

func (w *Wording) profiledDocument(pointer string) (string, bool) {
	text, ok := w.profiled(func(p *profileWording) map[string]string { return p.Doc }, pointer)
	return w.translated(text, true), ok
}

// DocumentArgument returns the description of an argument in the OpenAPI document.
func (w *Wording) DocumentArgument(pointer, pattern string, methods []string, name string, language bool) string {
	if text, ok := w.profiledDocument(pointer); ok {
		return text
	}
	return w.Argument(pattern, methods, name, language)
}

// Document returns the text at a JSON pointer of the reference's OpenAPI document, or else
// [Wording.Described] of generic.
func (w *Wording) Document(pointer, generic string) string {
	if text, ok := w.profiledDocument(pointer); ok {
		return text
	}
	return w.Described(generic)
}

// Described returns our own description of "Schema.field". Without one, it returns the description
// of the field or of the argument of the same name, or else the name.
func (w *Wording) Described(generic string) string {
	_, field, _ := strings.Cut(generic, ".")
	for _, key := range []string{generic, field} {
		if text := w.own(ownDocuments, key); text != key {
			return text
		}
	}
	return w.own(ownArguments, field)
}

// Word returns a word that appears in values or URLs.
func (w *Wording) Word(key string) string {
	if text, ok := w.packWords[key]; ok {
		return text
	}
	if text, ok := w.profiled(profiledWords, key); ok {
		return text
	}
	return w.own(ownWords, key)
}

func profiledWords(p *profileWording) map[string]string { return p.Words }
func ownWords(c *i18n.Catalogue) map[string]string      { return c.Words }

// translateWords finds the packs' translations of all words. A word without a translation stays
// English.
func (w *Wording) translateWords() {
	w.packWords = map[string]string{}
	for key, english := range w.catalogues[1].Words {
		if text, ok := w.profiled(profiledWords, key); ok {
			english = text
		}
		w.packWords[key] = w.packWord(key, english)
	}
	w.packWords["united_states"] = w.packWord("united_states", "United States")
}

func (w *Wording) packWord(key, english string) string {
	switch {
	case strings.HasPrefix(key, "list_"): // between the values of a list
		pair := w.packs.Template("{first}"+english+"{second}", false)
		return strings.TrimSuffix(strings.TrimPrefix(pair, "{first}"), "{second}")
	case strings.HasSuffix(key, "_title"):
		return strings.Replace(w.packs.Template(strings.Replace(english, "%s", "{title}", 1), false), "{title}", "%s", 1)
	}
	lookup := func(text string) (string, bool) { return w.packs.Calendar.Lookup("", text) }
	switch key { // their context is not known
	case "range_separator":
		lookup = w.packs.Calendar.LookupAnywhere
	case "calendar_description", "content_protected":
		lookup = func(text string) (string, bool) {
			if translation, ok := w.packs.Calendar.Lookup("", text); ok {
				return translation, true
			}
			return w.packs.Calendar.LookupAnywhere(text)
		}
	}
	if text, ok := lookup(english); ok {
		return text
	}
	return english
}

// RecordedWord returns a word that was recorded from the site, "" for one that wasn't.
func (w *Wording) RecordedWord(key string) string {
	text, _ := w.profiled(func(p *profileWording) map[string]string { return p.Words }, key)
	return text
}

// Blocks returns the HTML of blocks that only the site can render.
func (w *Wording) Blocks() map[string]string {
	for _, p := range w.profile {
		if p.Blocks != nil {
			return p.Blocks
		}
	}
	return nil
}
