package api

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"calbridge/i18n"
)

// Profile is a site's own wording, recorded off that site by "calbridge profile"
// or "calbridge record": a format of data that package compat writes and this
// package reads, without sharing code.
type Profile struct {
	Format    string                     `json:"format"`
	Languages map[string]*profileWording `json:"languages"`
}

// profileWording is the wording of one language; every section and every key of
// one may be absent.
type profileWording struct {
	Errors map[string]string                       `json:"errors"`
	Args   map[string]map[string]map[string]string `json:"args"`
	Doc    map[string]string                       `json:"doc"`
	Words  map[string]string                       `json:"words"`
	Blocks map[string]string                       `json:"blocks"`
}

const (
	profileFormat   = "calbridge-profile/1"
	profileLanguage = "default"
)

// LoadProfile reads a profile file.
func LoadProfile(file string) (*Profile, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	p := new(Profile)
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("profile %s is no JSON profile: %w", file, err)
	}
	if p.Format != profileFormat {
		return nil, fmt.Errorf("profile %s has format %q; this version reads %q: build it anew with `calbridge profile build`", file, p.Format, profileFormat)
	}
	return p, nil
}

// Wording answers what to call things: in the words of the site profile, else in
// ours.
type Wording struct {
	profile []*profileWording // most specific first
	own     *i18n.Catalogue
	english *i18n.Catalogue
}

func NewWording(p *Profile, language string) *Wording {
	all := i18n.Catalogues()
	w := &Wording{own: all[i18n.Wording(language)], english: all["en"]}
	if w.own == nil {
		w.own = w.english
	}
	if p != nil {
		for _, key := range []string{language, profileLanguage} {
			if pw := p.Languages[key]; pw != nil {
				w.profile = append(w.profile, pw)
			}
		}
	}
	return w
}

// Message returns the message of an error code with its placeholders filled.
func (w *Wording) Message(code string, vars map[string]string) string {
	text, ok := "", false
	for _, p := range w.profile {
		text, ok = p.Errors[code]
		if ok {
			break
		}
	}
	if !ok {
		text = pick(w.own.Errors, w.english.Errors, code)
	}
	return fill(text, vars)
}

// List joins values as a sentence names them.
func (w *Wording) List(values []string) string {
	switch n := len(values); n {
	case 0:
		return ""
	case 1:
		return values[0]
	case 2:
		return values[0] + w.Word("list_pair_separator") + values[1]
	default:
		return strings.Join(values[:n-1], w.Word("list_separator")) + w.Word("list_last_separator") + values[n-1]
	}
}

func fill(text string, vars map[string]string) string {
	if len(vars) == 0 || !strings.Contains(text, "{") {
		return text
	}
	pairs := make([]string, 0, 2*len(vars))
	for name, value := range vars {
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// Argument returns the description of an argument in the index. The language
// parameter has one of ours whatever its name.
func (w *Wording) Argument(pattern string, methods []string, name string, language bool) string {
	for _, p := range w.profile {
		if text, ok := p.Args[pattern][strings.Join(methods, ",")][name]; ok {
			return text
		}
	}
	if language {
		return pick(w.own.Arguments, w.english.Arguments, "language")
	}
	return pick(w.own.Arguments, w.english.Arguments, name)
}

// DocumentArgument returns the description of an argument in the OpenAPI
// document.
func (w *Wording) DocumentArgument(pointer, pattern string, methods []string, name string, language bool) string {
	for _, p := range w.profile {
		if text, ok := p.Doc[pointer]; ok {
			return text
		}
	}
	return w.Argument(pattern, methods, name, language)
}

// Document returns the text at a JSON pointer of the OpenAPI document; generic
// names our own: "Schema.field", of which the field alone will do, or what the
// Argument of that name says.
func (w *Wording) Document(pointer, generic string) string {
	for _, p := range w.profile {
		if text, ok := p.Doc[pointer]; ok {
			return text
		}
	}
	if text := pick(w.own.Documents, w.english.Documents, generic); text != generic {
		return text
	}
	_, field, _ := strings.Cut(generic, ".")
	if text := pick(w.own.Documents, w.english.Documents, field); text != field {
		return text
	}
	return pick(w.own.Arguments, w.english.Arguments, field)
}

// Word returns a word that shows up in values or URLs.
func (w *Wording) Word(key string) string {
	for _, p := range w.profile {
		if text, ok := p.Words[key]; ok {
			return text
		}
	}
	return pick(w.own.Words, w.english.Words, key)
}

// Blocks returns the HTML of blocks that only the site can tell.
func (w *Wording) Blocks() map[string]string {
	for _, p := range w.profile {
		if p.Blocks != nil {
			return p.Blocks
		}
	}
	return nil
}

// pick returns the text under key, from the first catalogue that has it; a key
// without any text stands for itself.
func pick(own, fallback map[string]string, key string) string {
	if text, ok := own[key]; ok {
		return text
	}
	if text, ok := fallback[key]; ok {
		return text
	}
	return key
}
