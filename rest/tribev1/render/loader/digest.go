package loader

import (
	"encoding/binary"

	"calbridge/rest/api"
	"calbridge/wpstore"
)

// Digest returns a digest of all rows that an event of the set depends on: its own, and those of
// linked posts in two languages. ok is false for an event that depends on more than these rows: on
// a password, galleries of other posts' pictures, or reusable blocks.
func (l *Loader) Digest(set *Set, p *wpstore.Post, language, later string) (rows wpstore.Digest, ok bool) {
	if set.galleries {
		return rows, false
	}
	d := digester{set: set, buf: set.scratch[:0], ok: true}
	m := set.Meta[p.ID]
	d.post(p)
	for i := range set.Terms[p.ID] {
		d.add(set.Terms[p.ID][i].Digest)
	}
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		d.number(-1)
		for id := range Each(m, kind) {
			d.linked(id, language)
			if later != language {
				d.linked(id, later)
			}
		}
	}
	set.scratch = d.buf
	if !d.ok {
		return rows, false
	}
	return l.Cache.digest(d.buf), true
}

// digester joins digests. ok reports that the posts depend on nothing else.
type digester struct {
	set *Set
	buf []byte
	ok  bool
}

func (d *digester) add(part wpstore.Digest) {
	d.buf = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(d.buf, part[0]), part[1])
}

func (d *digester) number(n int64) { d.buf = binary.LittleEndian.AppendUint64(d.buf, uint64(n)) }

// linked adds the linked post in a language, if it exists.
func (d *digester) linked(id int64, language string) {
	p := d.set.inLanguage(id, language)
	if p == nil {
		d.number(0)
		return
	}
	d.number(p.ID)
	d.post(p)
}

// post adds a post, its metadata, its picture and what its texts refer to.
func (d *digester) post(p *wpstore.Post) {
	m := d.set.Meta[p.ID]
	d.add(p.Digest)
	d.add(m.Digest())
	d.number(Picture(m))
	d.add(d.set.files[Picture(m)])
	refs := d.set.refs[p.ID]
	d.ok = d.ok && p.Password == "" && p.Digest != wpstore.Digest{} && refs.FilesOnly()
	for _, id := range refs.Attachments() {
		d.number(id)
		d.add(d.set.files[id])
	}
}
