package wpml

import (
	"slices"
	"testing"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// Each table that writes change, or whose changes matter, is one that the site is asked for.
func TestTables(t *testing.T) {
	p := New(table.Names{}, nil)
	var names []string
	for _, written := range p.Tables() {
		names = append(names, written.Name)
	}
	for _, fed := range p.Storage().Tables {
		names = append(names, fed.Name)
	}
	for _, name := range append(append(names, p.Storage().Optional...), p.CodeTable()) {
		if !slices.Contains(p.SiteTables(), name) {
			t.Errorf("the site isn't asked for %s", name)
		}
	}
	if len(names) < 5 || p.Name() != "wpml" || len(p.ObjectTaxonomies()) > 0 {
		t.Errorf("%s: %q %q", p.Name(), names, p.ObjectTaxonomies())
	}
}

// Queries force an index that starts with the element's id, and are other queries with it.
func TestIndex(t *testing.T) {
	names, err := table.New(table.Config{Prefix: "wp_"})
	if err != nil {
		t.Fatal(err)
	}
	servers, err := sqlconn.Open(t.Context(), sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer servers.Close()
	p := New(names, servers.Dialect())
	plain := p.PostVariant(nil)
	p.byElement.Store(new("id`first"))
	p.rows.Store(100)
	if p.JoinVariant() != "id`first" || p.PostVariant(nil) == plain {
		t.Errorf("variants %s and %s", p.JoinVariant(), p.PostVariant(nil))
	}
	query, _, err := p.JoinPosts(sq.Select("ID").From("posts"), wpstore.InLanguage{Code: "cs"}, wpstore.EventType, "ID").ToSql()
	want := "SELECT ID FROM posts " + servers.Dialect().JoinInOrder() +
		" `wp_icl_translations` il FORCE INDEX (`id``first`) ON il.element_type = ? AND il.element_id = ID AND il.language_code IN (?)"
	if err != nil || query != want {
		t.Errorf("%v\n%s\nwant\n%s", err, query, want)
	}
	// A look-up costs as much as reading four rows of the scan.
	for posts, want := range map[int64]bool{25: false, 26: true} {
		if p.WorthScanning(posts) != want {
			t.Errorf("%d posts of 100 rows: %v", posts, !want)
		}
	}
}
