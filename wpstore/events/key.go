package events

import (
	"encoding/binary"

	"calbridge/i18n"
	"calbridge/wpstore"
)

// eventKey is equal for equal statements only: for the same queries, the other one
// included, and the same variant, see [langplugin.Plugins.JoinVariant].
func eventKey(variant string, q, other *wpstore.EventQuery) string {
	k := &keyBuffer{buf: make([]byte, 0, 256)}
	k.text(variant)
	k.event(q)
	if k.flag(other != nil); other != nil {
		k.event(other)
	}
	return string(k.buf)
}

// keyBuffer joins values so that different ones never look the same.
type keyBuffer struct{ buf []byte }

func (k *keyBuffer) event(q *wpstore.EventQuery) {
	k.texts(q.Statuses)
	if k.flag(q.Own != nil); q.Own != nil {
		k.number(q.Own.Author)
		k.texts(q.Own.Statuses)
	}
	k.length(len(q.Bounds), q.Bounds == nil)
	for _, b := range q.Bounds {
		k.flag(b.End)
		k.text(b.Op)
		k.text(b.Value)
	}
	for _, f := range []bool{q.UTC, q.Order.ByPublication, q.Order.UTC, q.Order.Descending, q.UnprotectedOnly, q.Occurrences} {
		k.flag(f)
	}
	k.length(len(q.Search), q.Search == nil)
	for _, t := range q.Search {
		k.text(t.Text)
		k.flag(t.Exclude)
	}
	k.texts(q.Passwords)
	k.number(q.UnlockedFor)
	for _, ids := range [][]int64{q.Categories, q.Tags, q.Venues, q.Organizers, q.Include} {
		k.length(len(ids), ids == nil)
		for _, id := range ids {
			k.number(id)
		}
	}
	if k.flag(q.Featured != nil); q.Featured != nil {
		k.flag(*q.Featured)
	}
	if k.flag(q.Parent != nil); q.Parent != nil {
		k.number(*q.Parent)
	}
	k.language(q.Language)
	k.number(q.Limit)
	k.number(q.Offset)
}

func (k *keyBuffer) language(in wpstore.InLanguage) {
	if k.flag(in.Plugin != i18n.NoPlugin); in.Plugin == i18n.NoPlugin {
		return
	}
	k.text(string(in.Plugin))
	k.text(in.Code)
	k.text(in.Also)
	k.flag(in.Scan)
	k.number(in.Posts)
	k.number(in.Terms)
}

func (k *keyBuffer) number(n int64) { k.buf = binary.AppendVarint(k.buf, n) }

func (k *keyBuffer) flag(on bool) {
	if on {
		k.buf = append(k.buf, 1)
	} else {
		k.buf = append(k.buf, 0)
	}
}

// length tells nil from empty, which queries do too.
func (k *keyBuffer) length(n int, none bool) {
	if none {
		n = -1
	}
	k.number(int64(n))
}

func (k *keyBuffer) text(s string) {
	k.number(int64(len(s)))
	k.buf = append(k.buf, s...)
}

func (k *keyBuffer) texts(list []string) {
	k.length(len(list), list == nil)
	for _, s := range list {
		k.text(s)
	}
}
