package rest

import (
	"iter"
	"slices"
	"strings"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// loaded holds everything that a set of posts needs to be represented: fetched
// in a number of queries that does not depend on how many posts there are.
type loaded struct {
	posts map[int64]*wpstore.Post // the posts asked for and the linked ones
	meta  map[int64]wpstore.Meta
	terms map[int64][]wpstore.Term
	// media are the attachments that images and contents refer to.
	media *wptext.Resources
	state *wptext.RequestState
	// texts holds the linked posts of the event being written, rendered before it
	// as WordPress does; the order shows where texts are numbered.
	texts map[int64]texts
	// rendered remembers what was rendered in this answer: the same venue under
	// many events is rendered once.
	rendered map[renderKey]rendering
	// groups are the translations of the linked posts, language the one that they
	// are shown in just now, and shown the one that each kind of the event at hand
	// was shown in.
	groups   map[int64]i18n.Group
	language string
	shown    map[*api.PostKind]string
	// refs are what the texts of each post refer to, files the digests of what was
	// read for that, and galleries says that some of it depends on more than that.
	refs      map[int64]*content.Refs
	files     map[int64]wpstore.Digest
	pictures  []int64 // that were read already
	galleries bool
	scratch   []byte
}

// renderKey is what the rendered texts of a post depend on within one answer.
type renderKey struct {
	id   int64
	from wptext.Progress
}

type rendering struct {
	texts
	to wptext.Progress
}

// texts are the rendered texts of a post.
type texts struct{ description, excerpt string }

// render renders the texts of a post.
func (c *call) render(set *loaded, p *wpstore.Post) texts {
	key := renderKey{p.ID, set.state.Progress}
	if r, ok := set.rendered[key]; ok {
		set.state.Progress = r.to
		return r.texts
	}
	t := texts{c.content(set, p), c.excerpt(set, p)}
	if set.rendered == nil {
		set.rendered = map[renderKey]rendering{}
	}
	set.rendered[key] = rendering{t, set.state.Progress}
	return t
}

// renderLinked renders what an event links to, and settles the languages of it.
func (c *call) renderLinked(set *loaded, m wpstore.Meta) {
	set.texts = map[int64]texts{}
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		set.shown[kind] = set.language
		for _, p := range set.linked(m, kind) {
			set.texts[p.ID] = c.render(set, p)
			set.language = c.req.Place.Lang.Linked(false)
		}
	}
}

// depth says what load fetches besides the posts themselves.
type depth int

const (
	loadPlain  depth = iota // posts that link to nothing: venues, organizers
	loadEvents              // events with terms, venues and organizers
)

// load fetches posts with what belongs to them: their meta and terms, linked
// venues and organizers with theirs, pictures, and what contents refer to.
func (c *call) load(ids []int64, what depth) (*loaded, error) {
	set := &loaded{
		language: c.req.Place.Lang.Linked(true), shown: map[*api.PostKind]string{}, state: &wptext.RequestState{}, media: &wptext.Resources{},
		files: map[int64]wpstore.Digest{},
	}
	c.rendering = append(c.rendering, set.state)
	if len(ids) == 0 {
		return set, nil
	}
	var taxonomies []string
	if what == loadEvents {
		taxonomies = []string{api.Categories.Name, api.Tags.Name}
	}
	rows, err := c.req.Store.PostSet(c.ctx, &c.req.Place.Site.Languages.Languages, ids, taxonomies)
	if err != nil {
		return nil, err
	}
	set.posts, set.meta, set.terms = rows.Posts, rows.Meta, rows.Terms
	if what == loadEvents {
		adjust(c.answer, set)
		if err := c.loadLinked(set, ids); err != nil {
			return nil, err
		}
	}
	for _, p := range set.posts {
		c.modified = max(c.modified, p.ModifiedGMT)
	}
	return set, c.loadMedia(set)
}

// loadLinked fetches the venues and organizers of events, given in the order in
// which they are shown: those that they are shown in, not those that are stored.
func (c *call) loadLinked(set *loaded, events []int64) error {
	links := make([][]int64, len(events))
	for i, id := range events {
		links[i] = storedLinks(set.meta[id])
	}
	all := distinct(slices.Concat(links...))
	if len(all) == 0 {
		return nil
	}
	l := &c.req.Place.Site.Languages.Languages
	root, first := c.req.Place.Lang.Root, c.req.Place.Lang.Items()
	if first != "" && l.Plugin != i18n.NoPlugin {
		var err error
		if set.groups, err = c.req.Store.PostTranslations(c.ctx, l, all); err != nil {
			return err
		}
	}
	ids := i18n.Translate(all, set.groups, root)
	set.pictures = c.picturesOf(set)
	if first == root || len(set.groups) == 0 {
		return c.loadPosts(set, ids, set.pictures)
	}
	// Up to the first event that surely shows its links, any may be the first.
	n := 0
	for n < len(events) {
		ids = append(ids, i18n.Translate(links[n], set.groups, first)...)
		ev := set.posts[events[n]]
		if n++; ev != nil && ev.Password == "" && len(links[n-1]) > 0 {
			break
		}
	}
	if err := c.loadPosts(set, ids, set.pictures); err != nil {
		return err
	}
	// It shows none if all lead nowhere.
	for _, id := range i18n.Translate(links[n-1], set.groups, first) {
		if set.posts[id] != nil {
			return nil
		}
	}
	return c.loadPosts(set, i18n.Translate(slices.Concat(links[n:]...), set.groups, first), nil)
}

// loadPosts adds posts with their meta to the set, and pictures to its media. No
// query for no ids.
func (c *call) loadPosts(set *loaded, ids, pictures []int64) error {
	all := distinct(slices.Concat(ids, pictures))
	rows, err := c.req.Store.PostSet(c.ctx, &c.req.Place.Site.Languages.Languages, all, nil)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if p := rows.Posts[id]; p != nil {
			set.posts[id] = p
			set.meta[id] = rows.Meta[id]
		}
	}
	for _, id := range pictures {
		if p := rows.Posts[id]; p != nil {
			c.file(set, p, rows.Meta[id])
		}
	}
	return nil
}

// picturesOf lists the files that the events show, which are read along with what the
// events link to: most often there are no others then.
func (c *call) picturesOf(set *loaded) []int64 {
	var ids []int64
	for id, p := range set.posts {
		if thumb := thumbnail(set.meta[id]); thumb > 0 {
			ids = append(ids, thumb)
		}
		ids = append(ids, c.collectRefs(p).Attachments()...)
	}
	return distinct(ids)
}

// storedLinks are the venues and organizers that an event links to, and what
// structured data takes for the first of them.
func storedLinks(m wpstore.Meta) []int64 {
	var ids []int64
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		ids = slices.AppendSeq(ids, shownLinks(m, kind))
	}
	return ids
}

// shownLinks are those of one kind.
func shownLinks(m wpstore.Meta, kind *api.PostKind) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		first := true
		for raw := range m.Each(kind.LinkKey) {
			if id, ok := plainID(raw); ok {
				if !yield(id) {
					return
				}
				first = false
				continue
			}
			ids := linkIDs(raw)
			if first {
				ids = append(ids, firstLink(raw))
			}
			first = false
			for _, id := range ids {
				if !yield(id) {
					return
				}
			}
		}
	}
}

// translated returns the id of a linked post in the language that its kind is
// shown in.
func (set *loaded) translated(id int64, kind *api.PostKind) int64 {
	id, _ = set.groups[id].Into(id, set.shown[kind])
	return id
}

// linkIDs reads one stored link: an id, or, on old sites, a serialized list.
func linkIDs(raw string) []int64 {
	if id, ok := plainID(raw); ok {
		return []int64{id}
	}
	var ids []int64
	add := func(v php.Value) {
		if id := php.ToInt(v); id > 0 {
			ids = append(ids, id)
		}
	}
	if list, ok := phpserial.Maybe(raw).(*php.Array); ok {
		for _, v := range list.All() {
			add(v)
		}
	} else {
		add(raw)
	}
	return ids
}

// firstLink is what structured data takes the first stored link for: its integer
// value, which for a list is 1.
func firstLink(raw string) int64 {
	if id, ok := plainID(raw); ok {
		return id
	}
	return php.ToInt(phpserial.Maybe(raw))
}

// plainID reads a link as nearly all are stored: digits, and neither zero nor more
// than an id can be. It saves the others' detour over PHP's values.
func plainID(raw string) (int64, bool) {
	if len(raw) == 0 || len(raw) > 18 || raw[0] == '0' {
		return 0, false
	}
	id := int64(0)
	for _, digit := range []byte(raw) {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		id = 10*id + int64(digit-'0')
	}
	return id, true
}

// loadMedia fetches the attachments of pictures and everything that contents and
// excerpts refer to. Reusable blocks may refer to more, in a bounded number of
// further rounds.
func (c *call) loadMedia(set *loaded) error {
	refs := &content.Refs{}
	var thumbs []int64
	set.refs = make(map[int64]*content.Refs, len(set.posts))
	for id, p := range set.posts {
		if thumb := thumbnail(set.meta[id]); thumb > 0 {
			thumbs = append(thumbs, thumb)
		}
		set.refs[id] = c.collectRefs(p)
		refs.Add(set.refs[id])
		set.galleries = set.galleries || strings.Contains(p.Content, "[gallery")
	}
	if err := c.fetch(set, refs, thumbs); err != nil {
		return err
	}
	for range maxNesting {
		more := refs.Nested(set.media, c.req.Place.Text)
		if more.Empty() {
			break
		}
		if err := c.fetch(set, more, nil); err != nil {
			return err
		}
	}
	if set.galleries {
		return c.locateParents(set.media)
	}
	return nil
}

// maxNesting is how deep reusable blocks inside reusable blocks are followed.
const maxNesting = 3

func distinct(ids []int64) []int64 {
	slices.Sort(ids)
	return slices.Compact(ids)
}
