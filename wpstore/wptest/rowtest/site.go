package rowtest

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/rowcache"
	"calbridge/wpstore/schema"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// Site is a database with the empty tables of WordPress, The Events Calendar and WPML, and a
// request that reads it.
type Site struct {
	Filler
	Servers *sqlconn.Servers
	Tables  table.Names
	// Run and Depends are those of the request.
	Run     *sqlconn.Runner
	Depends *invalidation.Dependencies
	ran     *[]string // names of the statements so far
}

// EachEngine runs a test on an empty site in each engine.
func EachEngine(t *testing.T, test func(t *testing.T, s *Site)) {
	for _, engine := range wptest.Engines() {
		t.Run(engine, func(t *testing.T) { test(t, NewSite(t, engine)) })
	}
}

// NewSite returns an empty site with the prefix wp_, whose clock stands at Noon.
func NewSite(t testing.TB, engine string) *Site {
	t.Helper()
	dsn := "sqlite::memory:"
	if engine == "mariadb" {
		dsn = wptest.MariaDB(t)
	}
	var ran []string
	record := func(name string) []invalidation.Kind {
		ran = append(ran, name)
		return nil
	}
	servers, err := sqlconn.Open(t.Context(), sqlconn.Config{Database: wptest.Address(t, dsn), Now: func() time.Time { return Noon }}, record)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { servers.Close() })
	names, err := table.New(table.Config{Prefix: "wp_"})
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Create(t.Context(), sqlconn.NewRunner(servers, nil), servers.Dialect(), names.Plain, append(schema.Tables(), schema.LanguageTables()...)); err != nil {
		t.Fatal(err)
	}
	s := &Site{Filler: Filler{T: t, DB: servers.SQL(), Table: names.Plain}, Servers: servers, Tables: names, ran: &ran}
	return s.Request()
}

// Request returns the site for another request, without dependencies yet.
func (s *Site) Request() *Site {
	next := *s
	next.Depends = invalidation.NewDependencies()
	next.Run = sqlconn.NewRunner(s.Servers, next.Depends)
	return &next
}

// Runs checks the names of the statements that do runs, separated by blanks.
func (s *Site) Runs(want string, do func(context.Context)) {
	s.T.Helper()
	*s.ran = nil
	do(s.T.Context())
	ran := *s.ran
	if !s.Servers.Dialect().Windows() { // the total of a list is a statement of its own
		ran = slices.DeleteFunc(ran, func(name string) bool { return strings.HasSuffix(name, ".count") && !strings.Contains(want, name) })
	}
	if got := strings.Join(ran, " "); got != want {
		s.T.Errorf("the statements were %q, want %q", got, want)
	}
}

// Depended checks which tags the results of the request depend on. Tags that go by the names of
// statements are not among them.
func (s *Site) Depended(want ...invalidation.Tag) {
	s.T.Helper()
	sort := func(tags []invalidation.Tag) []invalidation.Tag {
		slices.SortFunc(tags, func(a, b invalidation.Tag) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID)) })
		return tags
	}
	if got := sort(s.Depends.Tags()); !slices.Equal(got, sort(slices.Clone(want))) {
		s.T.Errorf("the results depend on %v, want %v", got, want)
	}
}

// Tags returns the tags of rows of a kind.
func Tags(kind invalidation.Kind, ids ...int64) (tags []invalidation.Tag) {
	for _, id := range ids {
		tags = append(tags, invalidation.Tag{Kind: kind, ID: id})
	}
	return tags
}

// Cache returns an empty row cache in use.
func Cache(t testing.TB) (*rowcache.Cache, *invalidation.Tracker) {
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	cache := rowcache.New(tracker, 1<<20)
	t.Cleanup(cache.Close)
	return cache, tracker
}

// View returns the request's view of a row cache.
func (s *Site) View(cache *rowcache.Cache) *rowcache.View {
	view := rowcache.NewView(cache, s.Depends)
	view.Allow()
	return &view
}

// Exec runs a statement past the request.
func (s *Site) Exec(statement string, args ...any) {
	s.T.Helper()
	if _, err := s.DB.ExecContext(s.T.Context(), statement, args...); err != nil {
		s.T.Fatalf("%s: %v", statement, err)
	}
}
