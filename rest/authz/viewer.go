package authz

import (
	"net/http"

	"calbridge/rest/api"
	"calbridge/rest/wpauth"
	"calbridge/rest/wpcap"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Viewer is the user of a request, with the passwords in the request that unlock posts.
type Viewer struct {
	User *wpcap.User
	Site *wpsite.Site
	// PostPassCookie unlocks password-protected posts in structured data.
	PostPassCookie string
	// Password is the parameter that unlocks a post; nil without one.
	Password php.Value
	// EditContext reports that the request has context=edit.
	EditContext bool
}

func capPost(p *wpstore.Post) *wpcap.Post {
	return &wpcap.Post{ID: p.ID, Author: p.Author, Type: p.Type, Status: p.Status}
}

// Known reports whether the viewer is a user of the site.
func (v *Viewer) Known() bool { return v.User.ID != 0 }

// MayRead reports whether the user may read a post that is not public.
func (v *Viewer) MayRead(p *wpstore.Post) bool {
	return wpcap.ReadPost(v.User, capPost(p), v.Site.Caps)
}

// MayEdit reports whether the user may edit a post.
func (v *Viewer) MayEdit(p *wpstore.Post) bool {
	return wpcap.EditPost(v.User, capPost(p), v.Site.Caps)
}

// ManagesAttendees reports whether the user sees the attendees of events, and with them events that
// are hidden from listings.
func (v *Viewer) ManagesAttendees() bool {
	return v.Site.Tickets != nil && (v.User.Can("edit_users") || v.User.Can("tribe_manage_attendees"))
}

// Viewable reports whether a post's pretty permalink is shown to this user.
func (v *Viewer) Viewable(p *wpstore.Post) bool {
	return p.Status == "publish" || p.Status == "private" && v.Known() && v.MayRead(p)
}

// Locked reports whether a post's password keeps the post from this client: the request has another
// password or none, and it isn't an editor's request with context=edit.
func (v *Viewer) Locked(p *wpstore.Post) bool {
	return p.Password != "" && v.Password != p.Password && !(v.EditContext && v.MayEdit(p))
}

// Reads reports whether a single read of the post succeeds, in full or, behind a password, with
// blank fields.
func (v *Viewer) Reads(p *wpstore.Post) bool {
	return p.Status == "publish" || v.MayRead(p) && !v.Site.NoLongerAvailable(p.Type, p.Status)
}

// Opens reports whether a single read of the post shows its contents.
func (v *Viewer) Opens(p *wpstore.Post) bool { return v.Reads(p) && !v.Locked(p) }

// Learns reports whether the viewer may learn of a post's contents in another way than by reading
// it: by a link, a search, a count or a filter. The reference doesn't check this (known difference
// S9).
func (v *Viewer) Learns(p *wpstore.Post) bool { return v.Site.Compat.Exact() || v.Opens(p) }

// SeesLink reports whether the viewer sees that an event links to a post as one of a kind. The
// reference shows links to any post (known difference S9).
func (v *Viewer) SeesLink(p *wpstore.Post, kind *api.PostKind) bool {
	return v.Site.Compat.Exact() || p.Type == kind.PostType && v.Reads(p)
}

// Sealed reports whether the post has a password and this client sent nothing that could unlock it.
// Then even what it refers to needs no look-up.
func (v *Viewer) Sealed(p *wpstore.Post) bool {
	return !v.Site.Compat.Exact() && v.Locked(p) && v.PasswordRequired(p) && !v.MayEdit(p)
}

// PasswordRequired reports whether a post's password locks this client's browser out: only
// WordPress's own cookie unlocks it. If the post has a password, the response depends on
// that cookie.
func (v *Viewer) PasswordRequired(p *wpstore.Post) bool {
	return p.Password != "" && wpauth.PostPasswordRequired(p.Password, v.PostPassCookie)
}

// MayAssign reports whether the user may make author the author of a post. The reference
// requires no right for it (known difference S4).
func (v *Viewer) MayAssign(kind *api.PostKind, author, current int64) bool {
	return v.Site.Compat.Exact() || author == current || author == v.User.ID || v.User.Can("edit_others_"+kind.Caps)
}

// MayManage reports whether the user has the rights that the taxonomy's own screens require.
func (v *Viewer) MayManage(tax *api.TaxonomyKind) bool {
	return v.User.Can("edit_tribe_events") && v.User.Can(tax.ManageCap)
}

// Status returns the status of a post after a write. current is the post before it, nil for a
// new one. Publishing any kind of post requires the right to publish events.
func (v *Viewer) Status(requested php.Value, current *wpstore.Post) (string, error) {
	publisher := v.User.Can("publish_" + api.Events.Caps)
	s := php.ToString(requested)
	switch {
	case s == "" && publisher:
		s = "publish"
	case s == "":
		s = "draft"
	case !publisher && (s == "publish" || s == "future"):
		s = "pending"
	}
	if !v.Site.Compat.Exact() && !v.maySet(s, current, publisher) { // known difference S10
		return "", v.Forbidden()
	}
	return s, nil
}

// maySet reports whether the user may give a post a status. Moving a post to the trash is
// deleting it. Every other status but those of work in progress publishes a post or hides
// it from those who decide about that.
func (v *Viewer) maySet(status string, current *wpstore.Post, publisher bool) bool {
	switch {
	case current != nil && current.Status == status:
		return true
	case current != nil && status == "trash":
		return wpcap.DeletePost(v.User, capPost(current), v.Site.Caps)
	}
	return publisher || status == "draft" || status == "pending"
}

// MayPublishLinked reports whether saving an event may publish a post that it links to, whose
// status was before until it was trashed. The reference requires the right to publish, but
// none to this post (known difference S11).
func (v *Viewer) MayPublishLinked(p *wpstore.PostHead, before string) bool {
	kind := api.KindOf(p.Type)
	if kind == nil || !v.User.Can("publish_"+kind.Caps) {
		return false
	}
	post := &wpcap.Post{ID: p.ID, Author: p.Author, Type: p.Type, Status: p.Status, TrashStatus: before}
	return v.Site.Compat.Exact() || wpcap.EditPost(v.User, post, v.Site.Caps)
}

// MayUnlink reports whether trashing a venue or an organizer may remove the link of an event
// to it (known difference S11).
func (v *Viewer) MayUnlink(event *wpstore.Post) bool {
	return v.Site.Compat.Exact() || v.MayEdit(event)
}

// Forbidden returns 401 for anonymous clients and 403 for known ones.
func (v *Viewer) Forbidden() *api.Error {
	e := api.Fail("rest_forbidden")
	if !v.Known() {
		e.Status = http.StatusUnauthorized
	}
	return e
}
