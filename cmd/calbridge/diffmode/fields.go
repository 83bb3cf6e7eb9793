package diffmode

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"sync"
	"time"

	"calbridge/compat/diff"
)

// maxFields bounds the fields that are counted: their names are WordPress's, and a plugin may
// make new ones for each answer. maxFieldName bounds a name, in bytes.
const maxFields, maxFieldName = 300, 120

// OtherFields is the name of all fields beyond those that are counted one by one.
const OtherFields = "(others)"

// Field counts in how many answers of a route a field, a header or the status differed. It
// has no values: they may be confidential.
type Field struct {
	Route string `json:"route"`
	// Part is the part of the answer; Name is the header's name or the path in the JSON,
	// without the places in lists, and "" for the status and for bytes that mean the same.
	Part  string    `json:"part"`
	Name  string    `json:"name"`
	Kind  string    `json:"kind"` // the level of the difference
	Total int       `json:"total"`
	Last  time.Time `json:"last"`
}

type fieldKey struct{ route, part, name, kind string }

// fields counts differences by field. It is safe for concurrent use.
type fields struct {
	now  func() time.Time
	mu   sync.Mutex
	seen map[fieldKey]*Field
}

func newFields(now func() time.Time) *fields {
	return &fields{now: now, seen: map[fieldKey]*Field{}}
}

var numbers = regexp.MustCompile(`\d+`)

// add counts the fields that differ in an answer, each once.
func (f *fields) add(route string, differences []diff.Difference) {
	keys := map[fieldKey]bool{}
	for _, d := range differences {
		if d.Known != 0 {
			continue
		}
		key := fieldKey{route: route, part: string(d.Part), kind: string(d.Level)}
		if d.Level != diff.LevelBytes {
			key.name = numbers.ReplaceAllString(d.Where[:min(len(d.Where), maxFieldName)], "")
		}
		keys[key] = true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for key := range keys {
		if f.seen[key] == nil && len(f.seen) >= maxFields {
			key = fieldKey{name: OtherFields}
		}
		if f.seen[key] == nil {
			f.seen[key] = &Field{Route: key.route, Part: key.part, Name: key.name, Kind: key.kind}
		}
		f.seen[key].Total++
		f.seen[key].Last = f.now()
	}
}

// list returns the fields, the most frequent first.
func (f *fields) list() []Field {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []Field
	for field := range maps.Values(f.seen) {
		list = append(list, *field)
	}
	slices.SortFunc(list, func(a, b Field) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Route, b.Route), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind))
	})
	return list
}
