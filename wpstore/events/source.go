package events

import (
	"context"
	"database/sql"
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
	linked  *LinkedStore
}

// NewSource returns a Source.
func NewSource(run *sqlconn.Runner, tables table.Names, plugins langplugin.Plugins, options *options.Store, linked *LinkedStore) Source {
	return Source{run, tables, plugins, options, linked}
}

func (s Source) Defaults(ctx context.Context) (eventindex.Defaults, error) {
	facts, err := s.options.SiteFacts(ctx)
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

func (s Source) EventIDs(ctx context.Context) ([]int64, error) {
	return s.linked.AllIDs(ctx, wpstore.EventType)
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
		Where(sqlconn.IDList("p.ID", ids))
	return s.run.Query(ctx, "listing.posts", query, func(rows *sql.Rows) error {
		var p eventindex.PostRow
		var blank bool
		err := rows.Scan(&p.ID, &p.Author, &p.Parent, &p.Published, &p.Status, &p.Protected, &blank)
		p.Blank = p.Protected && blank
		each(p)
		return err
	})
}

func (s Source) Occurrences(ctx context.Context, posts []int64, each func(eventindex.OccurrenceRow)) error {
	query := sq.Select("o.post_id", "o.start_date", "o.end_date", "o.start_date_utc", "o.end_date_utc").
		From(s.tables.Quoted("tec_occurrences") + " o").
		Where(sqlconn.IDList("o.post_id", posts))
	return s.run.Query(ctx, "listing.occurrences", query, func(rows *sql.Rows) error {
		var o eventindex.OccurrenceRow
		err := rows.Scan(&o.Post, &o.Start, &o.End, &o.StartUTC, &o.EndUTC)
		each(o)
		return err
	})
}

// meta selects metadata of posts with some keys: the post, the key's index, and columns.
func (s Source) meta(posts []int64, keys []string, columns ...string) sq.SelectBuilder {
	return sq.Select("m.post_id").
		Column(indexIn("m.meta_key", keys)).
		Columns(columns...).
		From(s.tables.Quoted("postmeta") + " m").
		Where(sqlconn.IDList("m.post_id", posts)).
		Where(sq.Eq{"m.meta_key": keys})
}

// indexIn is the index of a column's value in a list, as the database compares them.
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
	return s.run.Query(ctx, "listing.dates", query, func(rows *sql.Rows) error {
		var d eventindex.DateRow
		var text sql.NullString
		var zero sql.NullBool
		err := rows.Scan(&d.Post, &d.Key, &text, &zero)
		d.Text, d.Null, d.Zero = text.String, !text.Valid, zero.Bool
		each(d)
		return err
	})
}

func (s Source) Marks(ctx context.Context, posts []int64, keys []string, each func(eventindex.MarkRow)) error {
	query := s.meta(posts, keys, s.run.Dialect().CastSigned("m.meta_value"))
	return s.run.Query(ctx, "listing.marks", query, func(rows *sql.Rows) error {
		var m eventindex.MarkRow
		var value sql.NullInt64
		err := rows.Scan(&m.Post, &m.Key, &value)
		m.Value, m.Number = value.Int64, value.Valid
		each(m)
		return err
	})
}

func (s Source) Terms(ctx context.Context, posts []int64, taxonomies []string, each func(int64, eventindex.TermRow)) error {
	query := s.taxonomies("tt.term_taxonomy_id, tt.term_id, tr.object_id", taxonomies).
		Join(s.tables.Quoted("term_relationships") + " tr ON tr.term_taxonomy_id = tt.term_taxonomy_id").
		Where(sqlconn.IDList("tr.object_id", posts))
	return s.run.Query(ctx, "listing.terms", query, func(rows *sql.Rows) error {
		var post int64
		var t eventindex.TermRow
		err := rows.Scan(&t.TaxonomyID, &t.Term, &post, &t.Taxonomy)
		each(post, t)
		return err
	})
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
