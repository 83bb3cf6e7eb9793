package read

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// linkedSet intersects the ids that each filter finds; nil means no filter. noMatch reports a
// search without any hit, which empties the list but, in the reference, not its totals.
func linkedSet(ctx context.Context, r *wprest.Request, kind *api.PostKind) (only []int64, noMatch bool, err error) {
	narrow := func(ids []int64) {
		if only == nil {
			only = append([]int64{}, ids...) // not nil
		} else {
			only = intersect(only, ids)
		}
	}
	if search := r.Text("search"); search != "" {
		ids, err := searchLinked(ctx, r, kind, search)
		if err != nil {
			return nil, false, err
		}
		if noMatch = len(ids) == 0; !noMatch {
			narrow(ids)
		}
	}
	if event := r.Get("event"); event != nil {
		ids, err := r.Store.Linked.LinkedOfEvent(ctx, visible(r, php.ToInt(event)), kind.LinkKey)
		if err != nil {
			return nil, false, err
		}
		narrow(ids)
	}
	if has := r.Get("has_events"); has != nil {
		ids, err := linkedByUse(ctx, r, kind, php.Truthy(has))
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

// visible returns the post of a checked filter, or no post if the viewer may not learn of it,
// so that an unreadable post costs what a readable one does.
func visible(r *wprest.Request, id int64) int64 {
	if r.Viewer.Learns(r.Lookups.Head(id)) {
		return id
	}
	return noPost
}

// noPost is the id of no post.
const noPost = -1

// searchLinked splits the text at everything but ASCII letters, digits and hyphens. All
// fragments must occur within one field.
func searchLinked(ctx context.Context, r *wprest.Request, kind *api.PostKind, search string) ([]int64, error) {
	fragments := fragment.FindAllString(strings.ToLower(search), -1)
	slices.Sort(fragments)
	fragments = slices.Compact(fragments)
	if len(fragments) == 0 || len(fragments) > maxFragments {
		return nil, nil
	}
	return r.Store.Linked.SearchLinked(ctx, kind.PostType, fragments, r.Viewer.Readable(kind))
}

var fragment = regexp.MustCompile(`[a-z0-9-]+`)

// maxFragments bounds the different words of a search. No name or address has more, so that
// a text with more matches nothing (known difference D8).
const maxFragments = 100

// linkedByUse returns the posts that events link to, or all others.
func linkedByUse(ctx context.Context, r *wprest.Request, kind *api.PostKind, used bool) ([]int64, error) {
	with, err := r.Store.Linked.LinkedWithEvents(ctx, kind.LinkKey, r.Viewer.Readable(api.Events))
	if err != nil || used {
		return with, err
	}
	all, err := r.Store.Linked.AllIDs(ctx, kind.PostType)
	if err != nil {
		return nil, err
	}
	in := setOf(with)
	return slices.DeleteFunc(slices.Clone(all), func(id int64) bool { return in[id] }), nil
}

// linkedUpcoming returns the posts to which the first page of upcoming events links: of the
// events that a list of events shows to the user. As in the reference, the present in UTC is
// compared with local dates.
func linkedUpcoming(ctx context.Context, r *wprest.Request, kind *api.PostKind) ([]int64, error) {
	vis := r.Viewer.Visibility(api.Events, nil)
	if r.Place.Site.Compat.Exact() { // which asks for the rights to the other kind
		vis.Statuses = []string{"publish"}
		if r.Viewer.User.Can("edit_" + kind.Caps) {
			vis.Statuses = nil
		}
	}
	now := r.Clock.Present().UTC().Format(api.MySQLTime)
	if r.Place.Site.SiteMode() {
		if t, err := time.ParseInLocation(api.MySQLTime, now, r.Place.Site.Zone); err == nil {
			now = t.UTC().Format(api.MySQLTime)
		}
	}
	site := r.Place.Site
	limit := cmp.Or(php.ToInt(site.Option("posts_per_page")), php.ToInt(site.Option("postsPerPage")), php.ToInt(site.Facts.PostsPerPage))
	return r.Store.Linked.LinkedUpcoming(ctx, kind.LinkKey, wpstore.EventQuery{
		Statuses: vis.Statuses, Own: vis.Own, Passwords: vis.Passwords, UnlockedFor: vis.UnlockedFor,
		Occurrences: site.Facts.Occurrences, UTC: site.SiteMode(), Language: r.Place.In(r.Place.Lang.Root), Limit: limit,
	}, now)
}

// intersect returns the members of a that are in b too, in the order of a.
func intersect(a, b []int64) []int64 {
	in := setOf(b)
	return slices.DeleteFunc(slices.Clone(a), func(id int64) bool { return !in[id] })
}

func setOf(ids []int64) map[int64]bool {
	set := make(map[int64]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}
