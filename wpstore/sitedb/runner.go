package sitedb

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/collation"
	"calbridge/wpstore/ddl"
)

// runner is what sqlconn.Runner is going to be.
type runner struct{ db *DB }

func (r runner) Query(ctx context.Context, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	return r.db.query(ctx, name, b, scan)
}

func (r runner) Exec(ctx context.Context, name string, b sq.Sqlizer) (sql.Result, error) {
	return r.db.exec(ctx, name, b)
}

// engineFacts is what sqlconn.Dialect is going to be.
type engineFacts struct{ db *DB }

func (e engineFacts) CreateTable(t ddl.Table) []string {
	if e.db.Engine() != "sqlite" {
		return []string{t.MySQL(textCollation)}
	}
	translated := t.SQLite(collation.Name)
	return append(append([]string{translated.Create}, translated.Indexes...), translated.After...)
}
