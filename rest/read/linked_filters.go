package read

import (
	"context"
	"slices"
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/routes"
	"calbridge/wpstore/events"
	"calbridge/wpstore/php"
)

// linkedSet runs the filters, each of which yields a set of ids, and intersects
// them; nil means no filter. noMatch is a search without any hit, which empties
// the list but, in the reference, not its totals.
func linkedSet(ctx context.Context, r *routes.Request, kind *api.PostKind) (only []int64, noMatch bool, err error) {
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
	if search := r.Text("search"); search != "" {
		ids, err := searchLinked(ctx, &r.Store.Linked, kind, search)
		if err != nil {
			return nil, false, err
		}
		if len(ids) == 0 {
			noMatch = true
		} else {
			narrow(ids)
		}
	}
	if event := r.Get("event"); event != nil {
		ids, err := r.Store.Linked.LinkedOfEvent(ctx, php.ToInt(event), kind.LinkKey)
		if err != nil {
			return nil, false, err
		}
		narrow(ids)
	}
	if has := r.Get("has_events"); has != nil {
		ids, err := linkedByUse(ctx, &r.Store.Linked, kind, php.Truthy(has))
		if err != nil {
			return nil, false, err
		}
		narrow(ids)
	}
	if php.Truthy(r.Get("only_with_upcoming")) {
		ids, err := linkedUpcoming(ctx, r, kind)
		if err != nil {
			return nil, false, err
		}
		narrow(ids)
	}
	return only, noMatch, nil
}

// searchLinked splits the text at everything but ASCII letters, digits and
// hyphens; all fragments must occur within one field.
func searchLinked(ctx context.Context, store *events.LinkedStore, kind *api.PostKind, search string) ([]int64, error) {
	fragments := strings.FieldsFunc(strings.ToLower(search), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-')
	})
	slices.Sort(fragments)
	fragments = slices.Compact(fragments)
	if len(fragments) == 0 || len(fragments) > maxFragments {
		return nil, nil
	}
	return store.SearchLinked(ctx, kind.PostType, fragments)
}

// maxFragments is more different words than any name or address has; a text with
// more of them matches nothing.
const maxFragments = 100

// linkedByUse returns the posts that events link to, or all others.
func linkedByUse(ctx context.Context, store *events.LinkedStore, kind *api.PostKind, used bool) ([]int64, error) {
	with, err := store.LinkedWithEvents(ctx, kind.LinkKey)
	if err != nil || used {
		return with, err
	}
	all, err := store.AllIDs(ctx, kind.PostType)
	if err != nil {
		return nil, err
	}
	return subtract(all, with), nil
}

// linkedUpcoming returns the posts that the first page of upcoming events links
// to. The present is UTC clock time compared with local dates, as the reference
// does.
func linkedUpcoming(ctx context.Context, r *routes.Request, kind *api.PostKind) ([]int64, error) {
	statuses := []string{"publish"}
	if r.Place.Site.Compat.Exact() && r.Viewer.User.Can("edit_"+kind.Caps) {
		statuses = nil
	}
	now := r.Clock.Present().UTC().Format(api.MySQLTime)
	if r.Place.Site.SiteMode() {
		if t, err := time.ParseInLocation(api.MySQLTime, now, r.Place.Site.Zone); err == nil {
			now = t.UTC().Format(api.MySQLTime)
		}
	}
	limit := int64(0)
	for _, v := range []php.Value{r.Place.Site.Option("posts_per_page"), r.Place.Site.Option("postsPerPage"), r.Place.Site.Facts.PostsPerPage} {
		limit = php.ToInt(v)
		if limit != 0 {
			break
		}
	}
	return r.Store.Linked.LinkedUpcoming(ctx, kind.LinkKey, statuses, now, r.Place.Site.SiteMode(), r.Place.Site.Facts.Occurrences, r.Place.In(r.Place.Lang.Root), limit)
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
