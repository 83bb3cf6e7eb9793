package access

import (
	"slices"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/wpcap"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Visibility is which posts of a kind a list shows to a user.
type Visibility struct {
	Statuses []string // nil: any but trash and auto-drafts
	Own      *wpstore.Own
	// Passwords and UnlockedFor admit protected events; see wpstore.EventQuery.
	Passwords   []string
	UnlockedFor int64
	// Shown is the status as the list's own URL repeats it.
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
	others := viewer.Site.ReadableStatuses(viewer.User, kind, 0)
	own := others
	if viewer.Known() {
		own = viewer.Site.ReadableStatuses(viewer.User, kind, viewer.User.ID)
	}
	wanted := v.Statuses
	if wanted == nil {
		wanted = slices.DeleteFunc(wpcap.StatusNames(), func(s string) bool { return s == "trash" || s == "auto-draft" })
	}
	ownWanted := wanted
	if v.Own != nil {
		ownWanted = v.Own.Statuses
	}
	v.Statuses, v.Own = common(others, wanted), nil
	if viewer.Known() {
		v.Own = &wpstore.Own{Author: viewer.User.ID, Statuses: common(own, ownWanted)}
	}
	if kind == api.Events {
		viewer.lockEvents(&v)
	}
	return v
}

// requestedStatuses is what the reference makes of the status argument.
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

// lockEvents leaves protected events out, unless the request carries the password or is
// an editor's with context=edit.
func (viewer *Viewer) lockEvents(v *Visibility) {
	v.Passwords = []string{}
	if given, ok := viewer.Password.(string); ok {
		v.Passwords = []string{given}
	}
	if !viewer.EditContext {
		return
	}
	published := func(author int64) *wpstore.Post {
		return &wpstore.Post{ID: -1, Author: author, Type: api.Events.PostType, Status: "publish"}
	}
	switch {
	case viewer.MayEdit(published(0)):
		v.Passwords = nil
	case viewer.MayEdit(published(viewer.User.ID)):
		v.UnlockedFor = viewer.User.ID
	}
}

// common returns the members of a that are in b too.
func common(a, b []string) []string {
	return slices.DeleteFunc(append([]string{}, a...), func(s string) bool { return !slices.Contains(b, s) })
}
