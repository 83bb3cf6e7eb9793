package authz

import (
	"slices"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/wpcap"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Visibility describes which posts of a kind a list shows to a user.
type Visibility struct {
	Statuses []string // nil means any except trash and auto-drafts
	Own      *wpstore.Own
	// Passwords and UnlockedFor admit protected events; see wpstore.EventQuery.
	Passwords   []string
	UnlockedFor int64
	// Shown is the status that the list's own URL repeats.
	Shown php.Value
}

// Visibility resolves the status argument of a list as the reference does. Outside exact it
// also drops what a single read would refuse: the reference shows contributors the drafts,
// private, pending and even trashed posts of all users (known difference S1), and lists
// events whose password the request lacks, with blank fields (S2).
func (viewer *Viewer) Visibility(kind *api.PostKind, status php.Value) Visibility {
	v := viewer.requestedStatuses(kind, status)
	if viewer.Site.Compat.Exact() {
		return v
	}
	readable := viewer.readable(kind)
	wanted := v.Statuses
	if wanted == nil {
		wanted = slices.DeleteFunc(wpcap.StatusNames(), func(s string) bool { return s == "trash" || s == "auto-draft" })
	}
	ownWanted := wanted
	if v.Own != nil {
		ownWanted = v.Own.Statuses
	}
	v.Statuses, v.Own = common(readable.Statuses, wanted), nil
	if readable.Own != nil {
		v.Own = &wpstore.Own{Author: viewer.User.ID, Statuses: common(readable.Own.Statuses, ownWanted)}
	}
	if kind == api.Events {
		v.Passwords, v.UnlockedFor = readable.Passwords, readable.UnlockedFor
	}
	return v
}

// ShownStatus returns the status that the own URL of a list repeats.
func (viewer *Viewer) ShownStatus(kind *api.PostKind, status php.Value) php.Value {
	return viewer.requestedStatuses(kind, status).Shown
}

// Readable returns the posts of a kind that the viewer may read singly: a search looks into them,
// and events among them count for venues and organizers. nil means any, as in the reference (known
// difference S9).
func (viewer *Viewer) Readable(kind *api.PostKind) *wpstore.Readable {
	if viewer.Site.Compat.Exact() {
		return nil
	}
	return viewer.readable(kind)
}

// readable leaves protected posts out, unless the request carries the password or is an
// editor's with context=edit.
func (viewer *Viewer) readable(kind *api.PostKind) *wpstore.Readable {
	r := &wpstore.Readable{Statuses: viewer.Site.ReadableStatuses(viewer.User, kind, 0), Passwords: []string{}}
	if viewer.Known() {
		r.Own = &wpstore.Own{Author: viewer.User.ID, Statuses: viewer.Site.ReadableStatuses(viewer.User, kind, viewer.User.ID)}
	}
	if given, ok := viewer.Password.(string); ok {
		r.Passwords = []string{given}
	}
	if !viewer.EditContext {
		return r
	}
	mayEdit := func(author int64, statuses []string) bool {
		return !slices.ContainsFunc(statuses, func(status string) bool {
			return !viewer.MayEdit(&wpstore.Post{ID: -1, Author: author, Type: kind.PostType, Status: status})
		})
	}
	switch own := r.Own != nil && mayEdit(viewer.User.ID, r.Own.Statuses); {
	case own && mayEdit(0, r.Statuses):
		r.Passwords = nil
	case own:
		r.UnlockedFor = viewer.User.ID
	}
	return r
}

// requestedStatuses returns the statuses that the reference derives from the status argument.
func (viewer *Viewer) requestedStatuses(kind *api.PostKind, status php.Value) Visibility {
	if status == nil {
		if viewer.User.Can("edit_" + kind.Caps) {
			return Visibility{Shown: "any"}
		}
		return Visibility{Statuses: []string{"publish"}, Shown: "publish"}
	}
	var v Visibility
	for _, item := range api.SplitList(status) {
		v.Statuses = append(v.Statuses, php.ToString(item))
	}
	v.Shown = strings.Join(v.Statuses, ",")
	if len(v.Statuses) > 0 {
		return v
	}
	// An empty list shows in the URL and means WordPress's own default: published posts,
	// and private ones that the user may read.
	v.Shown = &php.Array{}
	v.Statuses = []string{"publish"}
	switch {
	case viewer.User.Can("read_private_posts"):
		v.Statuses = append(v.Statuses, "private")
	case viewer.Known():
		v.Own = &wpstore.Own{Author: viewer.User.ID, Statuses: []string{"publish", "private"}}
	}
	return v
}

// common returns the members of a that are in b too.
func common(a, b []string) []string {
	return slices.DeleteFunc(append([]string{}, a...), func(s string) bool { return !slices.Contains(b, s) })
}
