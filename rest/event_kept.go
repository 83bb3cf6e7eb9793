package rest

import (
	"bytes"
	"encoding/binary"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// An event that was written before and whose rows are the same, those of its venue,
// organizers and pictures too, is copied instead of written again. The rows are
// read each time all the same: nothing shown is older than the request. It is for
// anonymous clients only, whose rights depend on nothing else than the rows.

// eventKey is everything that the JSON of an event depends on.
type eventKey struct {
	facts    *wpstore.SiteFacts // replaced when an option changes
	links    *wpsite.Links
	wording  *api.Wording
	text     *wptext.Site
	globalID string
	lang     i18n.Choice
	single   bool
	// language and progress are what earlier events of the answer have left behind.
	language string
	progress wptext.Progress
	rows     wpstore.Digest
}

// writtenEvent is the JSON of an event, and what it leaves to later ones.
type writtenEvent struct {
	json     []byte
	language string
	progress wptext.Progress
}

// writeEventOnce writes an event as writeEvent does, or copies it.
func (c *call) writeEventOnce(w *writer, set *loaded, p *wpstore.Post, single bool) {
	key, ok := c.eventKey(set, p, single)
	if !ok {
		c.writeEvent(w, set, p, single)
		return
	}
	if e, ok := c.srv.events.get(key); ok {
		w.Raw(e.json)
		set.language, set.state.Progress = e.language, e.progress
		return
	}
	own := &writer{}
	own.Reset(make([]byte, 0, 8<<10))
	before := c.req.Clock.Asked
	c.req.Clock.Asked = false
	c.writeEvent(own, set, p, single)
	w.Raw(own.Bytes())
	timely := c.req.Clock.Asked // a stored text means something else at another time
	// What could not be rendered has to be told of with each answer.
	if c.req.Clock.Asked = timely || before; !timely && len(set.state.Unknown()) == 0 {
		c.srv.keepEvent(key, writtenEvent{bytes.Clone(own.Bytes()), set.language, set.state.Progress})
	}
}

// eventKey gathers what an event depends on; ok is false for those that depend on
// more than that: the password or the login of the request, galleries of other
// posts' pictures, blocks that several posts share.
func (c *call) eventKey(set *loaded, p *wpstore.Post, single bool) (key eventKey, ok bool) {
	if c.srv.events.limit <= 0 || c.req.Viewer.User.ID != 0 || c.unlocked || c.answer != nil || set.galleries {
		return key, false
	}
	d := digester{set: set, buf: set.scratch[:0], ok: true}
	m := set.meta[p.ID]
	d.post(p)
	for i := range set.terms[p.ID] {
		d.add(set.terms[p.ID][i].Digest())
	}
	later := c.req.Place.Lang.Linked(false)
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		d.number(-1)
		for id := range shownLinks(m, kind) {
			d.linked(id, set.language)
			if later != set.language {
				d.linked(id, later)
			}
		}
	}
	set.scratch = d.buf
	return eventKey{
		facts: c.req.Place.Site.Facts, links: c.req.Place.Links, wording: c.req.Place.Words, text: c.req.Place.Text, globalID: c.req.Place.GlobalID, lang: c.req.Place.Lang, single: single,
		language: set.language, progress: set.state.Progress, rows: c.req.Store.Digest(d.buf),
	}, d.ok
}

// digester joins the digests of all that an event is made of.
type digester struct {
	set *loaded
	buf []byte
	ok  bool
}

func (d *digester) add(part wpstore.Digest) {
	d.buf = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(d.buf, part[0]), part[1])
}

func (d *digester) number(n int64) { d.buf = binary.LittleEndian.AppendUint64(d.buf, uint64(n)) }

// linked adds the post that a link leads to in a language, if there is one.
func (d *digester) linked(id int64, language string) {
	id, _ = d.set.groups[id].Into(id, language)
	d.number(id)
	if p := d.set.posts[id]; p != nil {
		d.post(p)
	}
}

// post adds a post, its metadata, its picture and what its texts refer to.
func (d *digester) post(p *wpstore.Post) {
	m := d.set.meta[p.ID]
	d.add(p.Digest())
	d.add(m.Digest())
	d.number(thumbnail(m))
	d.add(d.set.files[thumbnail(m)])
	refs := d.set.refs[p.ID]
	d.ok = d.ok && p.Password == "" && p.Digest() != wpstore.Digest{} && refs.FilesOnly()
	for _, id := range refs.Attachments() {
		d.number(id)
		d.add(d.set.files[id])
	}
}

// collectRefs gathers what the texts of a post refer to. What the same row referred
// to before is known.
func (c *call) collectRefs(p *wpstore.Post) *content.Refs {
	key := refsKey{p.Digest(), c.req.Place.Text}
	if key.row != (wpstore.Digest{}) {
		if refs, ok := c.srv.refs.get(key); ok {
			return refs
		}
	}
	refs := &content.Refs{}
	refs.Collect(p.Content, c.req.Place.Text)
	refs.CollectImages(p.Excerpt)
	if key.row != (wpstore.Digest{}) {
		c.srv.keepRefs(key, refs)
	}
	return refs
}

// refsKey is what the references of a post depend on.
type refsKey struct {
	row  wpstore.Digest
	text *wptext.Site
}

// thumbnail is the id of a post's picture, 0 for none.
func thumbnail(m wpstore.Meta) int64 {
	raw, _ := m.First("_thumbnail_id")
	return php.ToInt(raw)
}
