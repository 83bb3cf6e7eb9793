package rest

import (
	"errors"
	"net/http"
	"strings"

	"calbridge/rest/wptext/kses"
	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore"
	"calbridge/wpstore/edit"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/terms"
)

// termCreate answers POST of a category or tag.
func termCreate(tax *taxonomyKind) handler {
	return func(c *call) (*response, error) {
		c.answerInWanted()
		if err := c.refuseTagParent(tax); err != nil {
			return nil, err
		}
		name, err := termName(c.req.text("name"))
		if err != nil {
			return nil, err
		}
		t := wpstore.NewTerm{
			Taxonomy: tax.name, Hierarchical: tax.hierarchical,
			Name: name, Description: kses.Title(c.req.text("description")), Slug: c.slug(name),
		}
		if tax.hierarchical {
			t.Parent = php.ToInt(c.req.get("parent"))
		}
		if slug := c.slug(c.req.text("slug")); slug != "" {
			t.Slug, t.SlugGiven = slug, true
		}
		var made wpstore.Term
		err = c.write(func(tx *sitedb.Tx) (err error) {
			if t.Language, err = c.newTermLanguage(&tx.Terms, tax, t.Parent); err != nil {
				return err
			}
			made, err = tx.TermEditor.Insert(c.ctx, t)
			return err
		})
		if err != nil {
			return nil, c.termError(err)
		}
		res, err := c.termResponse(tax, made, true)
		if err != nil {
			return nil, err
		}
		res.status = http.StatusCreated
		res.headers = []header{{"Location", c.links.wpRoute(tax.coreRoute + "/" + php.ToString(made.ID))}}
		return res, nil
	}
}

// termUpdate answers POST, PUT and PATCH of one category or tag: only what is
// given changes.
func termUpdate(tax *taxonomyKind) handler {
	return func(c *call) (*response, error) {
		c.answerInWanted()
		if err := c.refuseTagParent(tax); err != nil {
			return nil, err
		}
		change := edit.TermChange{Hierarchical: tax.hierarchical}
		if v := c.req.get("name"); v != nil {
			name, err := termName(php.ToString(v))
			if err != nil {
				return nil, err
			}
			change.Name = &name
		}
		if v := c.req.get("description"); v != nil {
			text := kses.Title(php.ToString(v))
			change.Description = &text
		}
		if v := c.req.get("slug"); v != nil {
			slug := c.slug(php.ToString(v))
			change.Slug = &slug
		}
		if v := c.req.get("parent"); v != nil && tax.hierarchical {
			id := php.ToInt(v)
			change.Parent = &id
		}
		var t wpstore.Term
		err := c.write(func(tx *sitedb.Tx) (err error) {
			if t, err = c.existingTerm(&tx.Terms, tax); err != nil {
				return err
			}
			if change.NameSlug = c.slug(t.Name); change.Name != nil {
				change.NameSlug = c.slug(*change.Name)
			}
			t, err = tx.TermEditor.Update(c.ctx, t, change)
			return err
		})
		if err != nil {
			return nil, c.termError(err)
		}
		return c.termResponse(tax, t, true)
	}
}

// termDelete answers DELETE of one category or tag with the term as it was.
func termDelete(tax *taxonomyKind) handler {
	return func(c *call) (*response, error) {
		c.answerInWanted()
		t, err := c.existingTerm(&c.store.Terms, tax)
		if err != nil {
			return nil, err
		}
		res, err := c.termResponse(tax, t, false)
		if err != nil {
			return nil, err
		}
		return res, c.write(func(tx *sitedb.Tx) error {
			t, err := c.existingTerm(&tx.Terms, tax)
			if err != nil {
				return err
			}
			return tx.TermEditor.Delete(c.ctx, t, tax.hierarchical)
		})
	}
}

// refuseTagParent refuses a parent where there can be none.
func (c *call) refuseTagParent(tax *taxonomyKind) error {
	if !tax.hierarchical && c.req.get("parent") != nil {
		return fail("rest_taxonomy_not_hierarchical")
	}
	return nil
}

// termName brings a name into stored form: one line of text without tags, with
// signs that mean something in HTML encoded.
func termName(given string) (string, error) {
	if strings.Trim(given, " \t\n\r\x00\x0b") == "" {
		return "", fail("empty_term_name")
	}
	name := kses.Title(sanitize.TextField(given))
	if name == "" {
		return "", fail("invalid_term_name")
	}
	return name, nil
}

// termError explains a name that is too long as WordPress's database class does.
func (c *call) termError(err error) error {
	if errors.Is(err, wpstore.ErrTooLong) {
		e := fail("db_insert_error")
		e.PlainData = c.wording.message("db_insert_error.data", map[string]string{"fields": "name"})
		return e
	}
	return err
}

// existingTerm returns the term that the request names by id.
func (c *call) existingTerm(db *terms.Store, tax *taxonomyKind) (wpstore.Term, error) {
	id := php.ToInt(c.req.get("id"))
	found, err := db.Terms(c.ctx, tax.name, []int64{id})
	if err != nil {
		return wpstore.Term{}, err
	}
	t, ok := found[id]
	if !ok {
		var refused paramError
		refused.add(c.wording, "id", nil)
		return t, refused.err()
	}
	return t, nil
}

// termResponse is the representation of one term, with WordPress's own links or
// without.
func (c *call) termResponse(tax *taxonomyKind, t wpstore.Term, links bool) (*response, error) {
	tree, err := c.termTree(tax, []wpstore.Term{t})
	if err != nil {
		return nil, err
	}
	languages, err := c.termLanguages(tax, []wpstore.Term{t, tree[t.Parent]}, wpstore.InLanguage{}, "")
	if err != nil {
		return nil, err
	}
	w := c.newWriter()
	w.BeginObject()
	c.writeTerm(w, tax, t, tree, languages[t.ID])
	if links {
		own, err := c.termLinks(tax, t)
		if err != nil {
			return nil, err
		}
		w.KeyValue("_links", own)
		if err := c.writeEmbedded(w, tax, t, tree, languages); err != nil {
			return nil, err
		}
	}
	w.EndObject()
	return &response{body: w.Bytes()}, nil
}
