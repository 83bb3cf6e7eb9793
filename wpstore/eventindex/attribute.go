package eventindex

import (
	"cmp"
	"slices"
	"strings"
)

// tag is a kind of attribute.
type tag uint8

const (
	tagFlag tag = iota
	tagStatus
	tagAuthor
	tagParent
	tagLanguage
	tagLanguageTerm
	tagCategory
	tagTag
	tagVenue
	tagOrganizer
	tagCount
)

// Attributes that say yes or no.
const (
	flagUnreadable int64 = iota
	// flagRepeated marks the rows of an event that has several.
	flagRepeated
	flagNoStart
	flagNoStartUTC
	flagProtected
	flagBlank
	flagFeatured
	flagOddStatus   // the status isn't a plain text
	flagOddLanguage // nor is a language
	// flagGarbled and the numbers after it mark the columns whose date is garbled; the
	// date itself is null.
	flagGarbled
)

// attribute is something that rows have or lack: its tag in the upper four of 48
// bits, an id in the others.
type attribute uint64

const (
	idBits = 44
	rowBit = 16 // bits that a row takes below an attribute in a pair
	// maxID is the first id that no attribute can have.
	maxID = int64(1) << idBits
)

func attributeOf(t tag, id int64) attribute { return attribute(t)<<idBits | attribute(id) }

func (a attribute) tag() tag { return tag(a >> idBits) }

// representable reports whether an id fits into an attribute.
func representable(id int64) bool { return id >= 0 && id < maxID }

// plain reports whether every collation takes a text for another plain one exactly if
// their bytes are the same.
func plain(s string) bool {
	odd := func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' }
	return s != "" && len(s) <= maxPlain && !strings.ContainsFunc(s, odd)
}

const maxPlain = 64

// texts numbers the texts of attributes. It only grows.
type texts struct{ all []string }

func (t *texts) number(s string) (n int64, known bool) {
	n = int64(slices.Index(t.all, s))
	return n, n >= 0
}

// attribute returns that of a text, which gets a number if it has none yet; odd is the flag
// for a text that can't be compared by bytes. Copies of t don't change.
func (t *texts) attribute(tag tag, s string, odd int64) attribute {
	if !plain(s) {
		return attributeOf(tagFlag, odd)
	}
	n, known := t.number(s)
	if !known {
		n = int64(len(t.all))
		t.all = append(slices.Clip(t.all), s)
	}
	return attributeOf(tag, n)
}

// attributes appends all attributes of an event, sorted.
func (t *texts) attributes(out []attribute, e *event) []attribute {
	first := len(out)
	add := func(tag tag, ids ...int64) {
		for _, id := range ids {
			if representable(id) {
				out = append(out, attributeOf(tag, id))
			}
		}
	}
	flag := func(set bool, flag int64) {
		if set {
			add(tagFlag, flag)
		}
	}
	flag(e.Unreadable, flagUnreadable)
	flag(e.Protected, flagProtected)
	flag(e.Blank, flagBlank)
	flag(e.Featured, flagFeatured)
	flag(len(e.Dates) > 1, flagRepeated)
	out = append(out, t.attribute(tagStatus, e.Status, flagOddStatus))
	for _, language := range e.Languages {
		out = append(out, t.attribute(tagLanguage, language, flagOddLanguage))
	}
	add(tagAuthor, e.Author)
	add(tagParent, e.Parent)
	add(tagLanguageTerm, e.LanguageTerms...)
	add(tagCategory, e.Categories...)
	add(tagTag, e.Tags...)
	add(tagVenue, e.Venues...)
	add(tagOrganizer, e.Organizers...)
	return out[:first+len(sortedSet(out[first:]))]
}

// sortedSet sorts values and removes duplicates, in place.
func sortedSet[S ~[]T, T cmp.Ordered](values S) S {
	slices.Sort(values)
	return slices.Compact(values)
}

// row is one row of an event, with its attributes.
type row struct {
	id         int64
	published  date
	dates      [columns]date
	attributes []attribute
}

// Columns of dates.
const (
	columnStart = iota
	columnEnd
	columnStartUTC
	columnEndUTC
	columns
)

// rowBuilder collects the rows of events.
type rowBuilder struct {
	texts      texts
	rows       []row
	attributes []attribute // of the rows
}

// reset forgets the rows. Its memory is reused.
func (b *rowBuilder) reset() { b.rows, b.attributes = b.rows[:0], b.attributes[:0] }

// add adds the rows of an event.
func (b *rowBuilder) add(e *event) {
	if len(e.Dates) == 0 {
		return
	}
	first := len(b.attributes)
	b.attributes = b.texts.attributes(b.attributes, e)
	shared := slices.Clip(b.attributes[first:])
	for _, d := range e.Dates {
		r := row{e.ID, e.Published, [columns]date{d.Start, d.End, d.StartUTC, d.EndUTC}, shared}
		flag := func(set bool, flag int64) {
			if set {
				r.attributes = append(slices.Clip(r.attributes), attributeOf(tagFlag, flag))
				slices.Sort(r.attributes)
			}
		}
		flag(d.Start == missing, flagNoStart)
		flag(d.StartUTC == missing, flagNoStartUTC)
		for column, date := range r.dates {
			if date == garbled {
				r.dates[column] = null
				flag(true, flagGarbled+int64(column))
			}
		}
		b.rows = append(b.rows, r)
	}
}
