package rest

import (
	"context"
	"html"
	"net/http"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/php"
)

// closed returns WordPress's response to a request for a site of a network that is archived, marked as
// spam or deleted: 410 to everybody but super administrators, whom only a login cookie shows, since
// WordPress doesn't read application passwords so early. It returns nil if the request goes on.
func (s *Server) closed(ctx context.Context, x *exchange) (*api.Response, error) {
	why := x.place.Site.Facts.Blog.Closed()
	if why == "" {
		return nil, nil
	}
	req := x.req.Request
	visitor, err := s.login.IdentifyVisitor(ctx, x.session, req, x.place.Site, x.clock.At, x.caughtUp)
	if err != nil || visitor.User.SuperAdmin {
		return nil, err
	}
	res := &api.Response{Status: http.StatusGone, Header: http.Header{}, HeadOnly: req.RealMethod == http.MethodHead}
	setNoCache(res.Header)
	message := x.place.Words.Message("wp_die."+why, nil)
	if api.WantsJSON(req) {
		res.Header.Set("Content-Type", "application/json; charset=UTF-8")
		res.Body = phpjson.Append(nil, api.Object("code", "wp_die", "message", message, "data", api.Object("status", int64(res.Status)), "additional_errors", php.List()))
		return res, nil
	}
	res.Header.Set("Content-Type", "text/html; charset=UTF-8")
	page, recorded := x.place.Words.Page("wp_die." + why)
	if !recorded {
		page = "<!DOCTYPE html>\n<title>" + html.EscapeString(message) + "</title>\n<p>" + html.EscapeString(message) + "</p>\n"
	}
	res.Body, res.Elsewhere = []byte(page), !recorded
	return res, nil
}

// networkPage returns the response to a request for a page of a site of a network. The web server sends
// those for unknown folders here, since their paths look like paths of a site's API. WordPress answers
// with the theme's page for a missing page, of which this is only the headers. It leads clients that put
// www. before the site's host to the host. target is the path with the query.
func (s *Server) networkPage(place *wpsite.Place, req *api.Request, target string, headOnly bool) *api.Response {
	res := &api.Response{Status: http.StatusNotFound, Header: http.Header{"Content-Type": {"text/html; charset=UTF-8"}}, HeadOnly: headOnly, Elsewhere: true}
	setNoCache(res.Header)
	home := place.Links.Home
	if scheme, host, _ := strings.Cut(home, "://"); req.Method == http.MethodGet && strings.EqualFold(req.Host, "www."+hostOnly(host)) {
		res.Status = http.StatusMovedPermanently
		res.Header.Set("X-Redirect-By", "WordPress")
		res.Header.Set("Location", scheme+"://"+hostOnly(host)+target)
		return res
	}
	res.Header.Set("Link", "<"+place.Links.RESTRoot+`>; rel="https://api.w.org/"`)
	if !place.Site.APIDisabled() {
		res.Header.Set("X-TEC-API-Version", "v1")
		res.Header.Set("X-TEC-API-Root", place.Links.RESTRoot+s.cfg.Namespace+"/")
		res.Header.Set("X-TEC-API-Origin", home)
	}
	res.Body = []byte("<!DOCTYPE html>\n<title>404</title>\n")
	return res
}

// hostOnly returns the host of an address without its scheme.
func hostOnly(address string) string {
	host, _, _ := strings.Cut(address, "/")
	return host
}
