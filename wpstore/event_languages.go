package wpstore

import (
	"context"
	"database/sql"
	"reflect"

	"calbridge/i18n"
)

// sameBesidesLanguage says whether two queries of a site with WPML differ in
// nothing but the language.
func (q EventQuery) sameBesidesLanguage(other EventQuery) bool {
	if q.Language.plugin != i18n.WPML || other.Language.plugin != i18n.WPML || q.Language.code == other.Language.code {
		return false
	}
	other.Language = q.Language
	return reflect.DeepEqual(q, other)
}

// eventsCountedInAnother lists the events of one language and counts those of
// another in one go: those of the other language come after all that are asked
// for, and are left out of the page. Measured on MariaDB 10.11 with 10,000 events in
// three languages, that costs half as much again as the list by itself, where
// counting the others in a query of their own costs twice as much.
//
// known is false where the page lies beyond both, which tells no totals.
func (db *DB) eventsCountedInAnother(ctx context.Context, q EventQuery, other InLanguage) (page EventPage, known bool, err error) {
	both := q
	both.Language.also = other.code
	dates := db.eventDates(both)
	const in = "il.language_code = ?"
	query := db.eventSelect(both, dates, dates.post).
		Column("MIN("+in+") AS listed", q.Language.code).
		Column("SUM(MIN("+in+")) OVER ()", q.Language.code).
		Column("SUM(MIN("+in+")) OVER ()", other.code).
		GroupBy(dates.post).
		OrderBy("listed DESC").
		OrderBy(q.order(dates)...).
		Limit(uint64(q.Limit)).
		Offset(uint64(max(q.Offset, 0)))
	known = q.Offset <= 0
	err = db.query(ctx, "events.ids", query, func(rows *sql.Rows) error {
		var id int64
		var listed bool
		if err := rows.Scan(&id, &listed, &page.Total, &page.Counted); err != nil {
			return err
		}
		if known = true; listed {
			page.IDs = append(page.IDs, id)
		}
		return nil
	})
	return page, known, err
}
