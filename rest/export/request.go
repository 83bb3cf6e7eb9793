package export

import (
	"context"
	"errors"

	"calbridge/rest/exporturl"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
)

// ErrDeclined says that WordPress alone knows the answer.
var ErrDeclined = errors.New("an export that only WordPress can answer")

// request is a request with what all steps of its answer read.
type request struct {
	*wprest.Request
	feed *exporturl.Request
	// language is that of the events, "" on a site without languages.
	language string
}

// post loads a post; nil for none.
func (r *request) post(ctx context.Context, id int64) (*wpstore.Post, error) {
	if id <= 0 {
		return nil, nil
	}
	found, err := r.Store.Posts.PostsWithLanguage(ctx, &r.Place.Site.Languages.Languages, []int64{id})
	return found[id], err
}

// exports reports whether the viewer gets a post that was asked for.
func (r *request) exports(p *wpstore.Post) bool {
	return p.Status == "publish" || p.Status == "private" && r.Viewer.Known() && r.Viewer.MayRead(p)
}

// atHome reports whether the request is for the front page itself.
func (r *request) atHome() bool { return r.feed.Kind == exporturl.Home && r.Place.Links.Pretty }
