package rest

import (
	"errors"
	"net/http"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/wptext/kses"
	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// termCreate answers POST of a category or tag.
func termCreate(tax *api.TaxonomyKind) func(*call) (*api.Response, error) {
	return func(c *call) (*api.Response, error) {
		c.req.Place = c.req.Place.MovedForTerm()
		if err := c.refuseTagParent(tax); err != nil {
			return nil, err
		}
		name, err := termName(c.req.Text("name"))
		if err != nil {
			return nil, err
		}
		t := wpstore.NewTerm{
			Taxonomy: tax.Name, Hierarchical: tax.Hierarchical,
			Name: name, Description: kses.Title(c.req.Text("description")), Slug: c.req.Place.Site.Slug(name),
		}
		if tax.Hierarchical {
			t.Parent = php.ToInt(c.req.Get("parent"))
		}
		if slug := c.req.Place.Site.Slug(c.req.Text("slug")); slug != "" {
			t.Slug, t.SlugGiven = slug, true
		}
		var made wpstore.Term
		err = c.write(func(tx *wpstore.Tx) (err error) {
			if t.Language, err = c.newTermLanguage(tx.DB, tax, t.Parent); err != nil {
				return err
			}
			made, err = tx.InsertTerm(c.ctx, t)
			return err
		})
		if err != nil {
			return nil, c.termError(err)
		}
		res, err := c.terms().Term(c.ctx, tax, made, true)
		if err != nil {
			return nil, err
		}
		res.Status = http.StatusCreated
		res.Fields = []api.Header{{Name: "Location", Value: c.req.Place.Links.WPRoute(tax.CoreRoute + "/" + php.ToString(made.ID))}}
		return res, nil
	}
}

// termUpdate answers POST, PUT and PATCH of one category or tag: only what is
// given changes.
func termUpdate(tax *api.TaxonomyKind) func(*call) (*api.Response, error) {
	return func(c *call) (*api.Response, error) {
		c.req.Place = c.req.Place.MovedForTerm()
		if err := c.refuseTagParent(tax); err != nil {
			return nil, err
		}
		change := wpstore.TermChange{Hierarchical: tax.Hierarchical}
		if v := c.req.Get("name"); v != nil {
			name, err := termName(php.ToString(v))
			if err != nil {
				return nil, err
			}
			change.Name = &name
		}
		if v := c.req.Get("description"); v != nil {
			text := kses.Title(php.ToString(v))
			change.Description = &text
		}
		if v := c.req.Get("slug"); v != nil {
			slug := c.req.Place.Site.Slug(php.ToString(v))
			change.Slug = &slug
		}
		if v := c.req.Get("parent"); v != nil && tax.Hierarchical {
			id := php.ToInt(v)
			change.Parent = &id
		}
		var t wpstore.Term
		err := c.write(func(tx *wpstore.Tx) (err error) {
			if t, err = c.existingTerm(tx.DB, tax); err != nil {
				return err
			}
			if change.NameSlug = c.req.Place.Site.Slug(t.Name); change.Name != nil {
				change.NameSlug = c.req.Place.Site.Slug(*change.Name)
			}
			t, err = tx.UpdateTerm(c.ctx, t, change)
			return err
		})
		if err != nil {
			return nil, c.termError(err)
		}
		return c.terms().Term(c.ctx, tax, t, true)
	}
}

// termDelete answers DELETE of one category or tag with the term as it was.
func termDelete(tax *api.TaxonomyKind) func(*call) (*api.Response, error) {
	return func(c *call) (*api.Response, error) {
		c.req.Place = c.req.Place.MovedForTerm()
		t, err := c.req.Term(c.ctx, c.req.Store, tax)
		if err != nil {
			return nil, err
		}
		res, err := c.terms().Term(c.ctx, tax, t, false)
		if err != nil {
			return nil, err
		}
		return res, c.write(func(tx *wpstore.Tx) error {
			t, err := c.existingTerm(tx.DB, tax)
			if err != nil {
				return err
			}
			return tx.DeleteTerm(c.ctx, t, tax.Hierarchical)
		})
	}
}

// refuseTagParent refuses a parent where there can be none.
func (c *call) refuseTagParent(tax *api.TaxonomyKind) error {
	if !tax.Hierarchical && c.req.Get("parent") != nil {
		return api.Fail("rest_taxonomy_not_hierarchical")
	}
	return nil
}

// termName brings a name into stored form: one line of text without tags, with
// signs that mean something in HTML encoded.
func termName(given string) (string, error) {
	if strings.Trim(given, " \t\n\r\x00\x0b") == "" {
		return "", api.Fail("empty_term_name")
	}
	name := kses.Title(sanitize.TextField(given))
	if name == "" {
		return "", api.Fail("invalid_term_name")
	}
	return name, nil
}

// termError explains a name that is too long as WordPress's database class does.
func (c *call) termError(err error) error {
	if errors.Is(err, wpstore.ErrTooLong) {
		e := api.Fail("db_insert_error")
		e.PlainData = c.req.Place.Words.Message("db_insert_error.data", map[string]string{"fields": "name"})
		return e
	}
	return err
}

// existingTerm returns the term that the request names by id.
func (c *call) existingTerm(db *wpstore.DB, tax *api.TaxonomyKind) (wpstore.Term, error) {
	id := php.ToInt(c.req.Get("id"))
	found, err := db.Terms(c.ctx, tax.Name, []int64{id})
	if err != nil {
		return wpstore.Term{}, err
	}
	t, ok := found[id]
	if !ok {
		var refused api.ParamError
		refused.Add(c.req.Place.Words, "id", nil)
		return t, refused.Err()
	}
	return t, nil
}
