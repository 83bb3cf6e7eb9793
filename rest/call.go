package rest

import (
	"context"
	"maps"

	"calbridge/rest/api"
	"calbridge/rest/edit"
	"calbridge/rest/render"
	"calbridge/rest/render/termjson"
	"calbridge/rest/routes"
)

// call is a request as the handlers that still stand here see it.
type call struct {
	ctx context.Context
	srv *Server
	req *routes.Request
}

// render renders the posts of the answer, and terms its terms.
func (c *call) render() *render.Renderer {
	return c.srv.render.For(c.req.Place, c.req.Viewer, c.req.Clock, c.req.Store)
}

func (c *call) terms() *termjson.Renderer {
	return c.srv.render.Terms(c.req.Place, c.req.Viewer, c.req.Store, termjson.OptionsOf(&c.req.Params))
}

// glue makes a Handler of a method of call.
func (s *Server) glue(h func(*call) (*api.Response, error)) routes.Handler {
	return func(ctx context.Context, r *routes.Request) (*api.Response, error) {
		return h(&call{ctx: ctx, srv: s, req: r})
	}
}

func (s *Server) handlers() routes.Handlers {
	h := edit.Handlers(s.render, edit.Config{NoTrash: s.cfg.NoTrash, Revisions: s.cfg.Revisions})
	maps.Copy(h, routes.Handlers{
		routes.List.Of(api.Events.Collection): s.glue((*call).eventList), routes.Single.Of(api.Events.Collection): s.glue((*call).eventSingle),
	})
	for _, k := range []*api.PostKind{api.Venues, api.Organizers} {
		h[routes.List.Of(k.Collection)] = s.glue(linkedList(k))
		h[routes.Single.Of(k.Collection)] = s.glue(linkedSingle(k))
	}
	for _, k := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		h[routes.List.Of(k.Collection)] = s.glue(termArchive(k))
		h[routes.Single.Of(k.Collection)] = s.glue(termSingle(k))
	}
	return h
}
