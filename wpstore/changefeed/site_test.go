package changefeed_test

import (
	"maps"
	"slices"
	"testing"

	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/options"
	"calbridge/wpstore/polylang"
	"calbridge/wpstore/schema"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/tickets"
	"calbridge/wpstore/wpml"
	"calbridge/wpstore/wptest"
)

// config describes where a site is.
type config struct {
	sqlconn.Config
	Tables table.Config
}

// row is a row of a table by column.
type row map[string]any

// site is an empty site, and a feed that may follow its log.
type site struct {
	*sqlconn.Servers
	*changefeed.Feed
	tables table.Names
	t      testing.TB
}

// newSite makes the tables of a site, those of language plugins included.
func newSite(t testing.TB, dsn string, change func(*config)) site {
	t.Helper()
	cfg := config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}, Tables: table.Config{Prefix: "wp_"}}
	if change != nil {
		change(&cfg)
	}
	s := site{t: t}
	var err error
	s.tables, err = table.New(cfg.Tables)
	s.ok(err)
	s.Servers, err = sqlconn.Open(t.Context(), cfg.Config, func(string) []invalidation.Kind { return nil })
	s.ok(err)
	t.Cleanup(func() { s.Close() })
	s.ok(schema.Create(t.Context(), sqlconn.NewRunner(s.Servers, nil), s.Dialect(), s.tables.Plain, slices.Concat(schema.Tables(), schema.LanguageTables())))
	s.Feed = s.feed(nil)
	return s
}

// feed returns the feed of a site, over a hub that it shares or over its own.
func (s site) feed(hub *changefeed.Hub) *changefeed.Feed {
	plugins := langplugin.Plugins{wpml.New(s.tables, s.Dialect()), polylang.New(s.tables, s.Dialect())}
	names, networkNames := options.Names(s.tables.Prefix())
	return changefeed.New(changefeed.Config{
		Servers: s.Servers, Hub: hub, Tables: s.tables, Options: names, NetworkOptions: networkNames, Tickets: tickets.Names(), Plugins: plugins.Storage(),
		Complete: func(tags []invalidation.Tag) []invalidation.Tag {
			if slices.Contains(tags, invalidation.Tag{Kind: invalidation.Posts}) {
				tags = append(tags, invalidation.Tag{Kind: invalidation.Events})
			}
			return tags
		},
	})
}

// insert adds a row; columns that no default covers are filled.
func (s site) insert(table string, r row) {
	s.t.Helper()
	wptest.Insert(s.t, s.SQL(), s.tables.Plain(table), r)
}

// post adds a published post.
func (s site) post(id int64, postType string, r row) {
	s.t.Helper()
	full := row{"ID": id, "post_type": postType, "post_status": "publish", "post_date": "2026-01-01 00:00:00"}
	maps.Copy(full, r)
	s.insert("posts", full)
}

// term adds a term; its taxonomy id is its id and 1000 more.
func (s site) term(id int64, taxonomy, name, slug string, parent, count int64) {
	s.t.Helper()
	s.insert("terms", row{"term_id": id, "name": name, "slug": slug})
	s.insert("term_taxonomy", row{"term_taxonomy_id": 1000 + id, "term_id": id, "taxonomy": taxonomy,
		"description": "", "parent": parent, "count": count})
}

func (s site) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// TestNoLog: the embedded engine has none.
func TestNoLog(t *testing.T) {
	s := newSite(t, "sqlite::memory:", nil)
	if err := s.Follow(t.Context(), invalidation.NewTracker(), changefeed.Observer{}); err == nil {
		t.Error("the embedded engine has a binary log")
	}
	if err := s.CatchUp(t.Context()); err == nil {
		t.Error("caught up although nothing is followed")
	}
}
