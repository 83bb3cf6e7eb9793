package site

import (
	"log/slog"
	"maps"
	"slices"
	"testing"
	"time"

	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/rest/proof"
	"calbridge/rest/sitefacts"
	"calbridge/wpstore/sample"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// TestOpenedWith checks that a site can't take over the proofs of a site that was opened with
// other facts, because that site renders differently, even if both read the same facts now.
func TestOpenedWith(t *testing.T) {
	store, err := sitedb.Open(t.Context(), sitedb.Config{
		Config: sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:"), Now: time.Now, Logger: slog.New(slog.DiscardHandler)}, Tables: table.Config{Prefix: "wp_"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := sample.Load(t.Context(), store, sample.Options{Now: time.Now(), Home: "https://a.example"}); err != nil {
		t.Fatal(err)
	}
	s := &settings.Settings{}
	g := &sitecheck.Gatherer{Settings: s, Store: store}
	open := func() *factSource {
		t.Helper()
		facts, _, err := g.Gather(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return &factSource{settings: s, gatherer: g, opened: facts, logger: slog.New(slog.DiscardHandler)}
	}
	read := func(f *factSource) proof.Facts {
		t.Helper()
		facts, err := f.read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return facts
	}
	before := open()
	if a, b := read(before), read(open()); !maps.Equal(a, b) || a["opened with"] == "" {
		t.Errorf("opened with the same facts: %v and %v", a, b)
	}
	if _, err := store.SQL().Exec("UPDATE wp_options SET option_value = 'astra' WHERE option_name = 'template'"); err != nil {
		t.Fatal(err)
	}
	a, b := read(before), read(open())
	if a[string(sitefacts.Template)] != b[string(sitefacts.Template)] {
		t.Errorf("they read different facts: %v and %v", a, b)
	}
	differing := slices.DeleteFunc(slices.Collect(maps.Keys(a)), func(name string) bool { return a[name] == b[name] })
	if !slices.Equal(differing, []string{"opened with"}) {
		t.Errorf("opened with different facts: %v differ", differing)
	}
}
