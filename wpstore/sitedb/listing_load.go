package sitedb

import (
	"context"
	"database/sql"
	"math"
	"slices"
	"strconv"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/listing"
)

// loadBlock is how many events are read at a time: few enough for every statement
// to be short, and for MariaDB to look the ids up. Lists of 1000 and more it makes a
// table of, which takes three times as long.
const loadBlock = 900

// datesPerEvent bounds the combinations of dates of an event whose metadata has
// several of a kind.
const datesPerEvent = 64

// hiddenMark and featuredMark are metadata of which any row counts, whatever its
// value.
const (
	hiddenMark   = "_EventHideFromUpcoming"
	featuredMark = "_tribe_featured"
)

// listed is a listing index and what it was loaded from.
type listed struct {
	index *listing.Index
	// occurrences says that its dates are those of the occurrence table; asked, that
	// they should be.
	occurrences, asked bool
	// translations says that there is WPML's table of languages.
	translations bool
	terms        listedTerms
}

// listedTerm is a term as events refer to it.
type listedTerm struct {
	taxonomy int // its place in listedTaxonomies
	term     int64
}

// listedTerms are the terms of these taxonomies by their ids of taxonomy.
type listedTerms map[int64]listedTerm

var listedTaxonomies = []string{wpstore.CategoryTaxonomy, wpstore.TagTaxonomy, postLanguageTaxonomy}

// Places in listedTaxonomies.
const (
	placeCategory = iota
	placeTag
	placeLanguage
)

// loadListing reads the whole index. The number of queries grows with that of the
// events, by five for every loadBlock.
func (db *DB) loadListing(ctx context.Context, occurrences bool, order listing.Order) (*listed, error) {
	tables, err := db.existing(ctx, "tec_occurrences", "icl_translations")
	if err != nil {
		return nil, err
	}
	l := &listed{asked: occurrences, occurrences: occurrences && tables["tec_occurrences"], translations: tables["icl_translations"]}
	if l.terms, err = db.listedTermsWhere(ctx, sq.Expr("1=1")); err != nil {
		return nil, err
	}
	ids, err := db.AllIDs(ctx, wpstore.EventType)
	if err != nil {
		return nil, err
	}
	var b listing.Builder
	for block := range slices.Chunk(ids, loadBlock) {
		events, err := db.listedEvents(ctx, l, block)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			b.Add(e)
		}
	}
	l.index = b.Build(order)
	return l, nil
}

// listedEvents reads those of the ids that are events. Five queries, one where none
// is an event.
func (db *DB) listedEvents(ctx context.Context, l *listed, ids []int64) ([]listing.Event, error) {
	r := eventReader{db: db, events: make(map[int64]*eventRows, len(ids))}
	if err := r.posts(ctx, ids); err != nil || len(r.events) == 0 {
		return nil, err
	}
	dates := r.metaDates
	if l.occurrences {
		dates = r.occurrences
	}
	steps := []func(context.Context, []int64) error{dates, r.marks, r.terms}
	if l.translations {
		steps = append(steps, r.languages)
	}
	for _, step := range steps {
		if err := step(ctx, ids); err != nil {
			return nil, err
		}
	}
	out := make([]listing.Event, 0, len(r.events))
	for _, e := range r.events {
		if e.finish() {
			out = append(out, e.Event)
		}
	}
	return out, nil
}

// eventRows is an event whose rows are being read.
type eventRows struct {
	listing.Event
	hidden bool
	// meta are the dates that the metadata has of each kind.
	meta [4][]listing.Date
}

type eventReader struct {
	db     *DB
	events map[int64]*eventRows
}

func (r eventReader) posts(ctx context.Context, ids []int64) error {
	query := sq.Select("p.ID", "p.post_author", "p.post_parent", "p.post_date", "p.post_status").
		Column(sq.Eq{"p.post_password": ""}).
		From(r.db.table("posts") + " p").
		Where(sq.Eq{"p.post_type": wpstore.EventType}).
		Where(idList("p.ID", ids))
	return r.db.query(ctx, "listing.posts", query, func(rows *sql.Rows) error {
		e := new(eventRows)
		var author, parent listedID
		var published, status sql.NullString
		var open sql.NullBool
		if err := rows.Scan(&e.ID, &author, &parent, &published, &status, &open); err != nil {
			return err
		}
		e.Author, e.Parent, e.Status, e.Protected = int64(author), int64(parent), status.String, !open.Bool
		e.Published = e.date(published)
		r.events[e.ID] = e
		return nil
	})
}

// listedID reads an id of which columns can hold more than fits: such ones become
// one that no query asks for.
type listedID int64

// Scan implements sql.Scanner.
func (id *listedID) Scan(value any) error {
	var text sql.NullString
	if err := text.Scan(value); err != nil {
		return err
	}
	n, err := strconv.ParseInt(text.String, 10, 64)
	if err != nil {
		n = math.MinInt64
	}
	*id = listedID(n)
	return nil
}

// date reads a date that has to be there.
func (e *eventRows) date(text sql.NullString) listing.Date {
	d, ok := listing.ParseDate(text.String)
	e.Unreadable = e.Unreadable || !ok
	return d
}

func (r eventReader) occurrences(ctx context.Context, ids []int64) error {
	query := sq.Select("o.post_id", "o.start_date", "o.end_date", "o.start_date_utc", "o.end_date_utc").
		From(r.db.table("tec_occurrences") + " o").
		Where(idList("o.post_id", ids))
	return r.db.query(ctx, "listing.occurrences", query, func(rows *sql.Rows) error {
		var id int64
		var start, end, startUTC, endUTC sql.NullString
		if err := rows.Scan(&id, &start, &end, &startUTC, &endUTC); err != nil {
			return err
		}
		if e := r.events[id]; e != nil {
			e.Dates = append(e.Dates, listing.Dates{Start: e.date(start), End: e.date(end), StartUTC: e.date(startUTC), EndUTC: e.date(endUTC)})
		}
		return nil
	})
}

// dateKeys are the kinds of dates in the metadata, in the order of eventRows.meta.
var dateKeys = []string{"_EventStartDate", "_EventEndDate", "_EventStartDateUTC", "_EventEndDateUTC"}

func (r eventReader) metaDates(ctx context.Context, ids []int64) error {
	date := r.db.d.castDatetime("m.meta_value")
	query := sq.Select("m.post_id").
		Column(which("m.meta_key", dateKeys)).
		Column(date).
		Column(sq.Expr(date+" <= ?", wpstore.NoDate)).
		From(r.db.table("postmeta") + " m").
		Where(idList("m.post_id", ids)).
		Where(sq.Eq{"m.meta_key": dateKeys})
	return r.db.query(ctx, "listing.dates", query, func(rows *sql.Rows) error {
		var id int64
		var kind int
		var text sql.NullString
		var zero sql.NullBool
		if err := rows.Scan(&id, &kind, &text, &zero); err != nil {
			return err
		}
		e := r.events[id]
		if e == nil {
			return nil
		}
		d := listing.Null
		switch {
		case text.Valid:
			d = e.date(text)
		case zero.Bool:
			// MariaDB reads what is no date as NULL and compares it as the zero date.
			d = listing.Garbled
		}
		e.meta[kind] = append(e.meta[kind], d)
		return nil
	})
}

// which is the place of a column's value in a list, as the database compares them.
func which(column string, values []string) sq.Sqlizer {
	of := sq.Case()
	for i, value := range values {
		of = of.When(sq.Eq{column: value}, strconv.Itoa(i))
	}
	return of
}

// markKeys are the other metadata that lists look at.
var markKeys = []string{hiddenMark, featuredMark, wpstore.VenueLink, wpstore.OrganizerLink}

func (r eventReader) marks(ctx context.Context, ids []int64) error {
	query := sq.Select("m.post_id").
		Column(which("m.meta_key", markKeys)).
		Column(r.db.d.castSigned("m.meta_value")).
		From(r.db.table("postmeta") + " m").
		Where(idList("m.post_id", ids)).
		Where(sq.Eq{"m.meta_key": markKeys})
	return r.db.query(ctx, "listing.marks", query, func(rows *sql.Rows) error {
		var id int64
		var kind int
		var value sql.NullInt64
		if err := rows.Scan(&id, &kind, &value); err != nil {
			return err
		}
		e := r.events[id]
		if e == nil {
			return nil
		}
		switch markKeys[kind] {
		case hiddenMark:
			e.hidden = true
		case featuredMark:
			e.Featured = true
		case wpstore.VenueLink:
			e.Venues = appendValid(e.Venues, value)
		case wpstore.OrganizerLink:
			e.Organizers = appendValid(e.Organizers, value)
		}
		return nil
	})
}

func appendValid(ids []int64, value sql.NullInt64) []int64 {
	if value.Valid {
		ids = append(ids, value.Int64)
	}
	return ids
}

func (r eventReader) terms(ctx context.Context, ids []int64) error {
	query := sq.Select("tr.object_id", "tt.term_taxonomy_id", "tt.term_id").
		Column(which("tt.taxonomy", listedTaxonomies)).
		From(r.db.table("term_relationships") + " tr").
		Join(r.db.table("term_taxonomy") + " tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Where(idList("tr.object_id", ids)).
		Where(sq.Eq{"tt.taxonomy": listedTaxonomies})
	return r.db.query(ctx, "listing.terms", query, func(rows *sql.Rows) error {
		var id, taxonomyID, term int64
		var kind int
		if err := rows.Scan(&id, &taxonomyID, &term, &kind); err != nil {
			return err
		}
		e := r.events[id]
		if e == nil {
			return nil
		}
		switch kind {
		case placeCategory:
			e.Categories = append(e.Categories, term)
		case placeTag:
			e.Tags = append(e.Tags, term)
		case placeLanguage:
			e.LanguageTerms = append(e.LanguageTerms, taxonomyID)
		}
		return nil
	})
}

func (r eventReader) languages(ctx context.Context, ids []int64) error {
	query := sq.Select("il.element_id", "il.language_code").
		From(r.db.table("icl_translations") + " il").
		Where(sq.Eq{"il.element_type": "post_" + wpstore.EventType}).
		Where(idList("il.element_id", ids))
	return r.db.query(ctx, "listing.languages", query, func(rows *sql.Rows) error {
		var id int64
		var code string
		if err := rows.Scan(&id, &code); err != nil {
			return err
		}
		if e := r.events[id]; e != nil {
			e.Languages = append(e.Languages, code)
		}
		return nil
	})
}

// finish puts the dates together. It says false for an event that is in no list.
func (e *eventRows) finish() bool {
	if e.hidden {
		return false
	}
	combined := []listing.Dates{{Start: listing.Missing, End: listing.Missing, StartUTC: listing.Missing, EndUTC: listing.Missing}}
	found := false
	for kind, dates := range e.meta {
		if len(dates) == 0 {
			continue
		}
		// An empty date counts only where there is no other.
		some := slices.DeleteFunc(slices.Clone(dates), func(d listing.Date) bool { return d == listing.Null })
		if len(some) == 0 {
			some = dates[:1]
		}
		slices.Sort(some)
		some = slices.Compact(some)
		found = true
		if len(combined)*len(some) > datesPerEvent {
			e.Unreadable = true
			continue
		}
		var next []listing.Dates
		for _, c := range combined {
			for _, d := range some {
				*[]*listing.Date{&c.Start, &c.End, &c.StartUTC, &c.EndUTC}[kind] = d
				next = append(next, c)
			}
		}
		combined = next
	}
	if found {
		e.Dates = combined
	}
	return len(e.Dates) > 0
}

// listedTermsWhere reads terms of the listed taxonomies. One query.
func (db *DB) listedTermsWhere(ctx context.Context, where sq.Sqlizer) (listedTerms, error) {
	found := listedTerms{}
	query := sq.Select("tt.term_taxonomy_id", "tt.term_id").
		Column(which("tt.taxonomy", listedTaxonomies)).
		From(db.table("term_taxonomy") + " tt").
		Where(sq.Eq{"tt.taxonomy": listedTaxonomies}).
		Where(where)
	err := db.query(ctx, "listing.taxonomies", query, func(rows *sql.Rows) error {
		var id int64
		var t listedTerm
		if err := rows.Scan(&id, &t.term, &t.taxonomy); err != nil {
			return err
		}
		found[id] = t
		return nil
	})
	return found, err
}
