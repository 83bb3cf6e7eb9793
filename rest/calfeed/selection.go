package calfeed

import (
	"context"
	"slices"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/calendar"
	"calbridge/rest/phpform"
	"calbridge/rest/rfc5545"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/eventlist"
	"calbridge/rest/tribev1/render"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
)

// feed is a feed being built.
type feed struct {
	*wprest.Request
	render *render.Shared
	// described may be nil.
	described Described
	// ids are the ids of its events, by start. cancelled are those of events in the trash that were
	// published before.
	ids, cancelled []int64
	// of is the HTML of the restriction that the path makes, "" for none. path is the feed's own.
	of, path string
	zones    *rfc5545.Zones
}

func (h *handlers) newFeed(r *wprest.Request) *feed {
	return &feed{Request: r, render: h.render, described: h.described, path: r.Route.Template}
}

// selectEvents finds the events. Those in the trash are found by the same filters: a trashed
// event has its dates, terms, links and language until it is deleted.
func (f *feed) selectEvents(ctx context.Context, of eventlist.Of) error {
	q, nothing, err := eventlist.Feed(ctx, f.Request, of)
	if err != nil {
		return err
	}
	q.UnprotectedOnly = true
	if !nothing {
		found, err := f.Store.Events.Events(ctx, q, nil)
		if err != nil {
			return err
		}
		f.ids = found.IDs
		if slices.Contains(q.Statuses, "publish") {
			q.Statuses = []string{"trash"}
			if found, err = f.Store.Events.Events(ctx, q, nil); err != nil {
				return err
			}
			if f.cancelled, err = f.oncePublished(ctx, found.IDs); err != nil {
				return err
			}
		}
	}
	f.zones, err = f.span(ctx, f.Store)
	return err
}

// trashBatch is the number of events in the trash whose former statuses are read at a time.
const trashBatch = 1000

// oncePublished returns those of some events in the trash that were published before. The others must not
// show, not even by the years for which zones are described. One query for each thousand of them.
func (f *feed) oncePublished(ctx context.Context, ids []int64) (published []int64, err error) {
	for some := range slices.Chunk(ids, trashBatch) {
		metas, err := f.Store.Posts.PostMetaKeys(ctx, some, []string{wasPublished})
		if err != nil {
			return nil, err
		}
		for _, id := range some {
			if publishedBefore(metas[id]) {
				published = append(published, id)
			}
		}
	}
	return published, nil
}

// span prepares the descriptions of zones for the years of the feed's events.
func (f *feed) span(ctx context.Context, store calendar.Stores) (*rfc5545.Zones, error) {
	year := f.Clock.At.Year()
	var ends []int64
	for _, ids := range [][]int64{f.ids, f.cancelled} {
		if len(ids) > 0 {
			ends = append(ends, ids[0], ids[len(ids)-1])
		}
	}
	if ends == nil {
		return rfc5545.NewZones(year, year), nil
	}
	metas, err := store.Posts.PostMetaKeys(ctx, ends, cancelledKeys)
	if err != nil {
		return nil, err
	}
	rd := f.render.Feed(f.Place, f.Viewer, f.Clock, store)
	first, last := 0, 0
	for _, id := range ends {
		dates := rd.Dates(metas[id])
		if !dates.CanBeWritten() {
			continue
		}
		if first == 0 || dates.Start.Year() < first {
			first = dates.Start.Year()
		}
		last = max(last, dates.Start.Year(), dates.End.Year())
	}
	return rfc5545.NewZones(first, last), nil
}

// wasPublished is the key of the status that a post had before it was trashed.
const wasPublished = "_wp_trash_meta_status"

// cancelledKeys are what a cancelled event shows and depends on.
var cancelledKeys = []string{wasPublished, "_EventAllDay", "_EventTimezone", "_EventStartDate", "_EventEndDate", "_EventStartDateUTC", "_EventEndDateUTC"}

// cancelled reports whether an event is in the trash and was visible to everyone before.
func cancelled(p *wpstore.Post, m wpstore.Meta) bool {
	return p.Type == api.Events.PostType && p.Status == "trash" && p.Password == "" && publishedBefore(m)
}

// publishedBefore reports whether a post in the trash was published before.
func publishedBefore(m wpstore.Meta) bool {
	before, _ := m.First(wasPublished)
	return before == "publish"
}

// name returns the feed's name.
func (f *feed) name() string {
	site, of := rfc5545.PlainLine(f.Place.Site.RawOption("blogname", "")), rfc5545.PlainLine(f.of)
	if of != "" && site != "" {
		return of + " – " + site
	}
	return of + site
}

// links returns the URLs of the API.
func (f *feed) links() tribev1.Links {
	return tribev1.LinksOf(f.Request, f.Place.Links)
}

// source returns the feed's address, with the arguments that have an effect.
func (f *feed) source() string {
	url := f.links().Route(f.path)
	var args []phpform.Arg
	for key, v := range f.Query.All() {
		if text, ok := v.(string); ok && f.Endpoint.Takes(key.String()) && !strings.Contains(f.Route.Template, "{"+key.String()+"}") {
			args = append(args, phpform.Arg{Name: key.String(), Value: phpform.RawURLEncode(text)})
		}
	}
	if len(args) == 0 {
		return url
	}
	return phpform.AddQueryArg(url, args...)
}
