package render

import (
	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/trait"
	"calbridge/rest/tribev1/render/jsonld"
	"calbridge/rest/tribev1/render/loader"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/media"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Set is a set of posts that are being written into a response: their rows, and the state after the
// posts written so far.
type Set struct {
	rows  *loader.Set
	texts texts
	// tickets is nil where Event Tickets isn't active.
	tickets *ticketSet
	ld      jsonld.Writer
	past    past
	// language is the language of the linked posts of the next event, later the language after the
	// first linked post.
	language, later string
	// shown is the language of the current event's linked posts by kind.
	shown map[*api.PostKind]string
	// linked are the texts of the current event's linked posts, which WordPress renders
	// before its own.
	linked map[int64]text
}

// past is what other versions of the calendar and WordPress do otherwise.
type past struct{ oneVenue, openLinks, openLists, noCustomFields, listsLinkNothing bool }

func pastOf(traits trait.Set) past {
	return past{
		oneVenue: traits.Has(trait.OneVenue), openLinks: traits.Has(trait.LinkedPostsIgnorePasswords),
		openLists: traits.Has(trait.ListsIgnorePasswords), noCustomFields: traits.Has(trait.NoCustomFields),
		listsLinkNothing: traits.Has(trait.ListsLinkNothing),
	}
}

func newSet(rows *loader.Set, place *wpsite.Place, viewer *authz.Viewer, clock *api.Clock) *Set {
	set := &Set{
		rows: rows, past: pastOf(place.Site.Traits), texts: texts{place: place, media: rows.Media},
		language: place.Lang.Linked(true), later: place.Lang.Linked(false), shown: map[*api.PostKind]string{},
	}
	set.ld = jsonld.Writer{Place: place, Viewer: viewer, Clock: clock, Media: rows.Media, State: &set.texts.state}
	return set
}

// Post returns a post of the set; nil where there is none.
func (s *Set) Post(id int64) *wpstore.Post { return s.rows.Posts[id] }

// FilesOnly reports whether the texts of the set's posts show only files that they name. After
// Restart, each event is then written as if the set had no other.
func (s *Set) FilesOnly() bool { return s.rows.FilesOnly() }

// Restart begins another response: the numbers and the language that continue through the events of
// a list start over.
func (s *Set) Restart() {
	s.texts.state.Progress = wptext.Progress{}
	s.language = s.texts.place.Lang.Linked(true)
}

// linkedPosts returns the linked posts of a kind of the current event, as shown. A calendar with
// support for one venue reads the first link as a number, as structured data does, and takes the
// post with that number for the venue, whatever it is.
func (s *Set) linkedPosts(m wpstore.Meta, kind *api.PostKind) []*wpstore.Post {
	if kind == api.Venues && s.past.oneVenue {
		raw, _ := m.First(kind.LinkKey)
		if p := s.rows.Link(loader.First(raw), kind, s.shown[kind]); p != nil {
			return []*wpstore.Post{p}
		}
		return nil
	}
	return s.rows.Linked(m, kind, s.shown[kind])
}

// renderLinked renders the linked posts of an event and sets their languages.
func (s *Set) renderLinked(m wpstore.Meta) {
	s.linked = map[int64]text{}
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		s.shown[kind] = s.language
		for _, p := range s.linkedPosts(m, kind) {
			s.linked[p.ID] = s.textOf(p, s.locksLink(p))
			s.language = s.later
		}
	}
}

// firstLinks returns the links of the current event in structured data.
func (s *Set) firstLinks(m wpstore.Meta) []jsonld.Link {
	var links []jsonld.Link
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		raw, _ := m.First(kind.LinkKey)
		id := loader.First(raw)
		if id <= 0 {
			continue
		}
		link := jsonld.Link{Kind: kind}
		if s.past.listsLinkNothing && loader.IsList(raw) {
			links = append(links, link)
			continue
		}
		if p := s.rows.Link(id, kind, s.shown[kind]); p != nil {
			link.To = jsonld.Post{Post: p, Meta: s.rows.Meta[p.ID]}
		}
		links = append(links, link)
	}
	return links
}

// locksLink reports whether the password of a venue or organizer blanks it.
func (s *Set) locksLink(p *wpstore.Post) bool {
	return p.Password != "" && !s.past.openLinks
}

// textOf renders the texts of a post. Of texts behind a password only their existence matters.
// Except under exact, they are not rendered, so that nothing in the response, and no query, depends
// on their content.
func (s *Set) textOf(p *wpstore.Post, locked bool) text {
	if locked && !s.texts.place.Site.Compat.Exact() {
		return text{p.Content, p.Excerpt}
	}
	return s.texts.of(p)
}

// image returns the field "image" of a post: false, or an object with the sizes.
func (s *Set) image(m wpstore.Meta) php.Value {
	id := loader.Picture(m)
	return media.ImageObject(id, s.rows.Media.Attachments[id], s.texts.place.Text.UploadsURL)
}
