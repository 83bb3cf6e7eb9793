package rest

import (
	"context"

	"calbridge/rest/wptext"
)

// call is one request on its way through the server.
type call struct {
	ctx context.Context
	srv *Server
	// current: rows in memory are as current as the request needs them.
	current bool
	req     Routed
	table   *Table
	// answer is what the answer to a write shows differently from the rows.
	answer *writeAnswer
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
func glue(h func(*call) (*Response, error)) Handler {
	return func(ctx context.Context, _ *Routed) (*Response, error) {
		return h(ctx.Value(callKey{}).(*call))
	}
}

func handlers() Handlers {
	h := Handlers{
		{eventKind.collection, List}: glue((*call).eventList), {eventKind.collection, Single}: glue((*call).eventSingle),
		{eventKind.collection, Create}: glue((*call).eventCreate), {eventKind.collection, Update}: glue((*call).eventUpdate), {eventKind.collection, Delete}: glue((*call).eventDelete),
	}
	for _, k := range []*postKind{venueKind, organizerKind} {
		h[Operation{k.collection, List}] = glue(linkedList(k))
		h[Operation{k.collection, Single}] = glue(linkedSingle(k))
		h[Operation{k.collection, Create}] = glue(linkedCreate(k))
		h[Operation{k.collection, Update}] = glue(linkedUpdate(k))
		h[Operation{k.collection, Delete}] = glue(linkedDelete(k))
	}
	for _, k := range []*taxonomyKind{categoryKind, tagKind} {
		h[Operation{k.collection, List}] = glue(termArchive(k))
		h[Operation{k.collection, Single}] = glue(termSingle(k))
		h[Operation{k.collection, Create}] = glue(termCreate(k))
		h[Operation{k.collection, Update}] = glue(termUpdate(k))
		h[Operation{k.collection, Delete}] = glue(termDelete(k))
	}
	return h
}
