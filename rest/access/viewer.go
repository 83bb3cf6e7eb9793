package access

import (
	"net/http"

	"calbridge/rest/api"
	"calbridge/rest/wpauth"
	"calbridge/rest/wpcap"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Viewer is the user of a request, with what the request carries to unlock posts.
type Viewer struct {
	User *wpcap.User
	Site *wpsite.Site
	// PostPassCookie unlocks password-protected posts in structured data.
	PostPassCookie string
	// Password is the parameter that unlocks a post; nil without one.
	Password php.Value
	// EditContext: the request has context=edit.
	EditContext bool
}

func capPost(p *wpstore.Post) *wpcap.Post {
	return &wpcap.Post{ID: p.ID, Author: p.Author, Type: p.Type, Status: p.Status}
}

// Known says whether the viewer is a user of the site.
func (v *Viewer) Known() bool { return v.User.ID != 0 }

// MayRead says whether the user may read a post that is not public.
func (v *Viewer) MayRead(p *wpstore.Post) bool {
	return wpcap.ReadPost(v.User, capPost(p), v.Site.Caps)
}

// MayEdit says whether the user may edit a post.
func (v *Viewer) MayEdit(p *wpstore.Post) bool {
	return wpcap.EditPost(v.User, capPost(p), v.Site.Caps)
}

// Viewable says whether a post's pretty permalink is shown to this user.
func (v *Viewer) Viewable(p *wpstore.Post) bool {
	return p.Status == "publish" || p.Status == "private" && v.Known() && v.MayRead(p)
}

// Locked says whether a post's password locks this client out: the request carries
// another password or none, and is not an editor's with context=edit.
func (v *Viewer) Locked(p *wpstore.Post) bool {
	return p.Password != "" && v.Password != p.Password && !(v.EditContext && v.MayEdit(p))
}

// Reads says whether a read of the post by itself is answered, in full or, behind a
// password, with blank fields.
func (v *Viewer) Reads(p *wpstore.Post) bool {
	return p.Status == "publish" || v.MayRead(p) && !(p.Type == api.Events.PostType && p.Status == "trash")
}

// Opens says whether a read of the post by itself shows its contents.
func (v *Viewer) Opens(p *wpstore.Post) bool { return v.Reads(p) && !v.Locked(p) }

// Learns says whether the viewer may learn of a post's contents otherwise than by reading it:
// by a link, a search, a count, a filter. The reference doesn't ask (known difference S9).
func (v *Viewer) Learns(p *wpstore.Post) bool { return v.Site.Compat.Exact() || v.Opens(p) }

// SeesLink says whether the viewer sees that an event links to a post as one of a kind. The
// reference shows links to any post (known difference S9).
func (v *Viewer) SeesLink(p *wpstore.Post, kind *api.PostKind) bool {
	return v.Site.Compat.Exact() || p.Type == kind.PostType && v.Reads(p)
}

// Sealed says that nothing of the client unlocks a post with a password, so that not even
// what it refers to needs to be looked at.
func (v *Viewer) Sealed(p *wpstore.Post) bool {
	return !v.Site.Compat.Exact() && v.Locked(p) && v.PasswordRequired(p) && !v.MayEdit(p)
}

// PasswordRequired says whether a post's password locks this client's browser out: only
// WordPress's own cookie unlocks it. If the post has a password, the answer depends on
// that cookie.
func (v *Viewer) PasswordRequired(p *wpstore.Post) bool {
	return p.Password != "" && wpauth.PostPasswordRequired(p.Password, v.PostPassCookie)
}

// MayAssign says whether the user may make author the author of a post. The reference
// requires no right for it (known difference S4).
func (v *Viewer) MayAssign(kind *api.PostKind, author, current int64) bool {
	return v.Site.Compat.Exact() || author == current || author == v.User.ID || v.User.Can("edit_others_"+kind.Caps)
}

// MayManage says whether the user has the rights that the taxonomy's own screens require.
func (v *Viewer) MayManage(tax *api.TaxonomyKind) bool {
	return v.User.Can("edit_tribe_events") && v.User.Can(tax.ManageCap)
}

// Status is the status of a post after a write. Publishing any kind of post requires the
// right to publish events.
func (v *Viewer) Status(requested php.Value) string {
	publisher := v.User.Can("publish_" + api.Events.Caps)
	s := php.ToString(requested)
	switch {
	case s == "" && publisher:
		return "publish"
	case s == "":
		return "draft"
	case !publisher && (s == "publish" || s == "future"):
		return "pending"
	}
	return s
}

// Forbidden is 401 for anonymous clients and 403 for known ones.
func (v *Viewer) Forbidden() *api.Error {
	e := api.Fail("rest_forbidden")
	if !v.Known() {
		e.Status = http.StatusUnauthorized
	}
	return e
}
