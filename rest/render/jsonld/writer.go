package jsonld

import (
	"strings"

	"calbridge/rest/access"
	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/postlink"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore"
)

// Writer writes the structured data of the posts of one answer.
type Writer struct {
	Place  *wpsite.Place
	Viewer *access.Viewer
	Clock  *api.Clock
	Media  *wptext.Resources    // what the posts' texts and pictures refer to
	State  *wptext.RequestState // what the texts rendered before have left behind
	// CookieMatters is set when a post's password decides what is shown, so that the
	// cookie which opens posts could have.
	CookieMatters bool
}

// Post is a post with its metadata.
type Post struct {
	*wpstore.Post
	Meta wpstore.Meta
}

// Link is an event's first link to a venue or an organizer.
type Link struct {
	Kind *api.PostKind
	To   Post // without a post where the link leads nowhere
}

// shows says whether structured data of a post is shown to this client. No parameter
// unlocks a post here, only the cookie.
func (l *Writer) shows(p *wpstore.Post) bool {
	return !l.passwordRequired(p) && l.showsUnlocked(p)
}

// showsUnlocked is shows for a post whose password does not matter.
func (l *Writer) showsUnlocked(p *wpstore.Post) bool {
	if l.Viewer.User.ID == 0 {
		return p.Status == "publish"
	}
	if p.Status == "private" {
		return l.Viewer.User.Can("read_private_posts")
	}
	return l.Viewer.User.Can("read")
}

// passwordRequired says whether a post's password keeps this client's browser
// out: only WordPress's own cookie opens it.
func (l *Writer) passwordRequired(p *wpstore.Post) bool {
	if p.Password == "" {
		return false
	}
	l.CookieMatters = true
	return l.Viewer.PasswordRequired(p)
}

// writeHead writes type, name, description and picture.
func (l *Writer) writeHead(w *phpjson.Writer, p Post, typ string) {
	w.KeyString("@type", typ)
	title := typography.Title(p.Title, l.Place.Site.Locale)
	if p.Password != "" {
		title = strings.Replace(l.Place.Words.Word("protected_title"), "%s", title, 1)
	} else if p.Status == "private" {
		title = strings.Replace(l.Place.Words.Word("private_title"), "%s", title, 1)
	}
	w.KeyString("name", escape.JS(title))
	w.KeyString("description", content.LDDescription(p.Excerpt, p.Content, l.Place.Text, l.Media, l.State))
	if id := postlink.Picture(p.Meta); id > 0 {
		if a := l.Media.Attachments[id]; a != nil {
			w.KeyString("image", a.FileURL(l.Place.Text.UploadsURL))
		} else {
			w.KeyBool("image", false)
		}
	}
}
