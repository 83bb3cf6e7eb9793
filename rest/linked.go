package rest

import (
	"slices"
	"strings"
	"time"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/phpform"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// linkedList answers GET /venues and GET /organizers.
func linkedList(kind *api.PostKind) func(*call) (*api.Response, error) {
	return func(c *call) (*api.Response, error) {
		l := c.newList()
		vis := c.req.Viewer.Visibility(kind, c.req.Get("status"))
		l.self = c.linkedListURL(kind, l, vis.Shown)
		only, noMatch, err := c.linkedSet(kind)
		if err != nil {
			return nil, err
		}
		if only, err = c.req.Lookups.InLanguage(c.ctx, only, c.req.Place.Lang.Root); err != nil {
			return nil, err
		}
		found, err := c.req.Store.Linked(c.ctx, wpstore.LinkedQuery{
			PostType: kind.PostType, Statuses: vis.Statuses, Own: vis.Own, Only: only, Limit: l.perPage, Offset: (l.page - 1) * l.perPage,
		}, c.linkedPages())
		if err != nil {
			return nil, err
		}
		page := listPage{ids: found.IDs, listed: found.Total, total: found.Total}
		if c.linkedPages() != (wpstore.InLanguage{}) && (l.page > 1 || found.Total > l.perPage) {
			page.listed = found.Counted
		}
		if noMatch { // the totals stay those of the list without the search
			page.ids = nil
		}
		if l.page > 1 && len(page.ids) == 0 {
			return nil, api.Fail(kind.Singular + "-archive-page-not-found")
		}
		set, err := c.load(page.ids, loadPlain)
		if err != nil {
			return nil, err
		}
		w := c.newWriter()
		w.BeginObject()
		w.Key(kind.Collection)
		w.BeginList()
		for _, id := range page.ids {
			if p := set.posts[id]; p != nil {
				c.writeLinkedPost(w, set, kind, p, false, c.locked(p))
			}
		}
		w.EndList()
		pages := l.finish(w, page)
		w.EndObject()
		return &api.Response{Body: w.Bytes(), Fields: api.Totals(page.total, pages)}, nil
	}
}

// linkedPages is the language of the posts by which the links to other pages go,
// where there are several pages: WPML looks for those in the language of the list,
// though the list holds all.
func (c *call) linkedPages() wpstore.InLanguage {
	if c.req.Place.Site.Languages.Plugin != i18n.WPML || !c.req.Place.Site.Compat.Faithful() {
		return wpstore.InLanguage{}
	}
	return c.req.Place.In(c.req.Place.Lang.Items())
}

func (c *call) linkedListURL(kind *api.PostKind, l *list, status php.Value) string {
	return phpform.AddQueryArg(c.req.Place.LinksFor(c.req.Place.Lang.Items()).List(kind.Collection),
		phpform.Arg{Name: "page", Value: l.page}, phpform.Arg{Name: "per_page", Value: l.perPage},
		phpform.Arg{Name: "event", Value: c.req.Get("event")}, phpform.Arg{Name: "has_events", Value: c.req.Get("has_events")},
		phpform.Arg{Name: "status", Value: status})
}

// linkedSet runs the filters, each of which yields a set of ids, and intersects
// them; nil means no filter. noMatch is a search without any hit, which empties
// the list but, in the reference, not its totals.
func (c *call) linkedSet(kind *api.PostKind) (only []int64, noMatch bool, err error) {
	narrow := func(ids []int64) {
		if only == nil {
			only = ids
			if only == nil {
				only = []int64{}
			}
			return
		}
		only = intersect(only, ids)
	}
	if search := c.req.Text("search"); search != "" {
		ids, err := c.searchLinked(kind, search)
		if err != nil {
			return nil, false, err
		}
		if len(ids) == 0 {
			noMatch = true
		} else {
			narrow(ids)
		}
	}
	if event := c.req.Get("event"); event != nil {
		ids, err := c.req.Store.LinkedOfEvent(c.ctx, php.ToInt(event), kind.LinkKey)
		if err != nil {
			return nil, false, err
		}
		narrow(ids)
	}
	if has := c.req.Get("has_events"); has != nil {
		ids, err := c.linkedByUse(kind, php.Truthy(has))
		if err != nil {
			return nil, false, err
		}
		narrow(ids)
	}
	if php.Truthy(c.req.Get("only_with_upcoming")) {
		ids, err := c.linkedUpcoming(kind)
		if err != nil {
			return nil, false, err
		}
		narrow(ids)
	}
	return only, noMatch, nil
}

// searchLinked splits the text at everything but ASCII letters, digits and
// hyphens; all fragments must occur within one field.
func (c *call) searchLinked(kind *api.PostKind, search string) ([]int64, error) {
	fragments := strings.FieldsFunc(strings.ToLower(search), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-')
	})
	slices.Sort(fragments)
	fragments = slices.Compact(fragments)
	if len(fragments) == 0 || len(fragments) > maxFragments {
		return nil, nil
	}
	return c.req.Store.SearchLinked(c.ctx, kind.PostType, fragments)
}

// maxFragments is more different words than any name or address has; a text with
// more of them matches nothing.
const maxFragments = 100

// linkedByUse returns the posts that events link to, or all others.
func (c *call) linkedByUse(kind *api.PostKind, used bool) ([]int64, error) {
	with, err := c.req.Store.LinkedWithEvents(c.ctx, kind.LinkKey)
	if err != nil || used {
		return with, err
	}
	all, err := c.req.Store.AllIDs(c.ctx, kind.PostType)
	if err != nil {
		return nil, err
	}
	return subtract(all, with), nil
}

// linkedUpcoming returns the posts that the first page of upcoming events links
// to. The present is UTC clock time compared with local dates, as the reference
// does.
func (c *call) linkedUpcoming(kind *api.PostKind) ([]int64, error) {
	statuses := []string{"publish"}
	if c.req.Place.Site.Compat.Exact() && c.req.Viewer.User.Can("edit_"+kind.Caps) {
		statuses = nil
	}
	now := c.req.Clock.Present().UTC().Format(api.MySQLTime)
	if c.req.Place.Site.SiteMode() {
		if t, err := time.ParseInLocation(api.MySQLTime, now, c.req.Place.Site.Zone); err == nil {
			now = t.UTC().Format(api.MySQLTime)
		}
	}
	limit := int64(0)
	for _, v := range []php.Value{c.req.Place.Site.Option("posts_per_page"), c.req.Place.Site.Option("postsPerPage"), c.req.Place.Site.Facts.PostsPerPage} {
		if limit = php.ToInt(v); limit != 0 {
			break
		}
	}
	return c.req.Store.LinkedUpcoming(c.ctx, kind.LinkKey, statuses, now, c.req.Place.Site.SiteMode(), c.req.Place.Site.Facts.Occurrences, c.req.Place.In(c.req.Place.Lang.Root), limit)
}

// linkedSingle answers GET of one venue or organizer. A protected one is shown
// with blanked fields.
func linkedSingle(kind *api.PostKind) func(*call) (*api.Response, error) {
	return func(c *call) (*api.Response, error) {
		id, err := c.req.ItemID(c.ctx, kind)
		if err != nil {
			return nil, err
		}
		set, err := c.load([]int64{id}, loadPlain)
		if err != nil {
			return nil, err
		}
		p := set.posts[id]
		if p == nil || p.Status != "publish" && !c.req.Viewer.MayRead(p) {
			return nil, api.Fail(kind.Singular + "-not-accessible")
		}
		w := c.newWriter()
		c.writeLinkedPost(w, set, kind, p, true, c.locked(p))
		return &api.Response{Body: w.Bytes()}, nil
	}
}

// linkedField maps a field of a venue or organizer to the meta that holds it.
// blank says that a password blanks it.
type linkedField struct {
	field, key string
	blank      bool
}

var venueFields = []linkedField{
	{"address", "_VenueAddress", true}, {"city", "_VenueCity", true}, {"country", "_VenueCountry", true},
	{"province", "_VenueProvince", true}, {"state", "_VenueState", false}, {"zip", "_VenueZip", true},
	{"phone", "_VenuePhone", true}, {"website", "_VenueURL", true}, {"stateprovince", "_VenueStateProvince", true},
}

var organizerFields = []linkedField{
	{"phone", "_OrganizerPhone", true}, {"website", "_OrganizerWebsite", true}, {"email", "_OrganizerEmail", true},
}

// writeLinkedPost writes the representation of a venue or an organizer. Fields
// without a value are left out; locked blanks what the password protects, but
// only where there is something to blank.
func (c *call) writeLinkedPost(w *writer, set *loaded, kind *api.PostKind, p *wpstore.Post, single, locked bool) {
	m := set.meta[p.ID]
	text := func(field, value string) {
		if php.Empty(value) {
			return
		}
		if locked {
			value = ""
		}
		w.KeyString(field, value)
	}
	w.BeginObject()
	w.KeyInt("id", p.ID)
	c.writePostFields(w, p)
	if title := typography.Title(p.Title, c.req.Place.Site.Locale); !php.Empty(title) {
		if locked {
			w.KeyValue(kind.Singular, &php.Array{})
		} else {
			w.KeyString(kind.Singular, title)
		}
	}
	own, rendered := set.texts[p.ID]
	if !rendered {
		own = c.render(set, p)
	}
	text("description", own.description)
	text("excerpt", own.excerpt)
	if !php.Empty(p.Name) {
		w.KeyString("slug", p.Name)
	}
	if image := c.image(set, m); !php.Empty(image) {
		if locked {
			image = false
		}
		w.KeyValue("image", image)
	}
	fields := venueFields
	if kind == api.Organizers {
		fields = organizerFields
	}
	for _, f := range fields {
		v, _ := m.First(f.key)
		if f.blank {
			text(f.field, v)
		} else if !php.Empty(v) {
			w.KeyString(f.field, v)
		}
	}
	if single && !locked {
		c.writeLinkedLD(w, set, kind, p, m)
	}
	if kind == api.Venues {
		for _, f := range []struct{ field, key string }{{"show_map", "_VenueShowMap"}, {"show_map_link", "_VenueShowMapLink"}} {
			v, ok := m.First(f.key)
			if locked {
				w.KeyNull(f.field)
			} else {
				w.KeyBool(f.field, !ok || php.Truthy(v))
			}
		}
	}
	c.writeGlobalID(w, p, m)
	w.EndObject()
}

func intersect(a, b []int64) []int64 {
	in := make(map[int64]bool, len(b))
	for _, id := range b {
		in[id] = true
	}
	out := []int64{}
	for _, id := range a {
		if in[id] {
			out = append(out, id)
		}
	}
	return out
}

func subtract(a, b []int64) []int64 {
	in := make(map[int64]bool, len(b))
	for _, id := range b {
		in[id] = true
	}
	out := []int64{}
	for _, id := range a {
		if !in[id] {
			out = append(out, id)
		}
	}
	return out
}
