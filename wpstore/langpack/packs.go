package langpack

// Packs are the language packs of a site; nil for those that it lacks.
type Packs struct {
	Core, Calendar, Common *Catalogue
}

// domain returns the pack of a text domain.
func (p *Packs) domain(name string) *Catalogue {
	return map[string]*Catalogue{Core: p.Core, Calendar: p.Calendar, Common: p.Common}[name]
}

// Texts returns the packs' translations of [Texts], by name.
func (p *Packs) Texts() map[string]string {
	found := map[string]string{}
	for _, t := range Texts() {
		if translation, ok := p.domain(t.Domain).Lookup(t.Context, t.Original); ok {
			found[t.Name] = translation
		}
	}
	return found
}

// Template translates a template of WordPress or, if calendar is set, of the calendar,
// whose texts WordPress's own packs never translate. It returns the template itself if no
// pack has it.
func (p *Packs) Template(template string, calendar bool) string {
	order := []*Catalogue{p.Core}
	if calendar {
		order = []*Catalogue{p.Calendar, p.Common}
	}
	for _, c := range order {
		if translation, ok := c.Template(template); ok {
			return translation
		}
	}
	return template
}

// PacksOf returns packs that have only the texts of [Texts], by name.
func PacksOf(texts map[string]string) *Packs {
	catalogues := map[string]*Catalogue{}
	for _, t := range Texts() {
		c := catalogues[t.Domain]
		if c == nil {
			c = &Catalogue{messages: map[string]string{}}
			catalogues[t.Domain] = c
		}
		original := t.Original
		if t.Context != "" {
			original = t.Context + "\x04" + original
		}
		c.add(original, texts[t.Name])
	}
	return &Packs{Core: catalogues[Core], Calendar: catalogues[Calendar], Common: catalogues[Common]}
}
