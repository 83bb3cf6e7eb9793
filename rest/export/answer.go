package export

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/exporturl"
	"calbridge/rest/ical"
	"calbridge/rest/tribev1/render"
	"calbridge/rest/tribev1/render/calevent"
	"calbridge/rest/tribev1/render/loader"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
)

// Templates name exports in metrics and logs: lists, and those of the page of one event.
const (
	Template       = "ical"
	SingleTemplate = "ical/event"
)

// TemplateOf returns the template of a request.
func TemplateOf(f *exporturl.Request) string {
	if f.View == "single-event" && f.IDs == nil {
		return SingleTemplate
	}
	return Template
}

// Handler answers exports.
type Handler struct{ render *render.Shared }

// NewHandler returns a Handler.
func NewHandler(shared *render.Shared) Handler { return Handler{shared} }

// Answer is the answer to an export, or to a request for one that leads elsewhere.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	// Cookie is set unless the request has it; nil means no cookie.
	Cookie    *api.Cookie
	Rendering api.Rendering
}

// Answer answers a request that place and viewer of r have the root and the user of.
func (h Handler) Answer(ctx context.Context, r *wprest.Request, f *exporturl.Request) (*Answer, error) {
	if f.Unclear {
		return nil, ErrDeclined
	}
	asked := &request{Request: r, feed: f, language: cmp.Or(r.Place.Lang.Root, r.Place.Site.Languages.Default)}
	terms, err := findTerms(ctx, asked)
	if err != nil {
		return nil, err
	}
	events := &selection{asked, terms, dates{f, r.Place.Site, r.Clock}}
	found, err := findPage(ctx, asked, events)
	if err != nil {
		return nil, err
	}
	found.personal = found.personal || r.Viewer.Known()
	to, err := elsewhere(ctx, asked, terms, found)
	if to == nil && err == nil {
		to, err = canonical(ctx, asked, terms, found)
	}
	if err != nil {
		return nil, err
	}
	var res *Answer
	if to != nil {
		found.missing = to.missing
		res = redirected(asked, to, found)
	} else if res, err = h.export(ctx, events, found); err != nil {
		return nil, err
	}
	res.Cookie = languageCookie(asked, found)
	return res, nil
}

// export returns the answer with events.
func (h Handler) export(ctx context.Context, s *selection, page page) (*Answer, error) {
	ids, err := s.selected(ctx, page.shown())
	if err != nil {
		return nil, err
	}
	var current []int64
	if !page.missing {
		if current, err = s.current(ctx, page.post); err != nil {
			return nil, err
		}
	}
	r := s.request
	around := r.Clock.Split()
	renderer := h.render.Export(placeOf(r), r.Viewer, r.Clock, r.Store)
	set, err := renderer.Load(ctx, slices.Concat(ids, current))
	if err != nil {
		return nil, err
	}
	region := ""
	for _, id := range current {
		if p := set.Posts[id]; p != nil {
			region = renderer.Region(set, p)
		}
	}
	events, err := exported(r, ids, renderer, set, region)
	if err != nil {
		return nil, err
	}
	if err := translate(ctx, r, set, events); err != nil {
		return nil, err
	}
	objects := r.Clock.Split()
	r.Clock.Join(around)
	r.Clock.Join(objects)
	if len(events) == 0 {
		return empty(r, page, page.missing || s.dates.outOfRange()), nil
	}
	calendar := calendarOf(r)
	calendar.Events = events
	res := &Answer{
		Status: http.StatusOK, Header: header(r, "text/calendar; charset=UTF-8", page),
		Body: calendar.AppendTo(nil, r.Place.Site.Zones), Rendering: renderer.Rendering(),
	}
	res.Rendering.Objects = objects
	res.Header.Set("Content-Disposition", `attachment; filename="`+calendar.FileName(r.Place.Site.Slug(calendar.Name))+`"`)
	return res, nil
}

// placeOf returns the place that the events of an export are rendered for.
func placeOf(r *request) *wpsite.Place {
	place := *r.Place
	place.Lang = i18n.Choice{}
	if r.Place.Site.Languages.Plugin == i18n.WPML { // Polylang translates nothing here
		place.Lang.Root = r.language
	}
	text := *place.Text
	text.LateParagraphs = false // language plugins render no blocks before
	place.Text = &text
	return &place
}

// exported returns the events that the viewer gets, as exports show them.
func exported(r *request, ids []int64, renderer *calevent.Export, set *loader.Set, region string) ([]ical.Event, error) {
	var events []ical.Event
	for _, id := range ids {
		p := set.Posts[id]
		if p == nil && r.feed.IDs != nil {
			return nil, ErrDeclined
		}
		if p == nil || !r.exports(p) {
			continue
		}
		events = append(events, renderer.Event(set, p, region))
	}
	return events, nil
}
