package sample

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	sq "github.com/Masterminds/squirrel"
)

// rows are the rows of one table, in the order of their insertion.
type rows struct {
	table   string // without the site's prefix
	columns []string
	values  [][]any
}

func (r *rows) add(values ...any) { r.values = append(r.values, values) }

// tables holds the rows of all tables.
type tables struct {
	options, users, userMeta                 *rows
	languages, languageNames, translations   *rows
	terms, taxonomies, relationships         *rows
	posts, postMeta, eventDates, occurrences *rows
	list                                     []*rows // all of them
	groups                                   int64   // the last group of translations
	// err records mistakes in this package's lists.
	err error
}

func newTables() *tables {
	var list []*rows
	table := func(name string, columns ...string) *rows {
		list = append(list, &rows{table: name, columns: columns})
		return list[len(list)-1]
	}
	t := &tables{
		options:       table("options", "option_name", "option_value", "autoload"),
		users:         table("users", "ID", "user_login", "user_pass", "user_nicename", "user_email", "user_registered", "display_name"),
		userMeta:      table("usermeta", "user_id", "meta_key", "meta_value"),
		languages:     table("icl_languages", "id", "code", "english_name", "major", "active", "default_locale", "tag", "encode_url"),
		languageNames: table("icl_languages_translations", "language_code", "display_language_code", "name"),
		translations:  table("icl_translations", "element_type", "element_id", "trid", "language_code", "source_language_code"),
		terms:         table("terms", "term_id", "name", "slug", "term_group"),
		taxonomies:    table("term_taxonomy", "term_taxonomy_id", "term_id", "taxonomy", "description", "parent", "count"),
		relationships: table("term_relationships", "object_id", "term_taxonomy_id", "term_order"),
		posts: table("posts", "ID", "post_author", "post_date", "post_date_gmt", "post_content", "post_title", "post_excerpt", "post_status",
			"comment_status", "ping_status", "post_password", "post_name", "to_ping", "pinged", "post_modified", "post_modified_gmt",
			"post_content_filtered", "post_parent", "guid", "menu_order", "post_type", "post_mime_type"),
		postMeta: table("postmeta", "post_id", "meta_key", "meta_value"),
		eventDates: table("tec_events", "event_id", "post_id", "start_date", "end_date", "timezone", "start_date_utc", "end_date_utc", "duration",
			"updated_at", "hash"),
		occurrences: table("tec_occurrences", "occurrence_id", "event_id", "post_id", "start_date", "start_date_utc", "end_date", "end_date_utc",
			"duration", "hash", "updated_at"),
	}
	t.list = list
	return t
}

// fail records a mistake in this package's lists.
func (t *tables) fail(format string, args ...any) {
	t.err = errors.Join(t.err, fmt.Errorf(format, args...))
}

// rowsPerStatement keeps statements well below the engines' limits on arguments.
const rowsPerStatement = 200

// insert writes everything in one transaction. named adds the site's prefix to a table's
// name.
func (t *tables) insert(ctx context.Context, db *sql.DB, named func(string) string) error {
	if t.err != nil {
		return t.err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, r := range t.list {
		for start := 0; start < len(r.values); start += rowsPerStatement {
			insert := sq.Insert("`" + named(r.table) + "`").Columns(r.columns...)
			for _, values := range r.values[start:min(start+rowsPerStatement, len(r.values))] {
				insert = insert.Values(values...)
			}
			if _, err := insert.RunWith(tx).ExecContext(ctx); err != nil {
				return fmt.Errorf("table %s: %w", named(r.table), err)
			}
		}
	}
	return tx.Commit()
}
