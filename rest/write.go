package rest

import (
	"errors"

	"calbridge/rest/wpcap"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/kses"
	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore"
	"calbridge/wpstore/edit"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
)

// writing marks a handler that changes rows: none runs on a read-only server.
func writing(h handler) handler {
	return func(c *call) (*response, error) {
		if c.srv.cfg.ReadOnly {
			return nil, fail("calbridge_read_only")
		}
		return h(c)
	}
}

// write runs do in one transaction: all of a request's rows or none. It may run
// again when another transaction was in the way, so it must not change anything
// else than rows and its own results. Inside of it only the transaction may be
// asked: the pool may have no connection left.
func (c *call) write(do func(*sitedb.Tx) error) error {
	c.forgetPosts()
	defer c.dropPictures()
	if err := c.fetchPictures(); err != nil {
		return err
	}
	_, err := sitedb.Write(c.ctx, c.store, c.writing(), func(tx *sitedb.Tx) (struct{}, error) {
		c.forgetPictures()
		return struct{}{}, do(tx)
	})
	return writeError(err)
}

// writeError gives the refusals of the store their public codes.
func writeError(err error) error {
	var exists *wpstore.TermExistsError
	var taken *wpstore.SlugTakenError
	switch {
	case errors.As(err, &exists):
		e := fail("term_exists")
		e.Data = &php.Array{}
		e.Data.SetString("term_id", exists.ID)
		e.More = &php.Array{}
		e.More.SetString("additional_data", php.List(exists.ID, exists.ID))
		return e
	case errors.As(err, &taken):
		return fail("duplicate_term_slug", "slug", escape.HTML(taken.Slug))
	case errors.Is(err, wpstore.ErrEmptyContent):
		return fail("empty_content")
	case errors.Is(err, wpstore.ErrTooLong):
		e := fail("calbridge_too_large")
		e.Cause = err
		return e
	}
	return err
}

// writing is what the writes of this request depend on.
func (c *call) writing() sitedb.Writing {
	return sitedb.Writing{
		User: c.user.ID, Zone: c.srv.zones.CoreSite(c.site.facts.TimezoneString, c.site.facts.GMTOffset),
		Posts: c.postRules(), Languages: c.languageRules(),
	}
}

// postRules is what saving posts depends on, for this request.
func (c *call) postRules() edit.Rules {
	return edit.Rules{
		Home: c.writtenHome(), Revisions: c.srv.cfg.Revisions,
		MayPublish: func(postType string) bool {
			kind := kindOf(postType)
			return kind != nil && c.user.Can("publish_"+kind.caps)
		},
		Permalink: func(p *wpstore.Post) string { return c.linksFor("").post(p, c.viewable(p)) },
		Clean:     c.cleanPost,
		Slug:      c.slug,
	}
}

func kindOf(postType string) *postKind {
	for _, kind := range []*postKind{eventKind, venueKind, organizerKind} {
		if kind.postType == postType {
			return kind
		}
	}
	return nil
}

// cleanPost filters the texts of a post as WordPress does on every save: users
// who may not write any HTML they like get theirs filtered.
func (c *call) cleanPost(p *wpstore.Post) {
	if !wpcap.UnfilteredHTML(c.user, c.site.caps) {
		allowed := kses.PostHTML(c.text.UploadsURL)
		p.Title = kses.Title(p.Title)
		p.Content = kses.Filter(p.Content, allowed)
		p.Excerpt = kses.Filter(p.Excerpt, allowed)
	}
	p.Content = escape.ConvertInvalidEntities(p.Content)
	p.Excerpt = escape.ConvertInvalidEntities(p.Excerpt)
}

// slug makes a slug of a text, in the site's language.
func (c *call) slug(text string) string { return sanitize.Slug(text, c.site.facts.WPLang) }

// status is the status that a write leads to: publishing is for those who may
// publish events, whatever is written.
func (c *call) status(requested php.Value) string {
	publisher := c.user.Can("publish_" + eventKind.caps)
	s := php.ToString(requested)
	switch {
	case s == "" && publisher:
		return "publish"
	case s == "":
		return "draft"
	case !publisher && (s == "publish" || s == "future"):
		return "pending"
	}
	return s
}

// unslash removes one level of backslashes, as WordPress does with every text that
// it takes for slashed: \x becomes x, \\ a single backslash. NUL is written \0.
func unslash(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			out = append(out, s[i])
			continue
		}
		i++
		if i < len(s) {
			if s[i] == '0' {
				out = append(out, 0)
			} else {
				out = append(out, s[i])
			}
		}
	}
	return string(out)
}
