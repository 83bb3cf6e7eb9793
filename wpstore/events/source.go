package events

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strconv"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/options"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Source reads what the event index is made of, as [eventindex.Source].
type Source struct {
	run     *sqlconn.Runner
	tables  table.Names
	plugins langplugin.Plugins
	options *options.Store
}

// NewSource returns a Source.
func NewSource(run *sqlconn.Runner, tables table.Names, plugins langplugin.Plugins, options *options.Store) Source {
	return Source{run, tables, plugins, options}
}

func (s Source) Defaults(ctx context.Context) (eventindex.Defaults, error) {
	facts, err := s.options.FactsWithoutCharsets(ctx)
	if err != nil {
		return eventindex.Defaults{}, err
	}
	mode, _ := facts.Calendar.At("tribe_events_timezone_mode").(string)
	return eventindex.Defaults{Occurrences: facts.Occurrences, UTC: mode == "site"}, nil
}

func (s Source) Tables(ctx context.Context) (eventindex.Tables, error) {
	asked := []string{"tec_occurrences"}
	for _, p := range s.plugins {
		if table := p.CodeTable(); table != "" {
			asked = append(asked, table)
		}
	}
	found, err := s.options.Existing(ctx, asked...)
	tables := eventindex.Tables{Occurrences: found["tec_occurrences"]}
	for _, p := range s.plugins {
		if found[p.CodeTable()] && tables.Languages == i18n.NoPlugin {
			tables.Languages = p.Name()
		}
	}
	return tables, err
}

func (s Source) EventIDs(ctx context.Context) (ids []int64, err error) {
	query := sq.Select("ID").
		From(s.tables.Quoted("posts")).
		Where(sq.Eq{"post_type": wpstore.EventType})
	err = s.each(ctx, "listing.ids", query, func(v *values) { ids = append(ids, v.number(0)) })
	return ids, err
}

// each runs a query and calls row with the values of each row.
func (s Source) each(ctx context.Context, name string, query sq.Sqlizer, row func(*values)) error {
	var v values
	err := sqlconn.EachText(ctx, s.run, name, query, func(texts [][]byte) {
		v.texts = texts
		row(&v)
	})
	if err == nil && v.err != nil {
		err = fmt.Errorf("query %s: %w", name, v.err)
	}
	return err
}

// values are those of a row, as text.
type values struct {
	texts [][]byte
	err   error // the first one
}

// number returns that of an integer column, 0 for NULL.
func (v *values) number(column int) int64 {
	text := v.texts[column]
	negative := len(text) > 1 && text[0] == '-'
	if negative {
		text = text[1:]
	}
	var n int64
	for _, c := range text {
		if c < '0' || c > '9' || n > (math.MaxInt64-9)/10 {
			return v.long(column)
		}
		n = 10*n + int64(c-'0')
	}
	if negative {
		n = -n
	}
	return n
}

// long returns a number that number doesn't take, or no number.
func (v *values) long(column int) int64 {
	n, err := strconv.ParseInt(string(v.texts[column]), 10, 64)
	if err != nil && v.err == nil {
		v.err = fmt.Errorf("column %d: %w", column+1, err)
	}
	return n
}

func (v *values) yes(column int) bool { return v.number(column) != 0 }

// of returns the condition that a column is one of some ids, or, where these are dense, between
// the first and the last.
func of(column string, ids []int64) sq.Sqlizer {
	if eventindex.Dense(ids) {
		return sq.And{sq.GtOrEq{column: ids[0]}, sq.LtOrEq{column: ids[len(ids)-1]}}
	}
	return sqlconn.IDList(column, ids)
}

// Release gives back the connection held for the request.
func (s Source) Release() { s.run.Release() }

func (s Source) Posts(ctx context.Context, ids []int64, each func(eventindex.PostRow)) error {
	// Signed, an id too large for Go is negative, and no query has it.
	query := sq.Select("p.ID", s.run.Dialect().CastSigned("p.post_author"), s.run.Dialect().CastSigned("p.post_parent"), "p.post_date", "p.post_status").
		Column(sq.NotEq{s.run.Dialect().Binary("p.post_password"): ""}).
		Column(sq.Eq{"p.post_password": ""}).
		From(s.tables.Quoted("posts") + " p").
		Where(sq.Eq{"p.post_type": wpstore.EventType}).
		Where(of("p.ID", ids))
	return s.each(ctx, "listing.posts", query, func(v *values) {
		p := eventindex.PostRow{ID: v.number(0), Author: v.number(1), Parent: v.number(2), Published: v.texts[3], Status: v.texts[4], Protected: v.yes(5)}
		p.Blank = p.Protected && v.yes(6)
		each(p)
	})
}

func (s Source) Occurrences(ctx context.Context, posts []int64, each func(eventindex.OccurrenceRow)) error {
	query := sq.Select("o.post_id", "o.start_date", "o.end_date", "o.start_date_utc", "o.end_date_utc").
		From(s.tables.Quoted("tec_occurrences") + " o").
		Where(of("o.post_id", posts))
	return s.each(ctx, "listing.occurrences", query, func(v *values) {
		each(eventindex.OccurrenceRow{Post: v.number(0), Start: v.texts[1], End: v.texts[2], StartUTC: v.texts[3], EndUTC: v.texts[4]})
	})
}

// meta selects metadata of posts with some keys: the post, the key's index, and columns.
func (s Source) meta(posts []int64, keys []string, columns ...string) sq.SelectBuilder {
	return sq.Select("m.post_id").
		Column(indexIn("m.meta_key", keys)).
		Columns(columns...).
		From(s.tables.Quoted("postmeta") + " m").
		Where(of("m.post_id", posts)).
		Where(sq.Eq{"m.meta_key": keys})
}

// indexIn returns the index of a column's value in a list, as the database compares them.
func indexIn(column string, values []string) sq.Sqlizer {
	of := sq.Case()
	for i, value := range values {
		of = of.When(sq.Eq{column: value}, strconv.Itoa(i))
	}
	return of
}

func (s Source) MetaDates(ctx context.Context, posts []int64, keys []string, each func(eventindex.DateRow)) error {
	date := s.run.Dialect().CastDatetime("m.meta_value")
	query := s.meta(posts, keys, date).Column(sq.Expr(date+" <= ?", wpstore.NoDate))
	return s.each(ctx, "listing.dates", query, func(v *values) {
		each(eventindex.DateRow{Post: v.number(0), Key: int(v.number(1)), Text: v.texts[2], Null: v.texts[2] == nil, Zero: v.yes(3)})
	})
}

func (s Source) Marks(ctx context.Context, posts []int64, keys []string, each func(eventindex.MarkRow)) error {
	query := s.meta(posts, keys, s.run.Dialect().CastSigned("m.meta_value"))
	return s.each(ctx, "listing.marks", query, func(v *values) {
		each(eventindex.MarkRow{Post: v.number(0), Key: int(v.number(1)), Value: v.number(2), Number: v.texts[2] != nil})
	})
}

func (s Source) AllMarks(ctx context.Context, key string, part, parts int, each func(eventindex.MarkRow)) error {
	query := sq.Select("m.post_id", s.run.Dialect().CastSigned("m.meta_value")).
		From(s.tables.Quoted("postmeta") + " m").
		Where(sq.Eq{"m.meta_key": key})
	if parts > 1 {
		query = query.Where("m.meta_id % ? = ?", int64(parts), int64(part))
	}
	return s.each(ctx, "listing.all_marks", query, func(v *values) {
		each(eventindex.MarkRow{Post: v.number(0), Value: v.number(1), Number: v.texts[1] != nil})
	})
}

func (s Source) Terms(ctx context.Context, posts []int64, each func(post, taxonomyID int64)) error {
	query := sq.Select("tr.object_id", "tr.term_taxonomy_id").
		From(s.tables.Quoted("term_relationships") + " tr").
		Where(of("tr.object_id", posts))
	return s.each(ctx, "listing.terms", query, func(v *values) { each(v.number(0), v.number(1)) })
}

// taxonomies selects the terms of some taxonomies: columns and the taxonomy's index.
func (s Source) taxonomies(columns string, taxonomies []string) sq.SelectBuilder {
	return sq.Select(columns).
		Column(indexIn("tt.taxonomy", taxonomies)).
		From(s.tables.Quoted("term_taxonomy") + " tt").
		Where(sq.Eq{"tt.taxonomy": taxonomies})
}

func (s Source) Languages(ctx context.Context, plugin i18n.Plugin, posts []int64, each func(int64, string)) error {
	return s.plugins.Of(plugin).PostCodes(ctx, s.run, "listing.languages", wpstore.EventType, posts, each)
}

func (s Source) LanguageTaxonomies() []string { return s.plugins.PostTaxonomies() }

func (s Source) Taxonomies(ctx context.Context, taxonomies []string, terms []int64, each func(eventindex.TermRow)) error {
	query := s.taxonomies("tt.term_taxonomy_id, tt.term_id", taxonomies)
	if terms != nil {
		query = query.Where(sqlconn.IDList("tt.term_id", terms))
	}
	return s.run.Query(ctx, "listing.taxonomies", query, func(rows *sql.Rows) error {
		var t eventindex.TermRow
		err := rows.Scan(&t.TaxonomyID, &t.Term, &t.Taxonomy)
		each(t)
		return err
	})
}

func (s Source) PostsOf(ctx context.Context, taxonomyIDs []int64) ([]int64, error) {
	return s.run.IDs(ctx, "listing.of_terms", sq.Select("DISTINCT object_id").
		From(s.tables.Quoted("term_relationships")).
		Where(sqlconn.IDList("term_taxonomy_id", taxonomyIDs)))
}
