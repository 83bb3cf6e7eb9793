package calfeed

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"calbridge/rest/rfc5545"
)

// jsonFeed writes JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). Events have their dates in
// the member _event, since extension names begin with an underscore.
type jsonFeed struct {
	feed  *feed
	items int
}

func newJSONFeed(f *feed) format { return &jsonFeed{feed: f} }

func (*jsonFeed) contentType() string { return "application/feed+json; charset=utf-8" }

// jsonHead is the feed without its items.
type jsonHead struct {
	Version     string `json:"version"`
	Title       string `json:"title"`
	HomePageURL string `json:"home_page_url"`
	FeedURL     string `json:"feed_url"`
	Language    string `json:"language,omitempty"`
}

type jsonItem struct {
	ID            string       `json:"id"`
	URL           string       `json:"url"`
	Title         string       `json:"title,omitempty"`
	ContentHTML   string       `json:"content_html"`
	Image         string       `json:"image,omitempty"`
	DatePublished string       `json:"date_published,omitempty"`
	DateModified  string       `json:"date_modified,omitempty"`
	Authors       []jsonAuthor `json:"authors,omitempty"`
	Tags          []string     `json:"tags,omitempty"`
	Event         jsonEvent    `json:"_event"`
}

type jsonAuthor struct {
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
}

// jsonEvent has the dates and the place. Start and end have the offset of the event's zone. For
// events of whole days they are the first and the last day.
type jsonEvent struct {
	About     string   `json:"about"`
	AllDay    bool     `json:"all_day"`
	Start     string   `json:"start"`
	End       string   `json:"end"`
	TimeZone  string   `json:"time_zone,omitempty"`
	Location  string   `json:"location,omitempty"`
	Latitude  *float64 `json:"latitude,omitempty"`
	Longitude *float64 `json:"longitude,omitempty"`
}

func (j *jsonFeed) head(b []byte) []byte {
	f := j.feed
	code := f.Place.LanguageCode()
	if code == "" {
		code, _, _ = strings.Cut(strings.ToLower(f.Place.Site.Facts.WPLang), "_")
	}
	b = appendJSON(b, jsonHead{"https://jsonfeed.org/version/1.1", f.name(), f.Place.Links.Home, f.source(), code})
	return append(b[:len(b)-1], `,"items":[`...)
}

func (j *jsonFeed) event(b []byte, e *rfc5545.Event) []byte {
	if e.Cancelled { // subscribers see that it is gone
		return b
	}
	if j.items++; j.items > 1 {
		b = append(b, ',')
	}
	item := jsonItem{
		ID: e.UID, URL: e.URL, Title: e.Title, ContentHTML: e.HTML, DatePublished: rfc3339(e.Created), DateModified: rfc3339(e.Modified), Tags: e.Categories,
		Event: jsonEvent{About: j.feed.links().Route("/doc"), AllDay: e.AllDay, Location: e.Location},
	}
	if e.Image != nil {
		item.Image = e.Image.URL
	}
	if e.Organizer != nil {
		item.Authors = []jsonAuthor{{e.Organizer.Name, e.Organizer.URL}}
	}
	if e.Geo != nil {
		item.Event.Latitude, item.Event.Longitude = &e.Geo.Latitude, &e.Geo.Longitude
	}
	zone := time.UTC
	if e.Zone != nil {
		zone = e.Zone
		item.Event.TimeZone = zone.String()
	}
	item.Event.Start, item.Event.End = e.StartUTC.In(zone).Format(time.RFC3339), e.EndUTC.In(zone).Format(time.RFC3339)
	if e.AllDay {
		item.Event.Start, item.Event.End = e.Start.Format(time.DateOnly), e.End.Format(time.DateOnly)
	}
	return appendJSON(b, item)
}

func (*jsonFeed) end(b []byte) []byte { return append(b, "]}"...) }

func rfc3339(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// appendJSON appends a value that can always be encoded: broken UTF-8 becomes U+FFFD.
func appendJSON(b []byte, v any) []byte {
	out := bytes.NewBuffer(b)
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
