package schema

import "calbridge/wpstore/ddl"

// part adds columns or a key to a table.
type part func(*ddl.Table)

func table(name string, parts ...part) ddl.Table {
	t := ddl.Table{Name: name}
	for _, add := range parts {
		add(&t)
	}
	return t
}

// column adds a column for each of the names; without names, c itself.
func column(c ddl.Column, names ...string) part {
	return func(t *ddl.Table) {
		for _, name := range names {
			c.Name = name
			t.Columns = append(t.Columns, c)
		}
		if len(names) == 0 {
			t.Columns = append(t.Columns, c)
		}
	}
}

func autoID(name string) part { return autoIDOf("bigint(20) unsigned", name) }

func autoIDOf(sqlType, name string) part {
	return column(ddl.Column{Type: sqlType, NotNull: true, AutoIncrement: true}, name)
}

// reference adds columns with the id of a row elsewhere, 0 for none.
func reference(names ...string) part { return integer("bigint(20) unsigned", "0", names...) }

func integer(sqlType, value string, names ...string) part {
	return column(ddl.Column{Type: sqlType, NotNull: true, Default: value}, names...)
}

func varchar(length, value string, names ...string) part {
	return integer("varchar("+length+")", "'"+value+"'", names...)
}

func datetime(names ...string) part { return integer("datetime", "'0000-00-00 00:00:00'", names...) }

// required adds columns with neither a default nor NULL.
func required(sqlType string, names ...string) part {
	return column(ddl.Column{Type: sqlType, NotNull: true}, names...)
}

func nullable(sqlType string, names ...string) part { return optional(sqlType, "NULL", names...) }

// optional adds columns that have a default and may be NULL.
func optional(sqlType, value string, names ...string) part {
	return column(ddl.Column{Type: sqlType, Default: value}, names...)
}

func primary(columns ...string) part { return key(ddl.Primary, "", 0, columns) }

func unique(name string, columns ...string) part { return key(ddl.Unique, name, 0, columns) }

func index(name string, columns ...string) part { return key(ddl.Index, name, 0, columns) }

// indexStart adds an index of the first characters of a text.
func indexStart(name string, prefix int, column string) part {
	return key(ddl.Index, name, prefix, []string{column})
}

func key(kind ddl.KeyKind, name string, prefix int, columns []string) part {
	k := ddl.Key{Kind: kind, Name: name}
	for _, column := range columns {
		k.Columns = append(k.Columns, ddl.KeyColumn{Name: column, Prefix: prefix})
	}
	return func(t *ddl.Table) { t.Keys = append(t.Keys, k) }
}
