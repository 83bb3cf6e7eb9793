package render

import (
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/wpstore"
)

// texts renders the texts of the posts of one response. Their order matters, because numbers
// continue through them.
type texts struct {
	place *wpsite.Place
	media *wptext.Resources // what the texts refer to
	state wptext.RequestState
	// rendered are the texts of the response so far, so that the venue of many events is
	// rendered once.
	rendered map[renderKey]rendering
}

// text is the HTML of a post.
type text struct{ description, excerpt string }

// renderKey is what the texts of a post depend on within one response.
type renderKey struct {
	id   int64
	from wptext.Progress
}

type rendering struct {
	text
	to wptext.Progress
}

// of renders the texts of a post.
func (t *texts) of(p *wpstore.Post) text {
	key := renderKey{p.ID, t.state.Progress}
	if r, ok := t.rendered[key]; ok {
		t.state.Progress = r.to
		return r.text
	}
	out := text{t.content(p), t.excerpt(p)}
	if t.rendered == nil {
		t.rendered = map[renderKey]rendering{}
	}
	t.rendered[key] = rendering{out, t.state.Progress}
	return out
}

func (t *texts) content(p *wpstore.Post) string {
	return content.Render(p.Content, t.place.Text, t.media, &t.state)
}

func (t *texts) excerpt(p *wpstore.Post) string {
	if p.Excerpt == "" {
		return ""
	}
	return content.Excerpt(p.Excerpt, t.place.Text, t.media, &t.state)
}
