package rest

import (
	"context"
	"html"
	"net/http"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
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
