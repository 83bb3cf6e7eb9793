package sites

import (
	"context"
	"hash/fnv"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"calbridge/cmd/calbridge/httpserver"
	"calbridge/cmd/calbridge/site"
	"calbridge/rest"
	"calbridge/rest/union"
)

// unionOf returns the handler of the calendar over all sites if a path is one of its addresses and the
// main site has routes of calbridge's own; else nil.
func (s *Set) unionOf(of *Site, path string) http.HandlerFunc {
	if !strings.Contains(path, union.Path) {
		return nil
	}
	main := s.Source.All()[0]
	if of != main || !main.Settings.Extends() {
		return nil
	}
	prefix := "/" + main.Settings.API.RESTPrefix + "/"
	_, folder, _ := strings.Cut(main.Address, "/")
	var answer func(*union.Handler) http.HandlerFunc
	endless := false
	switch "/" + strings.TrimPrefix(strings.TrimLeft(path, "/"), folder) {
	case prefix + union.Path:
		answer = func(h *union.Handler) http.HandlerFunc { return h.ServeHTTP }
	case prefix + union.ICalendarPath:
		answer = func(h *union.Handler) http.HandlerFunc { return h.ICalendar }
	case prefix + union.StreamPath:
		answer, endless = func(h *union.Handler) http.HandlerFunc { return h.Stream }, true
	case prefix + union.ChangesPath:
		answer = func(h *union.Handler) http.HandlerFunc { return h.Changes }
	case prefix + union.JSONFeedPath:
		answer = func(h *union.Handler) http.HandlerFunc { return h.JSONFeed }
	default:
		return nil
	}
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), main.Settings.Limits.RequestTimeout)
		defer cancel()
		e, live, err := s.main(ctx)
		if err != nil {
			s.unavailable(w, r)
			return
		}
		defer e.leave()
		about, err := live.About(ctx)
		if err != nil {
			s.unavailable(w, r)
			return
		}
		h := union.New(union.Config{
			Source: public{s}, Root: strings.TrimSuffix(about.Home, "/") + prefix, Name: about.Name, Home: about.Home, Now: main.Settings.Now,
			Log: s.Logger, Guard: s.guard,
			Streaming: &union.Streaming{Hub: live.Streams(), Sources: s.streamed, Moved: s.moved, Address: httpserver.ByAddress(main.Settings.Listen.TrustedProxies), Patience: main.Settings.Limits.RequestTimeout},
		})
		if endless {
			ctx = r.Context()
		}
		answer(h)(w, r.WithContext(ctx))
	}
}

// moved returns channels, of which one is closed once the journal of a site in memory or the list of sites has
// changed. Those of sites without a journal are left out.
func (s *Set) moved() []<-chan struct{} {
	all := []<-chan struct{}{s.Source.Moved()}
	s.each(func(live *site.Live) {
		if moved := live.Moved(); moved != nil {
			all = append(all, moved)
		}
	})
	return all
}

// public lists the sites that take part in the calendar over all sites. It implements union.Source.
type public struct{ set *Set }

// described limits how many sites one request describes at a time: each may have to be opened.
const described = 4

// Public implements union.Source.
func (p public) Public(ctx context.Context, wanted func(id int64, path string) bool) (sites []union.Site, leftOut int, err error) {
	var asked []*Site
	for _, of := range p.set.Source.All() {
		switch {
		case !wanted(idOf(of), pathOf(of)):
		case !of.Public:
			leftOut++
		default:
			asked = append(asked, of)
		}
	}
	taking, shown := make([]union.Site, len(asked)), make([]bool, len(asked))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(described)
	for i, of := range asked {
		p.set.guard.GoErr(group, "describing a site", func() error {
			taking[i], shown[i] = p.site(groupCtx, of)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, 0, err
	}
	for i, site := range taking {
		if !shown[i] {
			leftOut++
			continue
		}
		sites = append(sites, site)
	}
	return sites, leftOut, ctx.Err()
}

// site returns one site as it takes part. shown reports whether it has a calendar that everybody may find.
// A site that can't be opened takes part and fails, so that it is counted.
func (p public) site(ctx context.Context, of *Site) (taking union.Site, shown bool) {
	api := of.Settings.API
	taking = union.Site{ID: idOf(of), Name: of.Name, URL: of.URL, Path: pathOf(of), API: "/" + api.RESTPrefix + "/" + api.Namespace}
	taking.Get = func(ctx context.Context, pathAndQuery string) (*union.Answer, error) {
		return p.set.get(ctx, of, pathAndQuery)
	}
	about, err := p.set.entry(of).describe(ctx)
	if err != nil {
		return taking, true
	}
	taking.Name, taking.URL = about.Name, strings.TrimSuffix(about.Home, "/")
	return taking, about.Calendar && about.Public
}

// describe describes the site as it is, or as it was when it was in memory last.
func (e *entry) describe(ctx context.Context) (rest.About, error) {
	if live, ok := e.hold(); ok {
		defer e.release()
		return e.ask(ctx, live)
	}
	e.mu.Lock()
	last := e.about
	e.mu.Unlock()
	if last != nil {
		return *last, nil
	}
	live, err := e.enter(ctx)
	if err != nil {
		return rest.About{}, err
	}
	defer e.leave()
	return e.ask(ctx, live)
}

// ask asks the open site what it is, and keeps the answer.
func (e *entry) ask(ctx context.Context, live *site.Live) (rest.About, error) {
	about, err := live.About(ctx)
	if err == nil {
		e.mu.Lock()
		e.about = &about
		e.mu.Unlock()
	}
	return about, err
}

// pathOf returns the folder of a site, such as "/divadlo/".
func pathOf(of *Site) string {
	_, folder, _ := strings.Cut(of.Address, "/")
	return "/" + folder
}

// idOf returns the number of a site: that of a network's site, or one that its name determines.
func idOf(of *Site) int64 {
	if id, err := strconv.ParseInt(of.Name, 10, 64); err == nil {
		return id
	}
	sum := fnv.New32a()
	sum.Write([]byte(of.Name))
	return int64(sum.Sum32())
}

// get answers an anonymous GET of a site within the process.
func (s *Set) get(ctx context.Context, of *Site, pathAndQuery string) (*union.Answer, error) {
	e := s.entry(of)
	live, err := e.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer e.leave()
	about, err := live.About(ctx)
	if err != nil {
		return nil, err
	}
	r, err := httpserver.NewRequest(ctx, strings.TrimSuffix(about.Home, "/")+pathAndQuery)
	if err != nil {
		return nil, err
	}
	shown, err := live.Shown(r)
	if err != nil {
		return nil, err
	}
	return &union.Answer{Status: shown.Status, Header: shown.Header, Body: shown.Body, NotProven: shown.NotProven, Held: shown.Held}, nil
}
