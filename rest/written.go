package rest

import (
	"context"
	"strconv"

	"calbridge/rest/api"
	"calbridge/rest/render"
	"calbridge/rest/routes"
	"calbridge/wpstore"
)

// writtenAnswers shows what writes have left behind, until package render does.
type writtenAnswers struct{}

func callOf(ctx context.Context, r *routes.Request) *call {
	c := ctx.Value(callKey{}).(*call)
	c.req.Place = r.Place
	return c
}

func (writtenAnswers) WrittenEvent(ctx context.Context, r *routes.Request, id int64, shown *render.Override) (*api.Response, error) {
	c := callOf(ctx, r)
	c.answer = shown
	return c.eventResponse(id)
}

func (writtenAnswers) WrittenLinked(ctx context.Context, r *routes.Request, kind *api.PostKind, id int64) (*api.Response, error) {
	return callOf(ctx, r).linkedResponse(kind, id)
}

func (writtenAnswers) Term(ctx context.Context, r *routes.Request, tax *api.TaxonomyKind, t wpstore.Term, links bool) (*api.Response, error) {
	return callOf(ctx, r).termResponse(tax, t, links)
}

// eventResponse is the representation of an event as a write answers with it: that
// of lists.
func (c *call) eventResponse(id int64) (*api.Response, error) {
	set, err := c.load([]int64{id}, loadEvents)
	if err != nil {
		return nil, err
	}
	p := set.posts[id]
	if p == nil { // somebody else has deleted it since
		return nil, api.Fail("rest-event-not-found", "id", strconv.FormatInt(id, 10))
	}
	c.unlocked = true
	w := c.newWriter()
	c.writeEvent(w, set, p, false)
	return &api.Response{Body: w.Bytes()}, nil
}

// linkedResponse is the representation of a venue or an organizer as a write
// answers with it: that of lists.
func (c *call) linkedResponse(kind *api.PostKind, id int64) (*api.Response, error) {
	set, err := c.load([]int64{id}, loadPlain)
	if err != nil {
		return nil, err
	}
	p := set.posts[id]
	if p == nil { // somebody else has deleted it since
		return nil, api.Fail(kind.Singular + "-not-accessible")
	}
	c.unlocked = true
	w := c.newWriter()
	c.writeLinkedPost(w, set, kind, p, false, c.locked(p))
	return &api.Response{Body: w.Bytes()}, nil
}

// termResponse is the representation of one term, with WordPress's own links or
// without.
func (c *call) termResponse(tax *api.TaxonomyKind, t wpstore.Term, links bool) (*api.Response, error) {
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
	return &api.Response{Body: w.Bytes()}, nil
}
