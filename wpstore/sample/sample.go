// Package sample holds a calendar of our own, for demonstrations and tests: the
// little town of Lípa, with its concerts, markets and council meetings around the
// day on which it is loaded. It is in Czech, and most of it in English and German
// too, translated with WPML.
package sample

import (
	"context"
	"errors"
	"fmt"
	"time"
	_ "time/tzdata" // the town's zone must be known everywhere

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/sitedb"
)

// Zone is the town's time zone.
const Zone = "Europe/Prague"

// Options say what the calendar needs from outside.
type Options struct {
	// Now is the moment around which the events lie.
	Now time.Time
	// Home is the site's address, without a slash at its end.
	Home string
	// PasswordHash is stored as the hash of the administrator's application
	// password, as WordPress hashes them; "" stores none.
	PasswordHash string
}

// Load makes the tables of WordPress and WPML in an empty database and fills them. The
// same options give the same rows.
func Load(ctx context.Context, db *sitedb.DB, o Options) error {
	zone, err := time.LoadLocation(Zone)
	if err != nil {
		return fmt.Errorf("sample calendar: %w", err)
	}
	if err := errors.Join(db.CreateSchema(ctx), db.CreateLanguageSchema(ctx)); err != nil {
		return fmt.Errorf("sample calendar: %w", err)
	}
	l := &loader{
		db: db, options: o, zone: zone, now: o.Now.In(zone), languages: languages(), slugs: map[string]bool{},
		ids: map[string]int64{}, taxonomies: map[string]int64{}, uses: map[int64]int64{}, termLanguages: map[int64]string{},
	}
	l.site()
	l.users()
	l.languageTables()
	l.terms()
	l.images()
	l.venues()
	l.organizers()
	l.events()
	if err := l.insert(ctx); err != nil {
		return fmt.Errorf("sample calendar: %w", err)
	}
	return nil
}

// loader collects the rows of all tables.
type loader struct {
	db      *sitedb.DB
	options Options
	zone    *time.Location
	now     time.Time

	languages []language
	groups    int64 // the last group of translations

	tables []*rows
	posts  int64 // the last id
	slugs  map[string]bool
	// ids of posts by kind, key in the tables of this package, and language.
	ids map[string]int64
	// taxonomies has the term_taxonomy_id of each category and tag, by taxonomy,
	// key and language, and uses how many published events each has.
	taxonomies map[string]int64
	uses       map[int64]int64
	// termLanguages has the language of each term.
	termLanguages map[int64]string
	lastTerm      int64
	occurring     int64 // the last id of events with dates

	err error // mistakes in this package's own tables
}

func (l *loader) fail(format string, args ...any) {
	l.err = errors.Join(l.err, fmt.Errorf(format, args...))
}

// rows are those of one table.
type rows struct {
	table   string
	columns []string
	values  [][]any
}

// table returns the rows of a table, with columns on the first call.
func (l *loader) table(name string, columns ...string) *rows {
	for _, r := range l.tables {
		if r.table == name {
			return r
		}
	}
	r := &rows{table: name, columns: columns}
	l.tables = append(l.tables, r)
	return r
}

func (r *rows) add(values ...any) { r.values = append(r.values, values) }

// rowsPerStatement keeps statements well below the engines' limits on arguments.
const rowsPerStatement = 200

// insert writes everything in one transaction.
func (l *loader) insert(ctx context.Context) error {
	if l.err != nil {
		return l.err
	}
	tx, err := l.db.SQL().BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, r := range l.tables {
		for start := 0; start < len(r.values); start += rowsPerStatement {
			insert := sq.Insert("`" + l.db.Table(r.table) + "`").Columns(r.columns...)
			for _, values := range r.values[start:min(start+rowsPerStatement, len(r.values))] {
				insert = insert.Values(values...)
			}
			if _, err := insert.RunWith(tx).ExecContext(ctx); err != nil {
				return fmt.Errorf("table %s: %w", l.db.Table(r.table), err)
			}
		}
	}
	return tx.Commit()
}
