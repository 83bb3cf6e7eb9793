package check

import (
	"testing"

	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/options"
	"calbridge/wpstore/polylang"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wpml"
)

// testSite is a site to check.
type testSite struct {
	Site
	run *sqlconn.Runner
}

func open(t *testing.T, cfg sqlconn.Config, prefix string) *testSite {
	t.Helper()
	tables, err := table.New(table.Config{Prefix: prefix})
	if err != nil {
		t.Fatal(err)
	}
	servers, err := sqlconn.Open(t.Context(), cfg, func(string) []invalidation.Kind { return nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { servers.Close() })
	plugins := langplugin.Plugins{wpml.New(tables, servers.Dialect()), polylang.New(tables, servers.Dialect())}
	s := &testSite{Site: Site{Servers: servers, Tables: tables}, run: sqlconn.NewRunner(servers, nil)}
	for _, table := range rowedit.Tables() {
		s.Written = append(s.Written, table.Name)
	}
	for _, table := range plugins.Tables() {
		s.PluginTables = append(s.PluginTables, table.Name)
	}
	store := options.New(s.run, tables, plugins, false)
	s.Options = &store
	return s
}
