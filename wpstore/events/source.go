package events

import (
	"context"
	"database/sql"
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

// Source reads what the event index is made of.
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

// Defaults implements [eventindex.Source], as do the others.
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
	query := sq.Select("p.ID", "p.post_author", "p.post_parent", "p.post_date", "p.post_status").
		Column(sq.Eq{"p.post_password": ""}).
		From(s.tables.Quoted("posts") + " p").
		Where(sq.Eq{"p.post_type": wpstore.EventType}).
		Where(sqlconn.IDList("p.ID", ids))
	return s.run.Query(ctx, "listing.posts", query, func(rows *sql.Rows) error {
		var p eventindex.PostRow
		var author, parent anyID
		var published, status sql.NullString
		var open sql.NullBool
		err := rows.Scan(&p.ID, &author, &parent, &published, &status, &open)
		p.Author, p.Parent, p.Published, p.Status, p.Protected = int64(author), int64(parent), published.String, status.String, !open.Bool
		each(p)
		return err
	})
}

// anyID reads an id of which columns can hold more than fits: such ones become one
// that no query asks for.
type anyID int64

// Scan implements sql.Scanner.
func (id *anyID) Scan(value any) error {
	var text sql.NullString
	if err := text.Scan(value); err != nil {
		return err
	}
	n, err := strconv.ParseInt(text.String, 10, 64)
	if err != nil {
		n = math.MinInt64
	}
	*id = anyID(n)
	return nil
}

func (s Source) Occurrences(ctx context.Context, posts []int64, each func(eventindex.OccurrenceRow)) error {
	query := sq.Select("o.post_id", "o.start_date", "o.end_date", "o.start_date_utc", "o.end_date_utc").
		From(s.tables.Quoted("tec_occurrences") + " o").
		Where(sqlconn.IDList("o.post_id", posts))
	return s.run.Query(ctx, "listing.occurrences", query, func(rows *sql.Rows) error {
		var post int64
		var start, end, startUTC, endUTC sql.NullString
		if err := rows.Scan(&post, &start, &end, &startUTC, &endUTC); err != nil {
			return err
		}
		each(eventindex.OccurrenceRow{Post: post, Start: start.String, End: end.String, StartUTC: startUTC.String, EndUTC: endUTC.String})
		return nil
	})
}

func (s Source) MetaDates(ctx context.Context, posts []int64, keys []string, each func(eventindex.DateRow)) error {
	date := s.run.Dialect().CastDatetime("m.meta_value")
	query := sq.Select("m.post_id").
		Column(place("m.meta_key", keys)).
		Column(date).
		Column(sq.Expr(date+" <= ?", wpstore.NoDate)).
		From(s.tables.Quoted("postmeta") + " m").
		Where(sqlconn.IDList("m.post_id", posts)).
		Where(sq.Eq{"m.meta_key": keys})
	return s.run.Query(ctx, "listing.dates", query, func(rows *sql.Rows) error {
		var d eventindex.DateRow
		var text sql.NullString
		var zero sql.NullBool
		if err := rows.Scan(&d.Post, &d.Key, &text, &zero); err != nil {
			return err
		}
		d.Text, d.Null, d.Zero = text.String, !text.Valid, zero.Bool
		each(d)
		return nil
	})
}

// place is the place of a column's value in a list, as the database compares them.
func place(column string, values []string) sq.Sqlizer {
	of := sq.Case()
	for i, value := range values {
		of = of.When(sq.Eq{column: value}, strconv.Itoa(i))
	}
	return of
}

func (s Source) Marks(ctx context.Context, posts []int64, keys []string, each func(eventindex.MarkRow)) error {
	query := sq.Select("m.post_id").
		Column(place("m.meta_key", keys)).
		Column(s.run.Dialect().CastSigned("m.meta_value")).
		From(s.tables.Quoted("postmeta") + " m").
		Where(sqlconn.IDList("m.post_id", posts)).
		Where(sq.Eq{"m.meta_key": keys})
	return s.run.Query(ctx, "listing.marks", query, func(rows *sql.Rows) error {
		var m eventindex.MarkRow
		var value sql.NullInt64
		if err := rows.Scan(&m.Post, &m.Key, &value); err != nil {
			return err
		}
		m.Value, m.Number = value.Int64, value.Valid
		each(m)
		return nil
	})
}

func (s Source) Terms(ctx context.Context, posts []int64, taxonomies []string, each func(int64, eventindex.TermRow)) error {
	query := sq.Select("tr.object_id", "tt.term_taxonomy_id", "tt.term_id").
		Column(place("tt.taxonomy", taxonomies)).
		From(s.tables.Quoted("term_relationships") + " tr").
		Join(s.tables.Quoted("term_taxonomy") + " tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Where(sqlconn.IDList("tr.object_id", posts)).
		Where(sq.Eq{"tt.taxonomy": taxonomies})
	return s.run.Query(ctx, "listing.terms", query, func(rows *sql.Rows) error {
		var post int64
		var t eventindex.TermRow
		if err := rows.Scan(&post, &t.TaxonomyID, &t.Term, &t.Taxonomy); err != nil {
			return err
		}
		each(post, t)
		return nil
	})
}

func (s Source) Languages(ctx context.Context, plugin i18n.Plugin, posts []int64, each func(int64, string)) error {
	return s.plugins.Of(plugin).PostCodes(ctx, s.run, "listing.languages", wpstore.EventType, posts, each)
}

func (s Source) LanguageTaxonomies() []string { return s.plugins.PostTaxonomies() }

func (s Source) Taxonomies(ctx context.Context, taxonomies []string, terms []int64, each func(eventindex.TermRow)) error {
	query := sq.Select("tt.term_taxonomy_id", "tt.term_id").
		Column(place("tt.taxonomy", taxonomies)).
		From(s.tables.Quoted("term_taxonomy") + " tt").
		Where(sq.Eq{"tt.taxonomy": taxonomies})
	if terms != nil {
		query = query.Where(sqlconn.IDList("tt.term_id", terms))
	}
	return s.run.Query(ctx, "listing.taxonomies", query, func(rows *sql.Rows) error {
		var t eventindex.TermRow
		if err := rows.Scan(&t.TaxonomyID, &t.Term, &t.Taxonomy); err != nil {
			return err
		}
		each(t)
		return nil
	})
}

func (s Source) PostsOf(ctx context.Context, taxonomyIDs []int64) ([]int64, error) {
	return s.run.IDs(ctx, "listing.of_terms", sq.Select("DISTINCT object_id").
		From(s.tables.Quoted("term_relationships")).
		Where(sqlconn.IDList("term_taxonomy_id", taxonomyIDs)))
}
