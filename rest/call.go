package rest

import (
	"calbridge/rest/read"
	"context"
	"maps"

	"calbridge/rest/api"
	"calbridge/rest/render"
	"calbridge/rest/render/termjson"
	"calbridge/rest/routes"
)

// call is a request as the handlers that still stand here see it.
type call struct {
	ctx context.Context
	srv *Server
	req *routes.Request
	// answer is what the answer to a write shows differently from the rows.
	answer *render.Override
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
	h := read.Handlers(s.render)
	maps.Copy(h, routes.Handlers{
		routes.Create.Of(api.Events.Collection): s.glue((*call).eventCreate), routes.Update.Of(api.Events.Collection): s.glue((*call).eventUpdate), routes.Delete.Of(api.Events.Collection): s.glue((*call).eventDelete),
	})
	for _, k := range []*api.PostKind{api.Venues, api.Organizers} {
		h[routes.Create.Of(k.Collection)] = s.glue(linkedCreate(k))
		h[routes.Update.Of(k.Collection)] = s.glue(linkedUpdate(k))
		h[routes.Delete.Of(k.Collection)] = s.glue(linkedDelete(k))
	}
	for _, k := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		h[routes.Create.Of(k.Collection)] = s.glue(termCreate(k))
		h[routes.Update.Of(k.Collection)] = s.glue(termUpdate(k))
		h[routes.Delete.Of(k.Collection)] = s.glue(termDelete(k))
	}
	return h
}
