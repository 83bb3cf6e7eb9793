package rest

import (
	"context"
	"maps"
	"slices"

	"calbridge/rest/api"
	"calbridge/rest/render"
	"calbridge/rest/routes"
	"calbridge/rest/wptext"
)

// call is a request as the handlers that still stand here see it.
type call struct {
	ctx context.Context
	srv *Server
	req *routes.Request
	// answer is what the answer to a write shows differently from the rows.
	answer *render.Override
	// unlocked: the request wrote the post that it shows, whose password then does
	// not matter.
	unlocked bool
	// cookieMatters: a password decided about the answer, so that the cookie could have.
	cookieMatters bool
	// modified is the latest change of a post that was loaded for the answer, as stored
	// in UTC; "" where there is none.
	modified string
	// writer holds the answer.
	writer *writer
	// rendering remembers what was met in the texts of the answer.
	rendering []*wptext.RequestState
}

// glue makes a Handler of a method of call.
func (s *Server) glue(h func(*call) (*api.Response, error)) routes.Handler {
	return func(ctx context.Context, r *routes.Request) (*api.Response, error) {
		c := &call{ctx: ctx, srv: s, req: r}
		res, err := h(c)
		if err != nil {
			return nil, err
		}
		res.Buffer = c.writer
		res.Learned = api.Learned{CookieMatters: c.cookieMatters, Modified: c.modified, NotRendered: c.notRendered()}
		return res, nil
	}
}

// notRendered lists what was met in the answer's texts that the site's own plugins
// would have rendered otherwise.
func (c *call) notRendered() (names []string) {
	for _, state := range c.rendering {
		names = slices.AppendSeq(names, maps.Keys(state.Unknown()))
	}
	return names
}

func (s *Server) handlers() routes.Handlers {
	h := routes.Handlers{
		routes.List.Of(api.Events.Collection): s.glue((*call).eventList), routes.Single.Of(api.Events.Collection): s.glue((*call).eventSingle),
		routes.Create.Of(api.Events.Collection): s.glue((*call).eventCreate), routes.Update.Of(api.Events.Collection): s.glue((*call).eventUpdate), routes.Delete.Of(api.Events.Collection): s.glue((*call).eventDelete),
	}
	for _, k := range []*api.PostKind{api.Venues, api.Organizers} {
		h[routes.List.Of(k.Collection)] = s.glue(linkedList(k))
		h[routes.Single.Of(k.Collection)] = s.glue(linkedSingle(k))
		h[routes.Create.Of(k.Collection)] = s.glue(linkedCreate(k))
		h[routes.Update.Of(k.Collection)] = s.glue(linkedUpdate(k))
		h[routes.Delete.Of(k.Collection)] = s.glue(linkedDelete(k))
	}
	for _, k := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		h[routes.List.Of(k.Collection)] = s.glue(termArchive(k))
		h[routes.Single.Of(k.Collection)] = s.glue(termSingle(k))
		h[routes.Create.Of(k.Collection)] = s.glue(termCreate(k))
		h[routes.Update.Of(k.Collection)] = s.glue(termUpdate(k))
		h[routes.Delete.Of(k.Collection)] = s.glue(termDelete(k))
	}
	return h
}
