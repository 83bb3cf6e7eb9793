package loader

import (
	"slices"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/wpstore"
)

// Set is a set of posts with everything that is needed to show them.
type Set struct {
	Posts map[int64]*wpstore.Post // the posts asked for and the linked ones
	Meta  map[int64]wpstore.Meta
	Terms map[int64][]wpstore.Term // by post
	// Media are the attachments and the like that pictures and texts refer to.
	Media *wptext.Resources
	// Modified is the latest change of a post of the set, as stored in UTC; "" where
	// there is none.
	Modified string

	viewer *authz.Viewer
	groups map[int64]i18n.Group // translations of the linked posts
	// linked are the linked posts that the viewer sees, shown or not.
	linked map[int64]*wpstore.Post
	// refs are what the texts of each post refer to, and files the digests of the rows
	// read for them.
	refs  map[int64]*content.Refs
	files map[int64]wpstore.Digest
	// with has the rows of Steps.With, was its ids.
	with wpstore.PostSet
	was  map[int64]bool
	// pictures were read with the linked posts; sorted.
	pictures []int64
	// galleries reports that a text depends on more rows than those in files.
	galleries bool
	scratch   []byte // memory of Digest
}

// FilesOnly reports whether the texts of the set's posts show only files that they name. Each post
// is then rendered the same whatever else is in the set.
func (s *Set) FilesOnly() bool {
	for _, refs := range s.refs {
		if !refs.FilesOnly() {
			return false
		}
	}
	return !s.galleries
}

// take moves the rows of posts that were read with the others out of rows.
func (s *Set) take(rows wpstore.PostSet, ids, with []int64) {
	for _, id := range with {
		if slices.Contains(ids, id) {
			continue
		}
		put(&s.was, id, true)
		if p := rows.Posts[id]; p != nil {
			put(&s.with.Posts, id, p)
			put(&s.with.Meta, id, rows.Meta[id])
		}
		delete(rows.Posts, id)
		delete(rows.Meta, id)
		delete(rows.Terms, id)
	}
}

// inLanguage returns the post that the response shows for a linked post in a language, nil for
// none: its translation, or itself without one. Except under exact, a post that the viewer doesn't
// see leads to no translation, and a translation that the viewer doesn't see does not count (known
// difference S9).
func (s *Set) inLanguage(id int64, language string) *wpstore.Post {
	to, _ := s.groups[id].Into(id, language)
	if s.viewer.Site.Compat.Exact() {
		return s.Posts[to]
	}
	if s.linked[id] == nil || s.linked[to] == nil {
		return s.linked[id]
	}
	return s.linked[to]
}

// show adds the posts that the response shows for linked posts in languages.
func (s *Set) show(ids []int64, languages ...string) {
	languages = slices.Compact(languages)
	for _, id := range ids {
		for _, language := range languages {
			if p := s.inLanguage(id, language); p != nil {
				s.Posts[p.ID] = p
			}
		}
	}
}

// Linked returns the posts to which metadata of an event links and which the viewer sees, in a
// language, in the order of the metadata.
func (s *Set) Linked(m wpstore.Meta, kind *api.PostKind, language string) []*wpstore.Post {
	var out []*wpstore.Post
	for raw := range m.Each(kind.LinkKey) {
		for _, id := range IDs(raw) {
			if p := s.Link(id, kind, language); p != nil {
				out = append(out, p)
			}
		}
	}
	return out
}

// Link returns the post to which an event links by an id, in a language; nil if there is none
// or the viewer doesn't see it.
func (s *Set) Link(id int64, kind *api.PostKind, language string) *wpstore.Post {
	p := s.inLanguage(id, language)
	if p == nil || !s.viewer.SeesLink(p, kind) {
		return nil
	}
	return p
}
