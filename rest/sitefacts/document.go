package sitefacts

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"calbridge/wpstore/langpack"
)

// Source is where a fact comes from.
type Source string

// The sources, the nearest to PHP first; what the owner has set goes before all.
const (
	Setting   Source = "setting"
	Companion Source = "companion plugin"
	Files     Source = "WordPress folder"
	Config    Source = "wp-config.php"
	Profile   Source = "profile"
	Database  Source = "database"
	Default   Source = "default"
)

// Sources lists all sources in their order.
func Sources() []Source {
	return []Source{Setting, Companion, Files, Config, Profile, Database, Default}
}

// Fact is one fact about a site.
type Fact struct {
	About  string `json:"about"`
	Value  any    `json:"value"`
	Source Source `json:"source"`
	// Others are the values of the sources that disagree.
	Others map[Source]any `json:"others,omitempty"`
}

// Document has the facts of a site by name. A fact that no source reports is absent.
type Document struct {
	facts map[string]Fact
	packs *langpack.Packs
	// further are the packs of the other languages of a language plugin, by locale.
	further map[string]*langpack.Packs
}

// New combines the facts of all sources.
func New(in Inputs) *Document {
	d := &Document{facts: map[string]Fact{}, packs: packsOf(&in), further: furtherPacks(in.Folder)}
	for _, r := range table() {
		f := Fact{About: r.about}
		for _, source := range Sources() {
			get := r.from[source]
			if get == nil {
				continue
			}
			value := get(&in)
			switch {
			case value == nil:
			case f.Source == "":
				f.Value, f.Source = value, source
			case source != Default && f.Source != Setting && !r.agree(f.Value, value):
				if f.Others == nil {
					f.Others = map[Source]any{}
				}
				f.Others[source] = value
			}
		}
		if f.Source != "" {
			d.facts[r.name] = f
		}
	}
	return d
}

// Fact returns a fact; ok is false if no source reports it.
func (d *Document) Fact(name Name) (f Fact, ok bool) {
	f, ok = d.facts[string(name)]
	return f, ok
}

// Text returns a fact that is a text, "" where it is not known.
func (d *Document) Text(name Name) string { return value[string](d, name) }

// Texts returns a fact that is a list.
func (d *Document) Texts(name Name) []string { return value[[]string](d, name) }

// Is reports whether a fact is known and true.
func (d *Document) Is(name Name) bool { return value[bool](d, name) }

// From returns the source of a fact, "" where it is not known.
func (d *Document) From(name Name) Source { return d.facts[string(name)].Source }

func value[T any](d *Document, name Name) T {
	v, _ := d.facts[string(name)].Value.(T)
	return v
}

// MarshalJSON writes an object of facts by name.
func (d *Document) MarshalJSON() ([]byte, error) { return json.Marshal(d.facts) }

// Disagreements describes the facts on which sources disagree.
func (d *Document) Disagreements() []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(d.facts)) {
		f := d.facts[name]
		if len(f.Others) == 0 {
			continue
		}
		text := fmt.Sprintf("%s: %s says %s", name, f.Source, show(f.Value))
		for _, source := range Sources() {
			if other, ok := f.Others[source]; ok {
				text += fmt.Sprintf(", %s says %s", source, show(other))
			}
		}
		list = append(list, text)
	}
	return list
}

// Changes describes how the facts differ from those of an earlier document.
func (d *Document) Changes(earlier *Document) []string {
	names := map[string]bool{}
	for name := range d.facts {
		names[name] = true
	}
	for name := range earlier.facts {
		names[name] = true
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, after := earlier.facts[name].Value, d.facts[name].Value
		if !reflect.DeepEqual(before, after) {
			list = append(list, fmt.Sprintf("%s: %s, was %s", name, show(after), show(before)))
		}
	}
	return list
}

// show writes a value for people, shortened.
func show(v any) string {
	const most = 300
	if v == nil {
		return "unknown"
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return "?"
	}
	text := strings.TrimSpace(b.String())
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
