package rest

import (
	"errors"

	"calbridge/rest/api"
	"calbridge/rest/wpcap"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/kses"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// write runs do in one transaction: all of a request's rows or none. It may run
// again when another transaction was in the way, so it must not change anything
// else than rows and its own results. Inside of it only the transaction may be
// asked: the pool may have no connection left.
func (c *call) write(do func(*wpstore.Tx) error) error {
	c.req.Lookups.ForgetPosts()
	defer c.req.Pictures.Drop(c.ctx)
	if err := c.req.Pictures.Fetch(c.ctx); err != nil {
		return err
	}
	return writeError(c.req.Store.Write(c.ctx, func(tx *wpstore.Tx) error {
		tx.UseLanguages(c.languageRules())
		return do(tx)
	}))
}

// writeError gives the refusals of the store their public codes.
func writeError(err error) error {
	var exists *wpstore.TermExistsError
	var taken *wpstore.SlugTakenError
	switch {
	case errors.As(err, &exists):
		e := api.Fail("term_exists")
		e.Data = &php.Array{}
		e.Data.SetString("term_id", exists.ID)
		e.More = &php.Array{}
		e.More.SetString("additional_data", php.List(exists.ID, exists.ID))
		return e
	case errors.As(err, &taken):
		return api.Fail("duplicate_term_slug", "slug", escape.HTML(taken.Slug))
	case errors.Is(err, wpstore.ErrEmptyContent):
		return api.Fail("empty_content")
	case errors.Is(err, wpstore.ErrTooLong):
		e := api.Fail("calbridge_too_large")
		e.Cause = err
		return e
	}
	return err
}

// postRules is what saving posts depends on, for this request.
func (c *call) postRules() *wpstore.PostRules {
	return &wpstore.PostRules{
		Zone: c.req.Place.Site.CoreZone(),
		Home: c.writtenHome(), UserID: c.req.Viewer.User.ID, Revisions: c.srv.cfg.Revisions,
		MayPublish: func(postType string) bool {
			kind := api.KindOf(postType)
			return kind != nil && c.req.Viewer.User.Can("publish_"+kind.Caps)
		},
		Permalink: func(p *wpstore.Post) string { return c.req.Place.LinksFor("").Post(p, c.req.Viewer.Viewable(p)) },
		Clean:     c.cleanPost,
		Slug:      c.req.Place.Site.Slug,
	}
}

// cleanPost filters the texts of a post as WordPress does on every save: users
// who may not write any HTML they like get theirs filtered.
func (c *call) cleanPost(p *wpstore.Post) {
	if !wpcap.UnfilteredHTML(c.req.Viewer.User, c.req.Place.Site.Caps) {
		allowed := kses.PostHTML(c.req.Place.Text.UploadsURL)
		p.Title = kses.Title(p.Title)
		p.Content = kses.Filter(p.Content, allowed)
		p.Excerpt = kses.Filter(p.Excerpt, allowed)
	}
	p.Content = escape.ConvertInvalidEntities(p.Content)
	p.Excerpt = escape.ConvertInvalidEntities(p.Excerpt)
}
