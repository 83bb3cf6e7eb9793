package union

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"calbridge/rest/rfc5545"
)

// maxFeed limits the feeds of all sites together in bytes.
const maxFeed = 64 << 20

// ICalendar answers a request for the iCalendar feed.
func (h *Handler) ICalendar(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, rfc5545.ContentType, func() ([]byte, error) {
		return h.feed(r.Context(), w.Header(), r.URL.RawQuery, "events.ics", h.iCalendar)
	})
}

// JSONFeed answers a request for the JSON Feed.
func (h *Handler) JSONFeed(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, "application/feed+json; charset=utf-8", func() ([]byte, error) {
		return h.feed(r.Context(), w.Header(), r.URL.RawQuery, "events.jsonfeed", h.jsonFeed)
	})
}

// siteFeed is the feed of a site.
type siteFeed struct {
	list *list
	body []byte // nil: no events
}

// feed reads the feeds of all chosen sites at a path of their APIs, and joins them.
func (h *Handler) feed(ctx context.Context, header http.Header, rawQuery, path string, join func([]siteFeed, *query) ([]byte, error)) ([]byte, error) {
	q, err := parse(rawQuery)
	if err != nil {
		return nil, err
	}
	for name, given := range map[string]bool{"per_page": q.own.Has("per_page"), "cursor": q.after != nil} {
		if given {
			return nil, invalid(name, "Feeds have no pages.")
		}
	}
	lists, _, err := h.lists(ctx, q)
	if err != nil {
		return nil, err
	}
	feeds := make([]siteFeed, len(lists))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(concurrency)
	for i, l := range lists {
		h.Guard.GoErr(group, "reading the feed of a site", func() error {
			body, err := l.whole(groupCtx, path)
			feeds[i] = siteFeed{l, body}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	missing, size := 0, 0
	for _, f := range feeds {
		switch size += len(f.body); {
		case f.list.reason == failed:
			return nil, fmt.Errorf("read the feed of site %d: %w", f.list.site.ID, f.list.err)
		case f.list.reason != "":
			missing++
		case size > maxFeed:
			return nil, refuse(http.StatusBadRequest, "calbridge_feed_too_long", "The feed is too long. Choose fewer sites, or give start_date.", nil)
		}
	}
	if missing > 0 {
		header.Set(missingHeader, strconv.Itoa(missing))
	}
	return join(feeds, q)
}

// whole returns the site's feed. It is nil if the site has none of the terms of the query, or is
// left out.
func (l *list) whole(ctx context.Context, path string) ([]byte, error) {
	for first := true; ; first = false {
		v := maps.Clone(l.query)
		for name, slugs := range l.terms {
			v.Set(name, strings.Join(slugs, ","))
		}
		answer, err := l.ask(ctx, path, v)
		switch {
		case err != nil || l.reason != "":
			return nil, err
		case answer.Status == http.StatusOK:
			return answer.Body, nil
		case answer.Status != http.StatusBadRequest || !first:
			l.leaveOut(failed, fmt.Errorf("the feed answered with status %d", answer.Status))
			return nil, nil
		}
		if empty, err := l.dropUnknownTerms(ctx, answer); err != nil || empty || l.reason != "" {
			return nil, err
		}
	}
}

// source returns the address of a feed.
func (h *Handler) source(path string, q *query) string {
	if len(q.own) == 0 {
		return h.Root + path
	}
	return h.Root + path + "?" + q.own.Encode()
}

// zone is a VTIMEZONE with the observances of all sites. Sites describe a zone for the years of
// their own events. The same onset may be described twice, which changes nothing.
type zone struct {
	head        []byte // its first line and TZID
	observances [][]byte
}

// iCalendar joins calendars. The events keep their bytes, and come site by site.
func (h *Handler) iCalendar(feeds []siteFeed, q *query) ([]byte, error) {
	c := rfc5545.Calendar{Name: h.Name, Home: h.Home, Source: h.source(ICalendarPath, q), Color: rfc5545.ColorOf(h.Root)}
	var zones []*zone
	var events [][]byte
	for _, f := range feeds {
		if f.body != nil && !bytes.HasSuffix(f.body, []byte("\r\nEND:VCALENDAR\r\n")) {
			return nil, fmt.Errorf("the feed of site %d is cut off", f.list.site.ID)
		}
		if !bytes.Contains(f.body, []byte("\r\nBEGIN:VEVENT\r\n")) {
			continue // the zone of an empty calendar stands for no event
		}
		for rest := f.body; ; {
			var component []byte
			var isEvent bool
			component, isEvent, rest = nextComponent(rest)
			if component == nil {
				break
			}
			if isEvent {
				events = append(events, component)
			} else {
				zones = addZone(zones, component)
			}
		}
	}
	b := c.AppendHead(nil)
	if len(events) == 0 {
		return c.AppendEnd(b), nil
	}
	for _, z := range zones {
		b = append(append(b, z.head...), bytes.Join(z.observances, nil)...)
		b = append(b, "END:VTIMEZONE\r\n"...)
	}
	b = append(b, bytes.Join(events, nil)...)
	return append(b, "END:VCALENDAR\r\n"...), nil
}

// nextComponent returns the next VEVENT or VTIMEZONE of a calendar that package rfc5545 has
// written, and what follows it. Folded lines begin with a space, so no text looks like a boundary.
func nextComponent(b []byte) (component []byte, isEvent bool, rest []byte) {
	const begin = "\r\nBEGIN:"
	at := bytes.Index(b, []byte(begin))
	if at < 0 {
		return nil, false, nil
	}
	name, _, _ := bytes.Cut(b[at+len(begin):], []byte("\r\n"))
	end := slices.Concat([]byte("\r\nEND:"), name, []byte("\r\n"))
	length := bytes.Index(b[at:], end)
	if length < 0 {
		return nil, false, nil
	}
	after := at + length + len(end)
	return b[at+2 : after], string(name) == "VEVENT", b[after-2:] // the line end may begin the next boundary
}

// addZone adds the observances of a VTIMEZONE.
func addZone(zones []*zone, component []byte) []*zone {
	head, observances, _ := bytes.Cut(component, []byte("\r\nBEGIN:"))
	at := slices.IndexFunc(zones, func(z *zone) bool { return bytes.Equal(z.head[:len(z.head)-2], head) })
	if at < 0 {
		zones = append(zones, &zone{head: append(bytes.Clone(head), "\r\n"...)})
		at = len(zones) - 1
	}
	z := zones[at]
	for part := range bytes.SplitSeq(bytes.TrimSuffix(observances, []byte("\r\nEND:VTIMEZONE\r\n")), []byte("\r\nBEGIN:")) {
		o := slices.Concat([]byte("BEGIN:"), part, []byte("\r\n"))
		if !slices.ContainsFunc(z.observances, func(have []byte) bool { return bytes.Equal(have, o) }) {
			z.observances = append(z.observances, o)
		}
	}
	return zones
}

// jsonFeed joins JSON Feeds. The items keep their bytes, get the member _site, and are ordered by
// start.
func (h *Handler) jsonFeed(feeds []siteFeed, q *query) ([]byte, error) {
	type item struct {
		start time.Time
		raw   json.RawMessage
	}
	var items []item
	for _, f := range feeds {
		if f.body == nil {
			continue
		}
		var feed struct{ Items []json.RawMessage }
		if err := json.Unmarshal(f.body, &feed); err != nil {
			return nil, fmt.Errorf("read the feed of site %d: %w", f.list.site.ID, err)
		}
		for _, raw := range feed.Items {
			var dates struct {
				Event struct {
					Start string `json:"start"`
				} `json:"_event"`
			}
			if err := json.Unmarshal(raw, &dates); err != nil {
				return nil, fmt.Errorf("read an item of site %d: %w", f.list.site.ID, err)
			}
			at, err := time.Parse(time.RFC3339, dates.Event.Start)
			if err != nil {
				var dayErr error
				if at, dayErr = time.Parse(time.DateOnly, dates.Event.Start); dayErr != nil {
					return nil, fmt.Errorf("read an item of site %d: %w", f.list.site.ID, errors.Join(err, dayErr))
				}
			}
			items = append(items, item{at, withMember(raw, "_site", f.list.site)})
		}
	}
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.start.Unix(), b.start.Unix()) })
	out := struct {
		Version     string            `json:"version"`
		Title       string            `json:"title"`
		HomePageURL string            `json:"home_page_url"`
		FeedURL     string            `json:"feed_url"`
		Items       []json.RawMessage `json:"items"`
	}{"https://jsonfeed.org/version/1.1", h.Name, h.Home, h.source(JSONFeedPath, q), []json.RawMessage{}}
	for _, i := range items {
		out.Items = append(out.Items, i.raw)
	}
	return encode(out), nil
}
