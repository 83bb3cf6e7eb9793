package options

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Store reads options. It is for one request, or for one transaction.
type Store struct {
	run     *sqlconn.Runner
	tables  table.Names
	plugins langplugin.Plugins
	// calendarTablesOff is documented at New.
	calendarTablesOff bool
}

// New returns a Store. calendarTablesOff is set if the site's configuration keeps The
// Events Calendar from using tables of its own, whatever its options are.
func New(run *sqlconn.Runner, tables table.Names, plugins langplugin.Plugins, calendarTablesOff bool) Store {
	return Store{run, tables, plugins, calendarTablesOff}
}

// Options returns the raw texts of the named options of this site, as stored:
// arrays are serialized text, numbers and booleans are text. Names without a row
// are absent. One query.
func (s *Store) Options(ctx context.Context, names []string) (map[string]string, error) {
	return s.optionRows(ctx, "options.read", sq.
		Select("option_name", "option_value").
		From(s.tables.Quoted("options")).
		Where(sq.Eq{"option_name": names}), names)
}

// NetworkOptions returns the raw texts of the named options of the network the
// site belongs to. Only multisite installations have the table. One query.
func (s *Store) NetworkOptions(ctx context.Context, names []string) (map[string]string, error) {
	return s.optionRows(ctx, "options.read_network", sq.
		Select("meta_key", "meta_value").
		From(s.tables.Quoted("sitemeta")).
		Where(sq.Eq{"meta_key": names}).
		OrderBy("site_id", "meta_id"), names)
}

// optionRows returns the rows by the names as given. The collation of the name column
// ignores case, and WordPress, which selects by name, uses what the database finds.
func (s *Store) optionRows(ctx context.Context, name string, query sq.SelectBuilder, names []string) (map[string]string, error) {
	found := make(map[string]string, len(names))
	if len(names) == 0 {
		return found, nil
	}
	err := s.run.Query(ctx, name, query, func(rows *sql.Rows) error {
		var key string
		var value sql.NullString
		if err := rows.Scan(&key, &value); err != nil {
			return err
		}
		if !slices.Contains(names, key) {
			i := slices.IndexFunc(names, func(asked string) bool { return strings.EqualFold(asked, key) })
			if i < 0 {
				return nil
			}
			key = names[i]
		}
		if _, seen := found[key]; !seen {
			found[key] = value.String
		}
		return nil
	})
	return found, err
}
