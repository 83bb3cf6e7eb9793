package rest

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/export"
	"calbridge/rest/exporturl"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// page answers a request for a page of the site if it is for the page's events in iCalendar format.
// Every other page is not ours.
func (s *Server) page(ctx context.Context, x *exchange, live *liveSite, path, rawQuery string) (*api.Response, error) {
	req := x.req.Request
	place := live.Place(req.HTTPS)
	target := path
	if rawQuery != "" {
		target += "?" + rawQuery
	}
	path = stripHome(place.Links, path)
	lang := req.Query.At("lang")
	if place.Site.Languages.Form == i18n.Directory { // the argument chooses no root there
		lang = nil
	}
	if place.Site.Languages.Plugin != i18n.NoPlugin && place.Site.Facts.PermalinkStructure != "" {
		text, _ := lang.(string)
		place.Lang.Root, _ = place.Site.Languages.Resolve(path, req.Host, text)
		place.Links = place.LinksFor(place.Lang.Root)
	}
	place.Words = place.Site.WordingFor(place.Lang.Root)
	asked, ok := exporturl.Parse(feedSite(&place), path, rawQuery, req.Query)
	if !ok && live.Facts.Blog.ID != 0 {
		return s.networkPage(&place, req, target, x.headOnly()), nil
	}
	if !ok {
		return notOurs(x.headOnly(), exporturl.Named(path, req.Query)), nil
	}
	x.place, x.export = place, export.TemplateOf(asked)
	var err error
	x.identity, err = s.login.IdentifyVisitor(ctx, x.session, req, live.Site, x.clock.At, x.caughtUp)
	if err != nil {
		return nil, err
	}
	x.viewer.User, x.viewer.PostPassCookie = x.identity.User, x.identity.PostPassCookie
	x.session.UseReplica(ctx, s.needsLatest(x))
	x.session.Classify(wpstore.CostExport)
	defer x.session.KeepConnection(ctx)()
	found, err := s.exporter.Answer(ctx, &x.req, asked)
	if errors.Is(err, export.ErrDeclined) {
		return notOurs(x.headOnly(), true), nil
	}
	if err != nil {
		return nil, err
	}
	x.answer.rendering = found.Rendering
	decides := x.urlDecides(found.Rendering.CookieMatters)
	shared := decides && found.Status == http.StatusOK && found.Header.Get("Cache-Control") == ""
	return &api.Response{
		Status: found.Status, Header: found.Header, Body: found.Body, Rendering: x.timed(found.Rendering), Page: true, Cookie: found.Cookie,
		Anonymous: x.anonymous(), HeadOnly: req.RealMethod == http.MethodHead,
		Shared: shared, Repeats: shared || decides && found.Status == http.StatusNotFound,
	}, nil
}

// notOurs returns the response to a page of the site. elsewhere reports that the page is an export
// that only WordPress can answer.
func notOurs(headOnly, elsewhere bool) *api.Response {
	return &api.Response{
		Status: http.StatusNotFound, Body: []byte("404 page not found\n"), HeadOnly: headOnly, Elsewhere: elsewhere,
		Header: http.Header{"Content-Type": {"text/plain; charset=utf-8"}, "X-Content-Type-Options": {"nosniff"}},
	}
}

// feedSite returns the facts that the addresses of a site depend on.
func feedSite(place *wpsite.Place) *exporturl.Site {
	site := place.Site
	structure := site.Facts.PermalinkStructure
	s := &exporturl.Site{
		Slugs: exporturl.Slugs(place.Links.Slugs()), Pretty: structure != "", Slash: strings.HasSuffix(structure, "/"),
		DefaultView: site.OptionText("viewOption", "list"), PerPage: php.ToInt(site.OptionText("postsPerPage", site.Facts.PostsPerPage)),
	}
	if strings.HasPrefix(structure, "/index.php/") {
		s.Front = "index.php/"
	}
	if language := site.Languages.Find(place.Lang.Root); language != nil {
		s.Root = language.Prefix
		s.NoEventEnding = s.Root != "" && site.Languages.Plugin == i18n.Polylang
	}
	return s
}
