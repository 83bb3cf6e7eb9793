package rest

import (
	"slices"
	"strings"
	"time"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/phpform"
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
		r := c.render()
		set, err := r.LoadLinked(c.ctx, page.ids)
		if err != nil {
			return nil, err
		}
		w := r.NewWriter()
		w.BeginObject()
		w.Key(kind.Collection)
		w.BeginList()
		for _, id := range page.ids {
			if p := set.Post(id); p != nil {
				r.Linked(w, set, kind, p, false)
			}
		}
		w.EndList()
		pages := l.finish(w, page)
		w.EndObject()
		res := r.Response(w)
		res.Fields = api.Totals(page.total, pages)
		return res, nil
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
		r := c.render()
		set, err := r.LoadLinked(c.ctx, []int64{id})
		if err != nil {
			return nil, err
		}
		p := set.Post(id)
		if p == nil || p.Status != "publish" && !c.req.Viewer.MayRead(p) {
			return nil, api.Fail(kind.Singular + "-not-accessible")
		}
		w := r.NewWriter()
		r.Linked(w, set, kind, p, true)
		return r.Response(w), nil
	}
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
