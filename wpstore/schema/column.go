package schema

import "calbridge/wpstore/ddl"

// The kinds of columns that the tables are made of.

func autoID(name string) ddl.Column {
	return ddl.Column{Name: name, Type: "bigint(20) unsigned", NotNull: true, AutoIncrement: true}
}

// reference is the id of a row elsewhere, 0 for none.
func reference(name string) ddl.Column {
	return ddl.Column{Name: name, Type: "bigint(20) unsigned", NotNull: true, Default: "0"}
}

func integer(name, sqlType, value string) ddl.Column {
	return ddl.Column{Name: name, Type: sqlType, NotNull: true, Default: value}
}

func varchar(name, length, value string) ddl.Column {
	return ddl.Column{Name: name, Type: "varchar(" + length + ")", NotNull: true, Default: "'" + value + "'"}
}

// longText is a text without a default; size is text, mediumtext and the like.
func longText(name, size string) ddl.Column {
	return ddl.Column{Name: name, Type: size, NotNull: true}
}

func datetime(name string) ddl.Column {
	return ddl.Column{Name: name, Type: "datetime", NotNull: true, Default: "'0000-00-00 00:00:00'"}
}

func nullable(name, sqlType string) ddl.Column {
	return ddl.Column{Name: name, Type: sqlType, Default: "NULL"}
}

// required has neither a default nor NULL.
func required(name, sqlType string) ddl.Column {
	return ddl.Column{Name: name, Type: sqlType, NotNull: true}
}

func primary(columns ...string) ddl.Key {
	return ddl.Key{Kind: ddl.Primary, Columns: whole(columns)}
}

func unique(name string, columns ...string) ddl.Key {
	return ddl.Key{Kind: ddl.Unique, Name: name, Columns: whole(columns)}
}

func index(name string, columns ...string) ddl.Key {
	return ddl.Key{Kind: ddl.Index, Name: name, Columns: whole(columns)}
}

// indexStart indexes the first characters of a text: 191 of four bytes each are
// what old InnoDB tables could hold.
func indexStart(name string, prefix int, column string) ddl.Key {
	return ddl.Key{Kind: ddl.Index, Name: name, Columns: []ddl.KeyColumn{{Name: column, Prefix: prefix}}}
}

func whole(names []string) []ddl.KeyColumn {
	columns := make([]ddl.KeyColumn, len(names))
	for i, name := range names {
		columns[i].Name = name
	}
	return columns
}
