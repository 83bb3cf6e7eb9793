package rest

import (
	"context"
	"maps"

	"calbridge/rest/api"
	"calbridge/rest/edit"
	"calbridge/rest/render"
	"calbridge/rest/routes"
	"calbridge/rest/wptext"
)

// call is one request on its way through the server.
type call struct {
	ctx context.Context
	srv *Server
	// current: rows in memory are as current as the request needs them.
	current bool
	req     routes.Request
	table   *routes.Table
	// answer is what the answer to a write shows differently from the rows.
	answer *render.Override
	// login is how the user was found; freshNonce is sent back when one was accepted.
	login      scheme
	freshNonce string
	// credentials were sent, good or bad.
	credentials bool
	// cookieUser: a valid login cookie was sent, with a nonce good or bad.
	cookieUser bool
	// unlocked: the request wrote the post that it shows, whose password then does
	// not matter.
	unlocked bool
	// cookieMatters: a password decided about the answer, so that the cookie could have.
	cookieMatters bool
	reply         reply
	// modified is the latest change of a post that was loaded for the answer, as stored
	// in UTC; "" where there is none.
	modified string
	// writers hold the parts of the answer; see recycle.
	writers []*writer
	// rendering remembers what was met in the texts of the answer.
	rendering []*wptext.RequestState
}

type callKey struct{}

// glue makes a Handler of a method of call.
func glue(h func(*call) (*api.Response, error)) routes.Handler {
	return func(ctx context.Context, _ *routes.Request) (*api.Response, error) {
		return h(ctx.Value(callKey{}).(*call))
	}
}

func handlers(cfg *Config) routes.Handlers {
	h := edit.Handlers(writtenAnswers{}, edit.Config{NoTrash: cfg.NoTrash, Revisions: cfg.Revisions})
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
