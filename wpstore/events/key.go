package events

import (
	"encoding/binary"

	"calbridge/i18n"
	"calbridge/wpstore"
)

// eventKey is equal for equal statements only: for equal queries, including the other
// one, and the same variant, see [langplugin.Plugins.JoinVariant].
func eventKey(variant string, q, other *wpstore.EventQuery) string {
	k := &keyBuffer{buf: make([]byte, 0, 256)}
	k.text(variant)
	k.event(q)
	if k.flag(other != nil); other != nil {
		k.event(other)
	}
	return string(k.buf)
}

// keyBuffer encodes values unambiguously.
type keyBuffer struct{ buf []byte }

func (k *keyBuffer) event(q *wpstore.EventQuery) {
	k.texts(q.Statuses)
	if k.flag(q.Own != nil); q.Own != nil {
		k.number(q.Own.Author)
		k.texts(q.Own.Statuses)
	}
	keyList(k, q.Bounds, func(b wpstore.Bound) {
		k.flag(b.End)
		k.text(b.Op)
		k.text(b.Value)
	})
	for _, f := range []bool{q.UTC, q.Order.ByPublication, q.Order.ByDuration, q.Order.UTC, q.Order.Descending, q.UnprotectedOnly, q.Occurrences, q.Hidden} {
		k.flag(f)
	}
	keyList(k, q.Search, func(t wpstore.SearchTerm) {
		k.text(t.Text)
		k.flag(t.Exclude)
	})
	k.texts(q.Passwords)
	k.number(q.UnlockedFor)
	for _, ids := range [][]int64{q.Categories, q.Tags, q.Venues, q.Organizers, q.Include, q.Exclude} {
		keyList(k, ids, k.number)
	}
	if k.flag(q.Featured != nil); q.Featured != nil {
		k.flag(*q.Featured)
	}
	if k.flag(q.Tickets != nil); q.Tickets != nil {
		keyList(k, q.Tickets.Providers, func(p wpstore.TicketProvider) { k.text(string(p)) })
		k.flag(q.Tickets.Without)
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

// keyList distinguishes nil from empty, as queries do.
func keyList[T any](k *keyBuffer, list []T, add func(T)) {
	if k.flag(list == nil); list == nil {
		return
	}
	k.number(int64(len(list)))
	for _, v := range list {
		add(v)
	}
}

func (k *keyBuffer) text(s string) {
	k.number(int64(len(s)))
	k.buf = append(k.buf, s...)
}

func (k *keyBuffer) texts(list []string) { keyList(k, list, k.text) }
