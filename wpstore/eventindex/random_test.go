package eventindex

import (
	"fmt"
	"math/rand/v2"

	"calbridge/i18n"
	"calbridge/wpstore"
)

// random makes events and queries of few different values, so that much is equal.
type random struct{ *rand.Rand }

func (r random) chance(percent int) bool { return r.IntN(100) < percent }

func (r random) date() date {
	switch n := r.IntN(40); n {
	case 0:
		return null
	case 1:
		return missing
	case 2:
		return garbled
	case 3:
		return 0
	default:
		return date(20260101000000 + n*100 + r.IntN(40))
	}
}

// bound returns a date for a bound, of those that events have.
func (r random) bound() string {
	if r.chance(10) {
		return wpstore.NoDate
	}
	return fmt.Sprintf("2026-01-01 00:%02d:%02d", 4+r.IntN(36), r.IntN(40))
}

func (r random) ids(most int, n int64) (ids []int64) {
	for range r.IntN(most + 1) {
		ids = append(ids, r.Int64N(n))
	}
	return ids
}

var (
	someStatuses  = []string{"publish", "publish", "publish", "draft", "private", "trash", "auto-draft"}
	someLanguages = []string{"cs", "en", "de"}
)

func (r random) event(id int64) event {
	e := event{
		ID: id, Author: r.Int64N(5), Parent: r.Int64N(3), Published: date(r.IntN(50)),
		Status: someStatuses[r.IntN(len(someStatuses))], Protected: r.chance(10), Featured: r.chance(10),
		Categories: r.ids(3, 8), Tags: r.ids(3, 300), Venues: r.ids(1, 5000), Organizers: r.ids(2, 100), LanguageTerms: r.ids(1, 3),
	}
	for range []int{1, 1, 1, 0, 2, 7}[r.IntN(6)] {
		e.Dates = append(e.Dates, dates{r.date(), r.date(), r.date(), r.date()})
	}
	if r.chance(90) {
		e.Languages = []string{someLanguages[r.IntN(3)]}
	}
	return e
}

func (r random) query() wpstore.EventQuery {
	q := wpstore.EventQuery{UTC: r.chance(50), Order: wpstore.EventOrder{UTC: r.chance(50), ByPublication: r.chance(25), Descending: r.chance(50)}, UnprotectedOnly: r.chance(10)}
	statuses := func() []string {
		return [][]string{nil, {"publish"}, {"publish", "private"}, {}, {"trash", "unknown"}}[r.IntN(5)]
	}
	q.Statuses = statuses()
	if r.chance(20) {
		q.Own = &wpstore.Own{Author: r.Int64N(5), Statuses: statuses()}
	}
	for range r.IntN(3) {
		q.Bounds = append(q.Bounds, wpstore.Bound{End: r.chance(50), Op: []string{">=", ">", "<=", "<", "="}[r.IntN(5)*r.IntN(2)], Value: r.bound()})
	}
	some := func(percent, most int, n int64) []int64 {
		if !r.chance(percent) {
			return nil
		}
		return append([]int64{}, r.ids(most, n)...)
	}
	q.Categories, q.Tags, q.Venues, q.Organizers = some(10, 3, 8), some(10, 200, 300), some(10, 1000, 5000), some(10, 5, 100)
	q.Include = some(10, 3000, 6000)
	switch r.IntN(10) {
	case 0, 1:
		q.Language = wpml(someLanguages[r.IntN(3)])
	case 2:
		q.Language = wpstore.InLanguage{Plugin: i18n.Polylang, Posts: r.Int64N(3)}
	}
	if r.chance(10) {
		q.Filters = append(q.Filters, wpstore.EventFilter{Name: wpstore.FilterFeatured, Lacks: r.chance(50)})
	}
	if r.chance(10) {
		q.Filters = append(q.Filters, wpstore.EventFilter{Name: wpstore.FilterParent, IDs: []int64{r.Int64N(3)}, Lacks: r.chance(20)})
	}
	if r.chance(10) {
		q.Passwords = []string{}
		if r.chance(50) {
			q.UnlockedFor = r.Int64N(5)
		}
	}
	q.Limit, q.Offset = []int64{10, 50, 10_000, 0}[r.IntN(4)], []int64{0, 1, 100, r.Int64N(6000)}[r.IntN(4)]
	return q
}
