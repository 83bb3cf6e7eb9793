package edit_test

import (
	"context"
	"strings"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/edit"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/posts"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/terms"
	"calbridge/wpstore/wptest/rowtest"
)

// editor edits the posts and terms of an empty site without language plugin, as user 7 at
// rowtest.Noon.
type editor struct {
	t     *testing.T
	rows  *rowedit.Rows
	posts *edit.Posts
	terms *edit.Terms
	read  terms.Store
}

// newEditor returns an editor on the embedded engine. change, unless nil, changes the rules.
func newEditor(t *testing.T, change func(*edit.Rules)) *editor {
	t.Helper()
	return editorOf(t, rowtest.NewSite(t, "sqlite"), change)
}

// eachEngine runs a test with an editor on each engine.
func eachEngine(t *testing.T, test func(*testing.T, *editor)) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) { test(t, editorOf(t, s, nil)) })
}

func editorOf(t *testing.T, s *rowtest.Site, change func(*edit.Rules)) *editor {
	e := &editor{t: t, rows: s.Rows()}
	rules := edit.Rules{
		Home:       "https://lipa.example",
		MayPublish: func(string) bool { return true },
		Permalink:  func(p *wpstore.Post) string { return "https://lipa.example/event/" + p.Name + "/" },
		Clean:      func(*wpstore.Post) {},
		Slug:       func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), "-")) },
	}
	if change != nil {
		change(&rules)
	}
	e.read = terms.New(e.rows.Runner, e.rows.Tables, nil, nil)
	read := posts.New(e.rows.Runner, e.rows.Tables, nil, nil, &e.read)
	languages := langplugin.Plugins{}.Of("").Writer(e.rows, &read, &e.read, langplugin.Rules{})
	e.posts = edit.NewPosts(e.rows, rules, &read, &e.read, nil, languages)
	e.terms = edit.NewTerms(e.rows, &e.read, nil, languages)
	return e
}

func (e *editor) exec(statement string, args ...any) {
	e.t.Helper()
	rowtest.Exec(e.t, e.rows, statement, args...)
}

// holds compares the rows of a query, after all that is due was written.
func (e *editor) holds(step, query, want string) {
	e.t.Helper()
	ctx := e.t.Context()
	e.ok(e.rows.Finish(ctx))
	if got := rowtest.Texts(e.t, e.rows, query); got != want {
		e.t.Errorf("%s:\n%s\nwant\n%s", step, got, want)
	}
}

func (e *editor) ok(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

// save saves a new post.
func (e *editor) save(p wpstore.Post) *edit.PostEdit {
	e.t.Helper()
	made := e.posts.New(p)
	e.ok(e.posts.Save(e.t.Context(), made))
	e.ok(e.posts.Flush(e.t.Context(), made))
	return made
}

// change changes a stored post.
func (e *editor) change(id int64, do func(context.Context, *edit.PostEdit) error) {
	e.t.Helper()
	ctx := e.t.Context()
	stored, err := e.posts.Edit(ctx, id)
	e.ok(err)
	if stored == nil {
		e.t.Fatalf("no post %d", id)
	}
	e.ok(do(ctx, stored))
}
