package wpcap

// Post holds what decisions about a post depend on. A nil Post does not exist, and no
// user may do anything with it.
type Post struct {
	ID, Author   int64
	Type, Status string

	// TrashStatus is the status before a trashed post was trashed, from the post
	// meta _wp_trash_meta_status.
	TrashStatus string

	// Parent is the post that a revision or an attachment belongs to, nil when
	// there is none. Other types do not need it.
	Parent *Post
}

// EditPost reports whether the user may change the post.
func EditPost(u *User, p *Post, s Site) bool { return u.CanAll(editPostCaps(u, p, s)) }

// DeletePost reports whether the user may trash or delete the post.
func DeletePost(u *User, p *Post, s Site) bool { return u.CanAll(deletePostCaps(u, p, s)) }

// ReadPost reports whether the user may read the post. It is false for the anonymous
// user even when the post is published: code that serves visitors looks at the
// status itself first. Passwords of posts are another matter.
func ReadPost(u *User, p *Post, s Site) bool { return u.CanAll(readPostCaps(u, p, s)) }

// capUnknownType stands in for what depends on an unregistered type or status.
const capUnknownType = "edit_others_posts"

// editPostCaps lists the capabilities that EditPost requires.
func editPostCaps(u *User, p *Post, s Site) []string {
	if p != nil && p.Type == typeRevision {
		p = p.Parent
	}
	if p == nil {
		return []string{capDoNotAllow}
	}
	c, ok := postTypes[p.Type]
	if !ok {
		return []string{capUnknownType}
	}
	return p.changeCaps(u, s, c.edit, c.editOthers, c.editPublished, c.editPrivate)
}

// deletePostCaps lists the capabilities that DeletePost requires.
func deletePostCaps(u *User, p *Post, s Site) []string {
	if p == nil || p.Type == typeRevision {
		return []string{capDoNotAllow}
	}
	if p.ID != 0 && (p.ID == s.PageOnFront || p.ID == s.PageForPosts) {
		return []string{"manage_options"}
	}
	c, ok := postTypes[p.Type]
	if !ok {
		return []string{capUnknownType}
	}
	return p.changeCaps(u, s, c.remove, c.removeOthers, c.removePublished, c.removePrivate)
}

// readPostCaps lists the capabilities that ReadPost requires.
func readPostCaps(u *User, p *Post, s Site) []string {
	if p != nil && p.Type == typeRevision {
		p = p.Parent
	}
	if p == nil {
		return []string{capDoNotAllow}
	}
	c, ok := postTypes[p.Type]
	if !ok {
		return []string{capUnknownType}
	}
	status, ok := LookupStatus(p.shownStatus())
	switch {
	case !ok:
		return []string{capUnknownType}
	case status.Public || p.isOwn(u):
		return []string{c.read}
	case status.Private:
		return []string{c.readPrivate}
	}
	return editPostCaps(u, p, s)
}

// changeCaps returns the table for editing and deleting.
func (p *Post) changeCaps(u *User, s Site, base, others, published, private string) []string {
	caps := make([]string, 0, 3)
	if p.isOwn(u) {
		status := p.Status
		if status == "trash" {
			status = p.TrashStatus
		}
		if isPublished(status) {
			caps = append(caps, published)
		} else {
			caps = append(caps, base)
		}
	} else {
		caps = append(caps, others)
		if isPublished(p.Status) {
			caps = append(caps, published)
		} else if p.Status == "private" {
			caps = append(caps, private)
		}
	}
	if p.ID != 0 && p.ID == s.PrivacyPolicy {
		if s.Multisite {
			caps = append(caps, "manage_network")
		} else {
			caps = append(caps, "manage_options")
		}
	}
	return caps
}

func isPublished(status string) bool { return status == "publish" || status == "future" }

// isOwn reports whether the user wrote the post. A post without an author has no owner.
func (p *Post) isOwn(u *User) bool { return u.LoggedIn() && p.Author == u.ID }

// shownStatus returns the post's status, for an attachment that inherits it the
// parent's.
func (p *Post) shownStatus() string {
	if p.Type != typeAttachment || p.Status != "inherit" {
		return p.Status
	}
	if p.Parent == nil {
		return "publish"
	}
	return p.Parent.Status
}
