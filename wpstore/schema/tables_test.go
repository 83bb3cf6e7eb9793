package schema_test

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"

	sq "github.com/Masterminds/squirrel"
	"github.com/google/go-cmp/cmp"

	"calbridge/wpstore/ddl"
	"calbridge/wpstore/schema"
)

// TestKeysNameColumns: servers refuse a key on a column that isn't there, an automatic id
// that isn't the start of a key, and a name that is given twice.
func TestKeysNameColumns(t *testing.T) {
	seen := map[string]bool{}
	for _, table := range append(schema.Tables(), schema.LanguageTables()...) {
		if seen[table.Name] {
			t.Errorf("%s is described twice", table.Name)
		}
		seen[table.Name] = true
		names := map[string]bool{}
		for _, column := range table.Columns {
			if column.Name == "" || column.Type == "" || names["column "+column.Name] {
				t.Errorf("%s: %+v", table.Name, column)
			}
			names["column "+column.Name] = true
		}
		var first []string
		primaries := 0
		for _, key := range table.Keys {
			if names["key "+key.Name] || (key.Name == "") != (key.Kind == ddl.Primary) {
				t.Errorf("%s: %+v", table.Name, key)
			}
			names["key "+key.Name] = true
			if key.Kind == ddl.Primary {
				primaries++
			}
			first = append(first, key.Columns[0].Name)
			for _, column := range key.Columns {
				c, ok := findColumn(table, column.Name)
				if !ok {
					t.Errorf("%s: key %s is on %s, which isn't a column", table.Name, key.Name, column.Name)
				}
				// MariaDB and MySQL need a length to index a text column.
				if strings.HasSuffix(c.Type, "text") && column.Prefix == 0 {
					t.Errorf("%s: key %s is on all of the text %s", table.Name, key.Name, column.Name)
				}
			}
		}
		if primaries != 1 {
			t.Errorf("%s has %d primary keys", table.Name, primaries)
		}
		for _, column := range table.Columns {
			if column.AutoIncrement && (!slices.Contains(first, column.Name) || column.Default != "") {
				t.Errorf("%s: %+v", table.Name, column)
			}
		}
	}
}

// TestDescribedColumns: the kinds of columns, in tables that the REST API depends on.
// The definitions are those that SHOW CREATE TABLE prints on a site.
func TestDescribedColumns(t *testing.T) {
	tables := map[string]ddl.Table{}
	for _, table := range append(schema.Tables(), schema.LanguageTables()...) {
		tables[table.Name] = table
	}
	for name, want := range map[string]ddl.Column{
		"posts.ID":                         {Type: "bigint(20) unsigned", NotNull: true, AutoIncrement: true},
		"posts.post_author":                {Type: "bigint(20) unsigned", NotNull: true, Default: "0"},
		"posts.post_date_gmt":              {Type: "datetime", NotNull: true, Default: "'0000-00-00 00:00:00'"},
		"posts.post_content":               {Type: "longtext", NotNull: true},
		"posts.post_status":                {Type: "varchar(20)", NotNull: true, Default: "'publish'"},
		"posts.menu_order":                 {Type: "int(11)", NotNull: true, Default: "0"},
		"postmeta.meta_key":                {Type: "varchar(255)", Default: "NULL"},
		"usermeta.umeta_id":                {Type: "bigint(20) unsigned", NotNull: true, AutoIncrement: true},
		"term_relationships.object_id":     {Type: "bigint(20) unsigned", NotNull: true, Default: "0"},
		"tec_occurrences.end_date_utc":     {Type: "datetime", NotNull: true},
		"tec_occurrences.duration":         {Type: "mediumint(30)", Default: "7200"},
		"tec_events.updated_at":            {Type: "timestamp", Default: "CURRENT_TIMESTAMP", TouchOnUpdate: true},
		"icl_languages.id":                 {Type: "int(11)", NotNull: true, AutoIncrement: true},
		"icl_translate_job.ate_sync_count": {Type: "int(6) unsigned", Default: "0"},
		"icl_translate.timestamp":          {Type: "timestamp", NotNull: true, Default: "current_timestamp()"},
	} {
		table, column, _ := strings.Cut(name, ".")
		want.Name = column
		got, _ := findColumn(tables[table], column)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// engine makes two statements of a table and refuses to run some.
type engine struct {
	ran    []string
	refuse string
}

func (e *engine) CreateTable(t ddl.Table) []string {
	return []string{"create " + t.Name, "index " + t.Name}
}

func (e *engine) Exec(_ context.Context, name, _ string, b sq.Sqlizer) (sql.Result, error) {
	text, _, err := b.ToSql()
	if text == e.refuse {
		err = errors.New("there is no room")
	}
	e.ran = append(e.ran, name+": "+text)
	return nil, err
}

func TestCreate(t *testing.T) {
	prefixed := func(name string) string { return "x_" + name }
	tables := []ddl.Table{{Name: "one"}, {Name: "two"}}
	var e engine
	if err := schema.Create(t.Context(), &e, &e, prefixed, tables); err != nil {
		t.Fatal(err)
	}
	want := []string{"schema.create: create x_one", "schema.create: index x_one", "schema.create: create x_two", "schema.create: index x_two"}
	if diff := cmp.Diff(want, e.ran); diff != "" {
		t.Error(diff)
	}
	if tables[0].Name != "one" {
		t.Error("the description was changed")
	}
	e = engine{refuse: "index x_one"}
	err := schema.Create(t.Context(), &e, &e, prefixed, tables)
	if err == nil || !strings.Contains(err.Error(), "x_one") || len(e.ran) != 2 {
		t.Errorf("%v after %q", err, e.ran)
	}
}

// findColumn finds a column by name.
func findColumn(t ddl.Table, name string) (ddl.Column, bool) {
	i := slices.IndexFunc(t.Columns, func(c ddl.Column) bool { return c.Name == name })
	if i < 0 {
		return ddl.Column{}, false
	}
	return t.Columns[i], true
}
