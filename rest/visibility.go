package rest

import (
	"slices"
	"strings"

	"calbridge/rest/wpcap"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// visibility says which posts of a kind a list shows to this user.
type visibility struct {
	statuses []string // nil: any but trash and auto-drafts
	own      *wpstore.Own
	// passwords and unlockedFor admit protected events; see wpstore.EventQuery.
	passwords   []string
	unlockedFor int64
	// shown is the status as the list's own URL repeats it.
	shown php.Value
}

// exact says whether the reference's holes and faults are repeated.
func (c *call) exact() bool { return c.srv.cfg.Compat == Exact }

// fixed says whether plain functional faults of the reference are mended.
func (c *call) fixed() bool { return c.srv.cfg.Compat == Fixed }

// visibility resolves the status argument of a list as the reference does; outside
// exact it also drops what the user could not read by itself.
//
// Known difference S1: the reference shows every contributor the drafts, private,
// pending and even trashed posts of everybody. Known difference S2: it lists
// events whose password the request lacks, blanked; by itself such an event is
// refused.
func (c *call) visibility(kind *postKind) visibility {
	v := c.requestedStatuses(kind)
	if c.exact() {
		return v
	}
	others := c.readableStatuses(kind, 0)
	own := others
	if c.user.ID != 0 {
		own = c.readableStatuses(kind, c.user.ID)
	}
	wanted := v.statuses
	if wanted == nil {
		wanted = wpcap.StatusNames()
		own, others = without(own, "trash", "auto-draft"), without(others, "trash", "auto-draft")
	}
	ownWanted := wanted
	if v.own != nil {
		ownWanted = v.own.Statuses
	}
	v.statuses = common(others, wanted)
	v.own = nil
	if c.user.ID != 0 {
		v.own = &wpstore.Own{Author: c.user.ID, Statuses: common(own, ownWanted)}
	}
	if kind == eventKind {
		c.lockEvents(&v)
	}
	return v
}

// requestedStatuses is what the reference makes of the status argument.
func (c *call) requestedStatuses(kind *postKind) visibility {
	arg := c.req.get("status")
	if arg == nil {
		if c.user.Can("edit_" + kind.caps) {
			return visibility{shown: "any"}
		}
		return visibility{statuses: []string{"publish"}, shown: "publish"}
	}
	var v visibility
	for _, item := range splitList(arg) {
		v.statuses = append(v.statuses, php.ToString(item))
	}
	v.shown = strings.Join(v.statuses, ",")
	if len(v.statuses) > 0 {
		return v
	}
	// An empty list leaves a trace of its own in the URL, and WordPress's own
	// default: published posts and the private ones that the user may read.
	v.shown = &php.Array{}
	v.statuses = []string{"publish"}
	switch {
	case c.user.Can("read_private_posts"):
		v.statuses = append(v.statuses, "private")
	case c.user.ID != 0:
		v.own = &wpstore.Own{Author: c.user.ID, Statuses: []string{"publish", "private"}}
	}
	return v
}

// readableStatuses lists the statuses in which the user may read a post of the
// author by itself. Events in the trash are shown to nobody.
func (c *call) readableStatuses(kind *postKind, author int64) []string {
	if c.user.ID == 0 {
		return c.site.public[kind]
	}
	return readableStatuses(c.user, c.site.caps, kind, author)
}

func readableStatuses(user *wpcap.User, caps wpcap.Site, kind *postKind, author int64) []string {
	out := []string{}
	for _, status := range wpcap.StatusNames() {
		p := wpstore.Post{ID: -1, Author: author, Type: kind.postType, Status: status}
		if status == "publish" || wpcap.ReadPost(user, capPost(&p), caps) && !(kind == eventKind && status == "trash") {
			out = append(out, status)
		}
	}
	return slices.Clip(out) // what is added to it is added to a copy
}

// lockEvents leaves protected events out unless the request brings the password,
// or it is an editor asking in context=edit.
func (c *call) lockEvents(v *visibility) {
	if given, ok := c.req.get("password").(string); ok {
		v.passwords = []string{given}
	} else {
		v.passwords = []string{}
	}
	if c.req.text("context") != "edit" {
		return
	}
	published := func(author int64) *wpstore.Post {
		return &wpstore.Post{ID: -1, Author: author, Type: eventKind.postType, Status: "publish"}
	}
	switch {
	case c.mayEdit(published(0)):
		v.passwords = nil
	case c.mayEdit(published(c.user.ID)):
		v.unlockedFor = c.user.ID
	}
}

// common returns the members of a that are in b too.
func common(a, b []string) []string {
	out := []string{}
	for _, s := range a {
		if slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}

func without(a []string, names ...string) []string {
	out := []string{}
next:
	for _, s := range a {
		for _, n := range names {
			if s == n {
				continue next
			}
		}
		out = append(out, s)
	}
	return out
}
