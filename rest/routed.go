package rest

import (
	"context"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Routed is a request that has come to its endpoint: its parameters, and by whom,
// where and when it is answered.
type Routed struct {
	*Request
	Place   *Place
	Viewer  *Viewer
	Clock   *Clock
	Store   *wpstore.DB
	Lookups *Lookups
	// Pictures are those that it names by URL.
	Pictures *NamedPictures
	Route    *Route
	Endpoint *Endpoint
}

// ItemID returns the id of the post that a single route means: the parameter id,
// or the post behind the parameter slug.
func (r *Routed) ItemID(ctx context.Context, kind *postKind) (int64, error) {
	if r.Endpoint.Takes("id") {
		return php.ToInt(r.Get("id")), nil
	}
	id, err := r.Lookups.PostBySlug(ctx, kind, r.Text("slug"))
	if id != 0 {
		// From here on the request names the post, which is what the Allow
		// header is judged by.
		r.Captures.SetString("id", id)
	}
	return id, err
}
