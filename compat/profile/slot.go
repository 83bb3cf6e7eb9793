package profile

// The sections of a wording, by their JSON names.
const (
	sectionErrors = "errors"
	sectionArgs   = "args"
	sectionDoc    = "doc"
	sectionWords  = "words"
	sectionBlocks = "blocks"
	sectionPages  = "pages"
)

// slot is the place of one text in a wording: a section and the key in it. Only
// args have three keys: route, methods, argument.
type slot struct {
	section, key  string
	methods, name string
}

func (w *Wording) section(name string) *map[string]string {
	switch name {
	case sectionErrors:
		return &w.Errors
	case sectionDoc:
		return &w.Doc
	case sectionWords:
		return &w.Words
	case sectionPages:
		return &w.Pages
	}
	return &w.Blocks
}

func (w *Wording) set(s slot, text string) {
	if s.section == sectionArgs {
		endpoints := w.Args[s.key]
		w.Args = put(w.Args, s.key, put(endpoints, s.methods, put(endpoints[s.methods], s.name, text)))
		return
	}
	section := w.section(s.section)
	*section = put(*section, s.key, text)
}

// put sets a key of a map, which may be nil.
func put[V any](m map[string]V, key string, value V) map[string]V {
	if m == nil {
		m = map[string]V{}
	}
	m[key] = value
	return m
}

// merge adds the texts of another wording, which take precedence.
func (w *Wording) merge(other *Wording) { other.each(w.set) }

// each calls visit with every text, in no particular order.
func (w *Wording) each(visit func(slot, string)) {
	for _, section := range []string{sectionErrors, sectionDoc, sectionWords, sectionBlocks, sectionPages} {
		for key, text := range *w.section(section) {
			visit(slot{section: section, key: key}, text)
		}
	}
	for route, endpoints := range w.Args {
		for methods, args := range endpoints {
			for name, text := range args {
				visit(slot{section: sectionArgs, key: route, methods: methods, name: name}, text)
			}
		}
	}
}
