package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/export"
	"calbridge/rest/feed"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/php"
)

// errElsewhere is returned for exports that only WordPress can answer.
var errElsewhere = fmt.Errorf("an export of a page of WordPress's own: %w", errNotREST)

// export answers a request for a page of the site if it is for the page's events in iCalendar
// format. Every other page is not ours.
func (s *Server) export(ctx context.Context, x *exchange, live *liveSite, path, rawQuery string) (*api.Response, error) {
	req := x.req.Request
	place := live.Place(req.HTTPS)
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
	asked, ok := feed.Parse(feedSite(&place), path, rawQuery, req.Query)
	switch {
	case !ok && feed.Named(path, req.Query):
		return nil, errElsewhere
	case !ok:
		return nil, errNotREST
	}
	x.place, x.exports = place, true
	var err error
	x.identity, err = s.login.IdentifyVisitor(ctx, x.req.Store, req, live.Site, x.clock.At, x.proven)
	if err != nil {
		return nil, err
	}
	x.viewer.User, x.viewer.PostPassCookie = x.identity.User, x.identity.PostPassCookie
	x.req.Store.UseReplica(ctx, s.needsLatest(x))
	defer x.req.Store.KeepConnection(ctx)()
	res, err := s.exporter.Answer(ctx, &x.req, asked)
	if errors.Is(err, export.ErrDeclined) {
		return nil, errElsewhere
	}
	if err != nil {
		return nil, err
	}
	x.answer.learned = res.Learned
	res.Timely, res.Until = res.Timely || x.clock.Asked, x.clock.Until
	res.HeadOnly = req.RealMethod == http.MethodHead
	res.Anonymous = x.identity.User.ID == 0
	reads := req.RealMethod == http.MethodGet || req.RealMethod == http.MethodHead
	res.Shared = res.Status == http.StatusOK && reads && res.Anonymous && (x.identity.PostPassCookie == "" || !res.CookieMatters) && res.Header.Get("Cache-Control") == ""
	return res, nil
}

// feedSite returns the facts that the addresses of a site depend on.
func feedSite(place *wpsite.Place) *feed.Site {
	site := place.Site
	structure := site.Facts.PermalinkStructure
	s := &feed.Site{
		Slugs: feed.Slugs(place.Links.Slugs()), Pretty: structure != "", Slash: strings.HasSuffix(structure, "/"),
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
