package compat

// The sections of a wording, by their JSON names.
const (
	sectionErrors = "errors"
	sectionArgs   = "args"
	sectionDoc    = "doc"
	sectionWords  = "words"
	sectionBlocks = "blocks"
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
	}
	return &w.Blocks
}

func (w *Wording) set(s slot, text string) {
	if s.section == sectionArgs {
		if w.Args == nil {
			w.Args = map[string]map[string]map[string]string{}
		}
		if w.Args[s.key] == nil {
			w.Args[s.key] = map[string]map[string]string{}
		}
		if w.Args[s.key][s.methods] == nil {
			w.Args[s.key][s.methods] = map[string]string{}
		}
		w.Args[s.key][s.methods][s.name] = text
		return
	}
	m := w.section(s.section)
	if *m == nil {
		*m = map[string]string{}
	}
	(*m)[s.key] = text
}

// each calls visit with every text, in no particular order.
func (w *Wording) each(visit func(slot, string)) {
	for _, section := range []string{sectionErrors, sectionDoc, sectionWords, sectionBlocks} {
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

// tally counts the texts that were seen for one slot. Texts seen in a way that
// may mislead are counted with no weight: they are used only when there is
// nothing better.
type tally struct {
	texts  []string
	counts []int
}

func (t *tally) add(text string, weight int) {
	for i, have := range t.texts {
		if have == text {
			t.counts[i] += weight
			return
		}
	}
	t.texts = append(t.texts, text)
	t.counts = append(t.counts, weight)
}

// best is the text seen most often; of several the shortest, then the one seen first.
func (t *tally) best() string {
	best := 0
	for i := range t.texts {
		more := t.counts[i] > t.counts[best]
		if more || (t.counts[i] == t.counts[best] && len(t.texts[i]) < len(t.texts[best])) {
			best = i
		}
	}
	return t.texts[best]
}

// disputed reports whether several texts were seen with weight.
func (t *tally) disputed() bool {
	n := 0
	for _, count := range t.counts {
		if count > 0 {
			n++
		}
	}
	return n > 1
}

// ballot holds the tallies of one language root.
type ballot map[slot]*tally

func (b ballot) add(s slot, text string, weight int) {
	t := b[s]
	if t == nil {
		t = new(tally)
		b[s] = t
	}
	t.add(text, weight)
}
