package loader

import (
	"iter"
	"strconv"

	"calbridge/rest/api"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// IDs returns the posts of one stored link: an id, or, on old sites, a serialized list.
func IDs(raw string) []int64 {
	if id, ok := plainID(raw); ok {
		return []int64{id}
	}
	var ids []int64
	add := func(v php.Value) {
		if id := php.ToInt(v); id > 0 {
			ids = append(ids, id)
		}
	}
	switch v := phpserial.Maybe(raw).(type) {
	case *php.Array:
		for _, element := range v.All() {
			add(element)
		}
	default:
		add(v)
	}
	return ids
}

// First returns the id as which structured data reads a stored link: its integer value, which for a
// list is 1.
func First(raw string) int64 {
	if id, ok := plainID(raw); ok {
		return id
	}
	return php.ToInt(phpserial.Maybe(raw))
}

// IsList reports whether a stored link is a serialized list.
func IsList(raw string) bool {
	if _, ok := plainID(raw); ok {
		return false
	}
	_, ok := phpserial.Maybe(raw).(*php.Array)
	return ok
}

// Each returns the posts of one kind that an event links to, and what structured data
// takes for the first of them.
func Each(m wpstore.Meta, kind *api.PostKind) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		first := true
		for raw := range m.Each(kind.LinkKey) {
			if id, ok := plainID(raw); ok {
				if !yield(id) {
					return
				}
				first = false
				continue
			}
			ids := IDs(raw)
			if first {
				ids = append(ids, First(raw))
			}
			first = false
			for _, id := range ids {
				if !yield(id) {
					return
				}
			}
		}
	}
}

// Append appends to ids the posts of all kinds that an event links to.
func Append(ids []int64, m wpstore.Meta) []int64 {
	for _, kind := range [...]*api.PostKind{api.Venues, api.Organizers} {
		for id := range Each(m, kind) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Picture returns the id of the attachment that a post shows as its picture, 0 for none.
func Picture(m wpstore.Meta) int64 {
	return m.Field(wpstore.MetaThumbnail).Int()
}

// plainID reads a link as nearly all are stored: digits, and neither zero nor more than
// an id can be. It is a fast path past PHP's values.
func plainID(raw string) (int64, bool) {
	if len(raw) == 0 || len(raw) > 18 || raw[0] == '0' {
		return 0, false
	}
	id, err := strconv.ParseUint(raw, 10, 63)
	return int64(id), err == nil
}
