package jsonld

import (
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/phpjson"
	"calbridge/rest/trait"
	"calbridge/rest/tribev1/render/loader"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/wpstore"
)

// Writer writes the structured data of the posts of one response.
type Writer struct {
	Place  *wpsite.Place
	Viewer *authz.Viewer
	Clock  *api.Clock
	Media  *wptext.Resources    // what the posts' texts and pictures refer to
	State  *wptext.RequestState // after the texts rendered before
	// CookieMatters is set when the response depends on a post's password, and so on the
	// cookie that unlocks posts.
	CookieMatters bool
}

// Post is a post with its metadata.
type Post struct {
	*wpstore.Post
	Meta    wpstore.Meta
	Tickets []wpstore.Ticket // of an event
}

// Link is an event's first link to a venue or an organizer.
type Link struct {
	Kind *api.PostKind
	To   Post // its Post is nil if the link is broken
}

// shows reports whether this client may see structured data of a post. Only WordPress's own
// cookie unlocks a post here, no parameter.
func (l *Writer) shows(p *wpstore.Post) bool {
	if l.traits().Has(trait.JSONLDOfHiddenPosts) {
		return true
	}
	l.CookieMatters = l.CookieMatters || p.Password != ""
	return !l.Viewer.PasswordRequired(p) && l.showsUnlocked(p)
}

// showsUnlocked does what shows does, without regard to the password.
func (l *Writer) showsUnlocked(p *wpstore.Post) bool {
	switch {
	case l.traits().Has(trait.JSONLDOfHiddenPosts):
		return true
	case l.Viewer.User.ID == 0:
		return p.Status == "publish"
	case p.Status == "private":
		return l.Viewer.User.Can("read_private_posts")
	}
	return l.Viewer.User.Can("read")
}

func (l *Writer) traits() trait.Set { return l.Place.Site.Traits }

// more returns the tail of the post's excerpt, if that is generated.
func (l *Writer) more(p *wpstore.Post, title string) string {
	theme, address := &l.Place.Text.Theme, ""
	if strings.Contains(theme.ExcerptMore, "{url}") {
		address = l.Place.Text.Escape().URL(l.Place.PostURL(p, l.Viewer.Viewable(p)))
	}
	return theme.More(title, address, " "+l.Place.Text.Locale.ExcerptMore)
}

// writeHead writes type, name, description and picture.
func (l *Writer) writeHead(w *phpjson.Writer, p Post, typ string) {
	w.KeyString("@type", typ)
	title := l.Place.Text.Title(p.Title)
	if p.Password != "" {
		title = strings.Replace(l.Place.Words.Word("protected_title"), "%s", title, 1)
	} else if p.Status == "private" {
		title = strings.Replace(l.Place.Words.Word("private_title"), "%s", title, 1)
	}
	w.KeyString("name", l.Place.Text.Escape().JS(title))
	w.KeyString("description", content.LDDescription(p.Excerpt, p.Content, l.more(p.Post, title), l.Place.Text, l.Media, l.State))
	id := loader.Picture(p.Meta)
	if a := l.Media.Attachments[id]; a != nil && id > 0 {
		w.KeyString("image", a.FileURL(l.Place.Text.UploadsURL))
	} else if id > 0 {
		w.KeyBool("image", false)
	}
}
