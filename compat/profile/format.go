package profile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"

	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// Format is the value of a profile's "format" member. A reader refuses other values,
// and ignores unknown members.
const Format = "calbridge-profile/1"

// Profile is a site's wording: the texts of its answers that neither its database nor
// the API determines, because they come from WordPress's language files. It contains no
// id, path, title or answer of any single exchange. compat/README.md, "Profiles",
// describes the format.
type Profile struct {
	Format    string `json:"format"`
	Generator string `json:"generator,omitempty"`
	// Languages holds the wording of the site's own root as "default", and for each
	// language root the texts that differ from it.
	Languages map[string]*Wording `json:"languages"`

	// Warnings name texts about which the recordings disagree.
	Warnings []string `json:"-"`
}

// Wording is the wording of one language. Every section may be absent, and any
// key of a section: a reader then uses its own text.
type Wording struct {
	// Errors maps an error code to the template of its message, HTML included. Its
	// placeholders are {params}, {param}, {type}, {enum}, {id}, {slug}, {login} and
	// {fields}.
	Errors map[string]string `json:"errors,omitempty"`
	// Args holds descriptions of arguments: by route pattern without the namespace,
	// by the endpoint's methods joined with ",", by argument.
	Args map[string]map[string]map[string]string `json:"args,omitempty"`
	// Doc holds the texts of the OpenAPI document by JSON Pointer (RFC 6901).
	Doc map[string]string `json:"doc,omitempty"`
	// Words are single words and patterns inside values, without HTML escapes.
	Words map[string]string `json:"words,omitempty"`
	// Blocks holds the output of the calendar plugin's dynamic blocks inside a
	// description, by block name ("tribe/event-venue").
	Blocks map[string]string `json:"blocks,omitempty"`
	// Pages holds HTML pages that WordPress shows for errors, by the key of the error's message:
	// "wp_die.archived", "wp_die.deleted" and "wp_die.inactive" for the closed sites of a network.
	Pages map[string]string `json:"pages,omitempty"`
}

// Write writes the profile as indented JSON with sorted keys, so that the same
// recordings give the same bytes.
func (p *Profile) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(p)
}

// WriteFile writes the profile to a file. The file appears only when it is complete.
func (p *Profile) WriteFile(file string) error {
	part := file + ".part"
	err := recording.WriteFile(part, p.Write)
	if err == nil {
		err = os.Rename(part, file)
	}
	if err != nil {
		os.Remove(part)
		return fmt.Errorf("profile cannot be written: %w", err)
	}
	return nil
}

// MergeFile adds the texts of another file, which take precedence over existing ones.
// The file is a profile, or only the sections of the default wording, or
// {"html": {block name: HTML}} for the default's blocks.
func (p *Profile) MergeFile(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("file to merge cannot be read: %w", err)
	}
	var other struct {
		Format    string              `json:"format"`
		Languages map[string]*Wording `json:"languages"`
		Wording
		HTML map[string]string `json:"html"`
	}
	if err := json.Unmarshal(data, &other); err != nil {
		return fmt.Errorf("file to merge %s is not as expected: %w", file, err)
	}
	if other.Format != "" && other.Format != Format {
		return fmt.Errorf("file to merge %s has format %q, expected %q", file, other.Format, Format)
	}
	if other.Languages == nil && other.HTML == nil && other.Wording.empty() {
		return fmt.Errorf("file to merge %s: %w", file, errors.New("no section of a profile in it"))
	}
	for code, wording := range other.Languages {
		if wording != nil {
			p.language(code).merge(wording)
		}
	}
	p.language(wprest.DefaultLanguage).merge(&other.Wording)
	// A block name has a namespace; other members are comments.
	maps.DeleteFunc(other.HTML, func(name, _ string) bool { return !strings.Contains(name, "/") })
	p.language(wprest.DefaultLanguage).merge(&Wording{Blocks: other.HTML})
	return nil
}

func (p *Profile) language(code string) *Wording {
	if p.Languages == nil {
		p.Languages = map[string]*Wording{}
	}
	if p.Languages[code] == nil {
		p.Languages[code] = &Wording{}
	}
	return p.Languages[code]
}

func (w *Wording) empty() bool {
	return len(w.Errors)+len(w.Args)+len(w.Doc)+len(w.Words)+len(w.Blocks)+len(w.Pages) == 0
}
