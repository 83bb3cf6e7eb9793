package rest

import (
	"calbridge/rest/wpcap"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// permission decides whether this request's user may use an endpoint.
type permission func(*call) (bool, error)

// mayCreate asks for the plural edit capability of the kind.
func mayCreate(kind *postKind) permission {
	return func(c *call) (bool, error) { return c.user.Can("edit_" + kind.caps), nil }
}

// mayChange asks for the right to edit or delete the post that the request
// names. Without an id, which is every by-slug route, only the plural capability
// is asked for: that is the reference's hole, kept under exact alone, known
// difference S3. Events whose id does not exist are let through to the handler's
// own 404.
func mayChange(kind *postKind, verb string) permission {
	return func(c *call) (bool, error) {
		plural := c.user.Can(verb + "_" + kind.caps)
		id := php.ToInt(c.req.get("id"))
		if !c.exact() && !c.ep.takes("id") && c.user.ID != 0 {
			var err error
			if id, err = c.postBySlug(kind, c.req.text("slug")); err != nil {
				return false, err
			}
		}
		if id == 0 || c.user.ID == 0 {
			return plural, nil
		}
		post, err := c.judged(id)
		if err != nil {
			return false, err
		}
		if post == nil {
			return plural && kind == eventKind, nil
		}
		if verb == "delete" {
			return wpcap.DeletePost(c.user, post, c.site.caps), nil
		}
		return wpcap.EditPost(c.user, post, c.site.caps), nil
	}
}

// judged returns the post whose rights are asked for, nil when there is none. The
// endpoints of a route ask for the same one, so it is read once.
func (c *call) judged(id int64) (*wpcap.Post, error) {
	if c.judgedID == id {
		return c.judgedPost, nil
	}
	heads, err := c.store.Posts.PostHeads(c.ctx, []int64{id})
	if err != nil {
		return nil, err
	}
	c.judgedID, c.judgedPost = id, nil
	if head, ok := heads[id]; ok {
		c.judgedPost = &wpcap.Post{ID: id, Author: head.Author, Type: head.Type, Status: head.Status}
		if head.Status == "trash" {
			c.judgedPost.TrashStatus, err = c.trashStatus(id)
		}
	}
	return c.judgedPost, err
}

// forgetPosts drops what is remembered of posts: after a write the Allow header is
// about the post as it is now.
func (c *call) forgetPosts() {
	c.judgedID, c.slugAsked = 0, slugLookup{}
}

// trashStatus is the status that a post had before it was trashed.
func (c *call) trashStatus(id int64) (string, error) {
	const key = "_wp_trash_meta_status"
	meta, err := c.store.Posts.PostMetaKeys(c.ctx, []int64{id}, []string{key})
	status, _ := meta[id].First(key)
	return status, err
}

// mayManage asks for the rights that the taxonomy's own screens need.
func mayManage(tax *taxonomyKind) permission {
	return func(c *call) (bool, error) {
		return c.user.Can("edit_tribe_events") && c.user.Can(tax.manageCap), nil
	}
}

func capPost(p *wpstore.Post) *wpcap.Post {
	return &wpcap.Post{ID: p.ID, Author: p.Author, Type: p.Type, Status: p.Status}
}

// mayRead says whether the user may read a post that is not public.
func (c *call) mayRead(p *wpstore.Post) bool { return wpcap.ReadPost(c.user, capPost(p), c.site.caps) }

// mayEdit says whether the user may edit a post that was loaded.
func (c *call) mayEdit(p *wpstore.Post) bool { return wpcap.EditPost(c.user, capPost(p), c.site.caps) }

// viewable says whether a post's pretty permalink is shown to this user.
func (c *call) viewable(p *wpstore.Post) bool {
	return p.Status == "publish" || p.Status == "private" && c.user.ID != 0 && c.mayRead(p)
}

// isStatus says whether a post status of that name is registered.
func isStatus(name string) bool {
	_, ok := wpcap.LookupStatus(name)
	return ok
}

// mayAssign says whether the user may make a post that of an author. Known
// difference S4: the reference asks nothing.
func (c *call) mayAssign(kind *postKind, author, current int64) bool {
	return c.exact() || author == current || author == c.user.ID || c.user.Can("edit_others_"+kind.caps)
}
