package edit

import (
	"context"
	"errors"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/trait"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/render"
	"calbridge/rest/wprest"
	"calbridge/rest/wptext/kses"
	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore"
	wpedit "calbridge/wpstore/edit"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
)

// terms has the handlers that write categories, or tags.
type terms struct {
	render    *render.Shared
	tax       *api.TaxonomyKind
	revisions int
}

// create answers POST.
func (h terms) create(ctx context.Context, session *sitedb.Session, r *wprest.Request) (*api.Result, error) {
	r = atTermRoot(r)
	if err := h.refuseTagParent(r); err != nil {
		return nil, err
	}
	name, err := termName(r.Text("name"), r.Place.Site.Traits)
	if err != nil {
		return nil, err
	}
	slug := r.Place.Site.Slug
	t := wpstore.NewTerm{
		Taxonomy: h.tax.Name, Hierarchical: h.tax.Hierarchical,
		Name: name, Description: kses.TermDescription(r.Text("description"), r.Place.Site.Traits), Slug: slug(name),
	}
	t.Parent = php.ToInt(r.Get("parent")) // 0 for tags, whose parents are refused
	if given := slug(r.Text("slug")); given != "" {
		t.Slug, t.SlugGiven = given, true
	}
	made, err := write(ctx, session, r, h.revisions, func(tx *sitedb.Tx) (wpstore.Term, error) {
		if err := tx.TermEditor.Lock(ctx); err != nil {
			return wpstore.Term{}, err
		}
		t := t
		var err error
		t.Language, err = termLanguage(ctx, tx, r.Place, &r.Params, h.tax, t.Parent)
		if err != nil {
			return wpstore.Term{}, err
		}
		return tx.TermEditor.Insert(ctx, t)
	})
	if err != nil {
		return nil, termError(err, r.Place.Words)
	}
	res, err := created(h.answer(ctx, r, made, true))
	if err != nil {
		return nil, err
	}
	res.Fields = []api.Header{{Name: "Location", Value: r.Place.Links.WPRoute(h.tax.CoreRoute + "/" + php.ToString(made.ID))}}
	return res, nil
}

// update answers POST, PUT and PATCH of one category or tag. It changes only the fields that the
// request has.
func (h terms) update(ctx context.Context, session *sitedb.Session, r *wprest.Request) (*api.Result, error) {
	r = atTermRoot(r)
	if err := h.refuseTagParent(r); err != nil {
		return nil, err
	}
	slug := r.Place.Site.Slug
	change := wpedit.TermChange{Hierarchical: h.tax.Hierarchical}
	if v := r.Get("name"); v != nil {
		name, err := termName(php.ToString(v), r.Place.Site.Traits)
		if err != nil {
			return nil, err
		}
		change.Name, change.NameSlug = &name, slug(name)
	}
	if v := r.Get("description"); v != nil {
		text := kses.TermDescription(php.ToString(v), r.Place.Site.Traits)
		change.Description = &text
	}
	if v := r.Get("slug"); v != nil {
		given := slug(php.ToString(v))
		change.Slug = &given
	}
	if v := r.Get("parent"); v != nil {
		id := php.ToInt(v)
		change.Parent = &id
	}
	t, err := write(ctx, session, r, h.revisions, func(tx *sitedb.Tx) (wpstore.Term, error) {
		if err := tx.TermEditor.Lock(ctx); err != nil {
			return wpstore.Term{}, err
		}
		t, err := r.Term(ctx, &tx.Terms, h.tax)
		if err != nil {
			return t, err
		}
		change := change // may run again
		if change.Name == nil {
			change.NameSlug = slug(t.Name)
		}
		return tx.TermEditor.Update(ctx, t, change)
	})
	if err != nil {
		return nil, termError(err, r.Place.Words)
	}
	return h.answer(ctx, r, t, true)
}

// delete answers DELETE of one category or tag with the term as it was.
func (h terms) delete(ctx context.Context, session *sitedb.Session, r *wprest.Request) (*api.Result, error) {
	r = atTermRoot(r)
	t, err := r.Term(ctx, r.Store.Terms, h.tax)
	if err != nil {
		return nil, err
	}
	res, err := h.answer(ctx, r, t, false)
	if err != nil {
		return nil, err
	}
	return res, writeOnly(ctx, session, r, h.revisions, func(tx *sitedb.Tx) error {
		if err := tx.TermEditor.Lock(ctx); err != nil {
			return err
		}
		t, err := r.Term(ctx, &tx.Terms, h.tax)
		if err != nil {
			return err
		}
		return tx.TermEditor.Delete(ctx, t, h.tax.Hierarchical)
	})
}

// answer returns the response with a term, with WordPress's own links or without.
func (h terms) answer(ctx context.Context, r *wprest.Request, t wpstore.Term, links bool) (*api.Result, error) {
	return h.render.Terms(r.Place, r.Viewer, r.Store, render.OptionsOf(&r.Params, false)).Term(ctx, h.tax, t, links)
}

// atTermRoot moves the request to the root of the language that it wants.
func atTermRoot(r *wprest.Request) *wprest.Request {
	moved := *r
	moved.Place = r.Place.MovedForTerm()
	return &moved
}

// refuseTagParent refuses a parent of a tag.
func (h terms) refuseTagParent(r *wprest.Request) error {
	if !h.tax.Hierarchical && r.Get("parent") != nil {
		return tribev1.Fail("rest_taxonomy_not_hierarchical")
	}
	return nil
}

// termError describes a text that doesn't fit its column as WordPress's database class does.
func termError(err error, words *api.Wording) error {
	field := "name"
	var unstorable *wpstore.UnstorableError
	switch {
	case errors.As(err, &unstorable):
		field = unstorable.Field
	case !errors.Is(err, wpstore.ErrTooLong):
		return err
	}
	e := tribev1.Fail("db_insert_error")
	e.PlainData = words.Message("db_insert_error.data", map[string]string{"fields": field})
	return e
}

// termName brings a name into stored form: one line of text without tags, with HTML's
// special characters encoded.
func termName(given string, traits trait.Set) (string, error) {
	if strings.Trim(given, " \t\n\r\x00\x0b") == "" {
		return "", tribev1.Fail("empty_term_name")
	}
	name := kses.Title(sanitize.TextField(given), traits)
	if name == "" {
		return "", tribev1.Fail("invalid_term_name")
	}
	return name, nil
}
