package langplugin_test

import (
	"context"
	"database/sql"
	"slices"
	"testing"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/changefeed/rowtags"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/wptest/rowtest"
)

// plugin is a plugin that has one of everything.
type plugin struct {
	langplugin.None
	name, index string
}

func (p plugin) Name() i18n.Plugin          { return i18n.Plugin(p.name) }
func (p plugin) SiteTables() []string       { return []string{p.name + "_site"} }
func (p plugin) ObjectTaxonomies() []string { return []string{p.name + "_groups"} }
func (p plugin) Tables() []rowedit.Table    { return []rowedit.Table{{Name: p.name + "_rows"}} }
func (p plugin) JoinVariant() string        { return p.index }
func (p plugin) Storage() rowtags.Storage {
	return rowtags.Storage{Taxonomies: map[string]rowtags.TaxonomyRole{
		p.name + "_language": rowtags.PostLanguage, p.name + "_of_terms": rowtags.TermLanguage,
	}}
}

func TestPlugins(t *testing.T) {
	all := langplugin.Plugins{plugin{name: "second"}, plugin{name: "first", index: "by_id"}}
	if all.Of("first") != all[1] || all.Of("other") != (langplugin.None{}) || langplugin.Plugins(nil).Of(i18n.NoPlugin) != (langplugin.None{}) {
		t.Error("Of returns another plugin")
	}
	for what, c := range map[string][2][]string{
		"site tables":       {all.SiteTables(), {"second_site", "first_site"}},
		"object taxonomies": {all.ObjectTaxonomies(), {"second_groups", "first_groups"}},
		"post taxonomies":   {all.PostTaxonomies(), {"first_language", "second_language"}},
		"variant":           {{all.JoinVariant()}, {"by_id"}},
		"no variant":        {{all[:1].JoinVariant()}, {""}},
	} {
		if !slices.Equal(c[0], c[1]) {
			t.Errorf("%s: %q, want %q", what, c[0], c[1])
		}
	}
	if tables := all.Tables(); len(tables) != 2 || tables[1].Name != "first_rows" {
		t.Errorf("tables: %v", tables)
	}
	if storage := all.Storage(); len(storage) != 2 || len(storage[0].Taxonomies) != 2 {
		t.Errorf("storage: %v", storage)
	}
}

// Without a plugin queries stay as they are, and the columns of languages are NULL.
func TestNoneReads(t *testing.T) {
	none, query := langplugin.Plugin(langplugin.None{}), sq.Select("ID").From("posts p")
	in := wpstore.InLanguage{Plugin: i18n.WPML, Code: "cs"}
	for what, c := range map[string]struct {
		query sq.SelectBuilder
		want  string
	}{
		"posts":       {none.JoinPosts(query, in, "page", "p.ID"), "SELECT ID FROM posts p"},
		"terms":       {none.JoinTerms(query, in, "post_tag"), "SELECT ID FROM posts p"},
		"language":    {none.PostColumn(query, nil), "SELECT ID, NULL FROM posts p"},
		"term groups": {none.JoinTermGroups(query, "post_tag"), "SELECT ID, NULL, NULL FROM posts p"},
	} {
		if text, _, err := c.query.ToSql(); err != nil || text != c.want {
			t.Errorf("%s: %s %v", what, text, err)
		}
	}
	if _, able := none.SecondLanguage(in); able || none.WorthScanning(1<<40) || none.Name() != i18n.NoPlugin {
		t.Error("None has languages")
	}
	texts := none.JoinVariant() + none.PostVariant(nil) + none.PostLanguage(nil, "cs") + none.CodeTable()
	if lists := len(none.SiteTables()) + len(none.ObjectTaxonomies()) + len(none.Tables()) + len(none.Storage().Taxonomies); texts != "" || lists > 0 {
		t.Errorf("%q and %d names", texts, lists)
	}
	groups := map[int64]i18n.Group{}
	none.AddTermGroup(groups, 3, sql.NullString{String: "cs", Valid: true}, sql.NullString{String: "3", Valid: true})
	for what, err := range map[string]error{
		"site":   none.ReadSite(t.Context(), nil, &wpstore.SiteFacts{}, nil),
		"groups": none.PostGroups(t.Context(), nil, "test", []int64{3}, groups),
		"codes":  none.PostCodes(t.Context(), nil, "test", "page", []int64{3}, func(int64, string) { t.Error("a post has a language") }),
	} {
		if err != nil || len(groups) > 0 {
			t.Errorf("%s: %v %v", what, err, groups)
		}
	}
}

// The Writer without a plugin writes nothing but WordPress's option of children.
func TestNoneWrites(t *testing.T) {
	rows := rowtest.Rows(t)
	rowtest.Exec(t, rows, `INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description, parent)
		VALUES (11, 1, 'tribe_events_cat', '', 0), (12, 2, 'tribe_events_cat', '', 1)`)
	w := langplugin.None{}.Writer(rows, nil, nil, langplugin.Rules{})
	ctx, post, term := context.Background(), &wpstore.Post{ID: 5}, wpstore.Term{ID: 2, Taxonomy: "tribe_events_cat"}
	query := sq.Select("ID").From("posts")
	if got, err := w.Rivals(ctx, query, 5, "page"); err != nil || sq.DebugSqlizer(got) != sq.DebugSqlizer(query) {
		t.Errorf("rivals: %s %v", sq.DebugSqlizer(got), err)
	}
	if got, err := w.TermsOfPost(ctx, 5, "post_tag", []int64{3, 1}); err != nil || !slices.Equal(got, []int64{3, 1}) {
		t.Errorf("terms: %v %v", got, err)
	}
	if known, err := w.KnownTerm(ctx, "post_tag", "Jazz", false); err != nil || known.ID != 0 {
		t.Errorf("known: %v %v", known, err)
	}
	if scope, err := w.StoredTerm(ctx, term); err != nil || scope != (langplugin.TermScope{}) || w.NewTerm("cs") != scope || w.ResortsTags() {
		t.Errorf("scope: %v %v", scope, err)
	}
	w.MetaChanged(post, nil)
	change := langplugin.ChildChange{Term: term}
	for what, err := range map[string]error{
		"created": w.PostCreated(ctx, post, true), "updated": w.PostUpdated(ctx, post, post, false), "deleting": w.PostDeleting(ctx, post),
		"term created": w.TermCreated(ctx, term, "cs"), "term deleting": w.TermDeleting(ctx, term), "finish": w.Finish(ctx),
		"a flat taxonomy": w.ChildrenChanged(ctx, change),
	} {
		if err != nil || rowtest.Texts(t, rows, "SELECT COUNT(*) FROM wp_options") != "0" {
			t.Errorf("%s: %v", what, err)
		}
	}
	change.Hierarchical = true
	if err := w.ChildrenChanged(ctx, change); err != nil || rowtest.Texts(t, rows, "SELECT option_value FROM wp_options") != "a:1:{i:1;a:1:{i:0;i:2;}}" {
		t.Error(err, rowtest.Texts(t, rows, "SELECT * FROM wp_options"))
	}
}
