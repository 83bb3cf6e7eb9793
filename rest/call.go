package rest

import (
	"context"
	"maps"

	"calbridge/rest/api"
	"calbridge/rest/edit"
	"calbridge/rest/phpjson"
	"calbridge/rest/render"
	"calbridge/rest/render/termjson"
	"calbridge/rest/routes"
)

// call is one request on its way through the server.
type call struct {
	ctx context.Context
	srv *Server
	// current: rows in memory are as current as the request needs them.
	current bool
	req     routes.Request
	table   *routes.Table
	// login is how the user was found; freshNonce is sent back when one was accepted.
	login      scheme
	freshNonce string
	// credentials were sent, good or bad.
	credentials bool
	// cookieUser: a valid login cookie was sent, with a nonce good or bad.
	cookieUser bool
	reply      reply
	learned    api.Learned
	// buffer is the memory of the answer, free once that is sent.
	buffer *phpjson.Writer
}

// render renders the posts of the answer, and terms its terms.
func (c *call) render() *render.Renderer {
	return c.srv.render.For(c.req.Place, c.req.Viewer, c.req.Clock, c.req.Store)
}

func (c *call) terms() *termjson.Renderer {
	return c.srv.render.Terms(c.req.Place, c.req.Viewer, c.req.Store, termjson.OptionsOf(&c.req.Params))
}

type callKey struct{}

// glue makes a Handler of a method of call.
func glue(h func(*call) (*api.Response, error)) routes.Handler {
	return func(ctx context.Context, _ *routes.Request) (*api.Response, error) {
		return h(ctx.Value(callKey{}).(*call))
	}
}

func handlers(shared *render.Shared, cfg *Config) routes.Handlers {
	h := edit.Handlers(shared, edit.Config{NoTrash: cfg.NoTrash, Revisions: cfg.Revisions})
	maps.Copy(h, routes.Handlers{
		routes.List.Of(api.Events.Collection): glue((*call).eventList), routes.Single.Of(api.Events.Collection): glue((*call).eventSingle),
	})
	for _, k := range []*api.PostKind{api.Venues, api.Organizers} {
		h[routes.List.Of(k.Collection)] = glue(linkedList(k))
		h[routes.Single.Of(k.Collection)] = glue(linkedSingle(k))
	}
	for _, k := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		h[routes.List.Of(k.Collection)] = glue(termArchive(k))
		h[routes.Single.Of(k.Collection)] = glue(termSingle(k))
	}
	return h
}
