package render

import (
	"calbridge/rest/api"
	"calbridge/rest/postlink"
	"calbridge/rest/render/jsonld"
	"calbridge/rest/render/loader"
	"calbridge/rest/wptext/images"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Set is a set of posts on its way into an answer: what was read of them, and what those
// written so far mean for the next.
type Set struct {
	rows  *loader.Set
	texts texts
	ld    jsonld.Writer
	// language is the one that linked posts are shown in from here on, and later the one
	// after the first of them.
	language, later string
	// shown is the language in which each kind of the event at hand is shown.
	shown map[*api.PostKind]string
	// linked are the texts of what the event at hand links to: WordPress renders them
	// before its own.
	linked map[int64]text
}

func (r *Renderer) newSet(rows *loader.Set) *Set {
	set := &Set{
		rows: rows, texts: texts{place: r.place, media: rows.Media},
		language: r.place.Lang.Linked(true), later: r.place.Lang.Linked(false), shown: map[*api.PostKind]string{},
	}
	set.ld = jsonld.Writer{Place: r.place, Viewer: r.viewer, Clock: r.clock, Media: rows.Media, State: &set.texts.state}
	r.sets = append(r.sets, set)
	return set
}

// Post is a post of the set; nil where there is none.
func (s *Set) Post(id int64) *wpstore.Post { return s.rows.Posts[id] }

// linkedPosts are the posts of a kind that the event at hand links to, as shown.
func (s *Set) linkedPosts(m wpstore.Meta, kind *api.PostKind) []*wpstore.Post {
	return s.rows.Linked(m, kind, s.shown[kind])
}

// renderLinked renders what an event with such metadata links to, and settles the
// languages of it.
func (s *Set) renderLinked(m wpstore.Meta) {
	s.linked = map[int64]text{}
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		s.shown[kind] = s.language
		for _, p := range s.linkedPosts(m, kind) {
			s.linked[p.ID] = s.texts.of(p)
			s.language = s.later
		}
	}
}

// firstLinks are the links that structured data shows of the event at hand.
func (s *Set) firstLinks(m wpstore.Meta) []jsonld.Link {
	var links []jsonld.Link
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		raw, _ := m.First(kind.LinkKey)
		id := postlink.First(raw)
		if id <= 0 {
			continue
		}
		id = s.rows.Translated(id, s.shown[kind])
		links = append(links, jsonld.Link{Kind: kind, To: jsonld.Post{Post: s.rows.Posts[id], Meta: s.rows.Meta[id]}})
	}
	return links
}

// image is the field "image" of a post with such metadata: false, or an object with the
// sizes.
func (s *Set) image(m wpstore.Meta) php.Value {
	raw, _ := m.First("_thumbnail_id")
	return images.Object(raw, s.rows.Media.Attachments[php.ToInt(raw)], s.texts.place.Text.UploadsURL)
}
