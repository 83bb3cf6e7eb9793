package sitedb

import (
	"context"
	"slices"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/coherence"
	"calbridge/wpstore/listing"
)

// How a list of events was answered, as [Config.Listed] is told: from the index, or
// by the database for one of these reasons, or one of [listing.Reason].
const (
	ListedFromIndex = "index"
	listedLoading   = "loading"   // there is no index yet
	listedSuspended = "suspended" // nobody hears of changes
	listedError     = "error"     // changes could not be read
	listedSearch    = "search"
	listedDates     = "dates"    // the index has the dates of the other kind
	listedLanguage  = "language" // the index does not know the language
)

// ListedBy are all values that [Config.Listed] is told.
func ListedBy() []string {
	return []string{ListedFromIndex, listedLoading, listedSuspended, listedError, listedSearch, listedDates, listedLanguage,
		string(listing.OddText), string(listing.OddID), string(listing.Password), string(listing.Unreadable)}
}

// eventsListed answers Events from the index; ok is false where the database has to.
func (db *DB) eventsListed(ctx context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (page wpstore.EventPage, ok bool) {
	coherence.Depend(ctx, coherence.Events)
	if len(q.Search) > 0 || other != nil && len(other.Search) > 0 {
		coherence.Depend(ctx, coherence.Posts)
	}
	l := db.listing.Load()
	if l == nil || !db.mayRecall(ctx) {
		return page, false
	}
	page, by := l.page(ctx, q, other)
	if db.cfg.Listed != nil {
		db.cfg.Listed(by)
	}
	return page, by == ListedFromIndex
}

func (l *Listing) page(ctx context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (page wpstore.EventPage, by string) {
	if !l.ledger.Following() {
		return page, listedSuspended
	}
	if len(q.Search) > 0 || other != nil && len(other.Search) > 0 {
		return page, listedSearch
	}
	x, err := l.settledIndex(ctx)
	switch {
	case err != nil:
		return page, listedError
	case x == nil:
		l.ask(q, listing.Answer{})
		return page, listedLoading
	}
	listed, by := l.search(x, q)
	if by != ListedFromIndex {
		return page, by
	}
	page.IDs, page.Total, page.Counted = listed.IDs, listed.Total, listed.Total
	if other != nil {
		count := *other
		count.Limit = 0
		counted, by := l.search(x, count)
		if by != ListedFromIndex {
			return wpstore.EventPage{}, by
		}
		page.Counted = counted.Total
	}
	return page, ListedFromIndex
}

// search asks the index.
func (l *Listing) search(x *listed, q wpstore.EventQuery) (listing.Answer, string) {
	asked, by := x.query(q)
	if by != ListedFromIndex {
		l.ask(q, listing.Answer{})
		return listing.Answer{}, by
	}
	answer, reason := x.index.Search(&asked)
	if reason != listing.Answered {
		return listing.Answer{}, string(reason)
	}
	l.ask(q, answer)
	if len(answer.IDs) == 0 {
		answer.IDs = nil
	}
	return answer, by
}

// ask notes what a query would have the index be made for.
func (l *Listing) ask(q wpstore.EventQuery, answer listing.Answer) {
	x := l.current.Load()
	asked := listing.Query{OrderByPublication: q.OrderByPublication, OrderUTC: q.OrderUTC}
	order := asked.Order()
	if x != nil && x.asked == q.Occurrences && (x.index.Ready(order) || answer.Sorted <= sortedRows) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.want.known, l.want.occurrences = true, q.Occurrences
	if order != listing.ByPublication || answer.Sorted > sortedRows {
		l.want.orders[order] = true
	}
	if x != nil {
		l.poke()
	}
}

// query is the query in terms of the index.
func (x *listed) query(q wpstore.EventQuery) (listing.Query, string) {
	out := listing.Query{
		Statuses: q.Statuses, UTC: q.UTC,
		OrderByPublication: q.OrderByPublication, OrderUTC: q.OrderUTC, Descending: q.Descending,
		UnprotectedOnly: q.UnprotectedOnly,
		Categories:      q.Categories, Tags: q.Tags, Venues: q.Venues, Organizers: q.Organizers,
		Featured: q.Featured, Parent: q.Parent, Include: q.Include,
		Limit: q.Limit, Offset: q.Offset,
	}
	if q.Occurrences != x.occurrences {
		return out, listedDates
	}
	if q.Own != nil {
		out.Own = &listing.Own{Author: q.Own.Author, Statuses: q.Own.Statuses}
	}
	for _, b := range q.Bounds {
		date, _ := listing.ParseDate(b.Date())
		out.Bounds = append(out.Bounds, listing.Bound{End: b.End, Op: b.Op, Date: date})
	}
	if q.Passwords != nil && !q.UnprotectedOnly {
		out.UnprotectedOnly, out.UnlockedFor = true, q.UnlockedFor
		out.Passwords = slices.ContainsFunc(q.Passwords, func(given string) bool { return given != "" })
	}
	switch in := q.Language; in.Plugin {
	case i18n.WPML:
		if !x.translations {
			return out, listedLanguage
		}
		out.Languages = []string{in.Code}
	case i18n.Polylang:
		if t, ok := x.terms[in.Posts]; !ok || t.taxonomy != placeLanguage {
			return out, listedLanguage
		}
		out.LanguageTerms = []int64{in.Posts}
	}
	return out, ListedFromIndex
}
