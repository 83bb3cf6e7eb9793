package rest

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/trait"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/php"
)

// prelude is the part of a response that is fixed before its handler runs.
type prelude struct {
	header    http.Header // nil while the site is unknown
	callback  string      // JSONP
	rendering api.Rendering
}

// begin sets the headers of every REST response, and reads the parameter _jsonp: a name of letters,
// digits, underscores and dots.
func (d *prelude) begin(req *api.Request, place *wpsite.Place) error {
	charset := place.Site.Facts.BlogCharset
	fixed := [...][2]string{
		{"Content-Type", "application/json; charset=" + charset},
		{"X-Robots-Tag", "noindex"},
		{"Link", "<" + place.Links.RESTRoot + `>; rel="https://api.w.org/"`},
		{"X-Content-Type-Options", "nosniff"},
		{"Access-Control-Expose-Headers", "X-WP-Total, X-WP-TotalPages, Link"},
		{"Access-Control-Allow-Headers", "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type"},
	}
	values := make([]string, len(fixed)) // of all headers, in one piece
	d.header = make(http.Header, len(fixed)+roomForHeaders)
	set := func(first, last int) {
		for i, h := range fixed[first:last] {
			at := first + i
			values[at] = h[1]
			d.header[h[0]] = values[at : at+1 : at+1]
		}
	}
	const always = 4 // a refused callback leaves out the others
	set(0, always)
	if v := req.Query.At("_jsonp"); !php.Empty(v) {
		d.header.Set("Content-Type", "application/javascript; charset="+charset)
		name, ok := v.(string)
		if !ok || strings.ContainsFunc(name, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '.')
		}) {
			return api.Fail("rest_callback_invalid")
		}
		d.callback = name
	}
	set(always, len(fixed))
	return nil
}

// roomForHeaders is the number of headers that most responses have besides: totals, Allow and
// Last-Modified.
const roomForHeaders = 4

// finish returns the response to a request whose handler has returned a result.
func (s *Server) finish(ctx context.Context, x *exchange, result *api.Result) (*api.Response, error) {
	if result.Status == 0 {
		result.Status = http.StatusOK
	}
	if err := addAllow(ctx, &x.req, result); err != nil {
		return nil, err
	}
	filter := x.req.Get("_fields")
	if result.ContentType == "" && result.Status < 400 && !php.Empty(filter) {
		data, err := phpjson.Reparse(result.Body)
		if err != nil {
			return nil, fmt.Errorf("filter fields: %w", err)
		}
		result.Body = phpjson.Append(nil, api.ApplyFields(api.ParseFields(filter), data))
	}
	if result.Links.Len() > 0 {
		result.Body = appendMember(result.Body, "_links", result.Links)
	}
	return s.complete(ctx, x, result, api.Failure{}), nil
}

// refusal returns the response for an error. Errors before routing have no Allow header, and a
// refused JSONP callback lacks even the common headers.
func (s *Server) refusal(ctx context.Context, x *exchange, e *api.Error) *api.Response {
	if x.answer.header == nil { // failed before the site was known
		x.answer.header = bareHeader()
	}
	if e.RetryAfter > 0 {
		x.answer.header.Set("Retry-After", strconv.Itoa(e.RetryAfter))
	}
	result := &api.Result{Status: e.Status, Body: phpjson.Append(nil, e.Body(x.req.Place.Words)), Rendering: x.answer.rendering}
	failure := api.Failure{Code: e.Code, Cause: e.Cause}
	if e.Bare {
		return &api.Response{Status: result.Status, Body: result.Body, Rendering: result.Rendering, Header: x.answer.header, HeadOnly: x.headOnly(), Failure: failure}
	}
	whole := ctx.Err() == nil
	if x.req.Route != nil && e.Status != http.StatusServiceUnavailable && whole {
		if err := addAllow(ctx, &x.req, result); err != nil {
			s.cfg.Logger.Warn("no Allow header", "err", err)
			whole = false
		}
	}
	res := s.complete(ctx, x, result, failure)
	res.Repeats = res.Repeats && whole
	return res
}

// refusalInstead returns the refusal of a request whose finished response can't be sent.
func (s *Server) refusalInstead(ctx context.Context, x *exchange, e *api.Error) *api.Response {
	_ = x.answer.begin(x.req.Request, &x.place) // it didn't fail for the finished response
	return s.refusal(ctx, x, e)
}

// bareError returns the response for an error of a request of which nothing is known.
func bareError(e *api.Error, words *api.Wording) *api.Response {
	return &api.Response{Status: e.Status, Header: bareHeader(), Body: phpjson.Append(nil, e.Body(words))}
}

func bareHeader() http.Header {
	return http.Header{"Content-Type": {"application/json; charset=UTF-8"}}
}

// addAllow adds the header that lists the methods of the matched route for this user.
func addAllow(ctx context.Context, req *wprest.Request, result *api.Result) error {
	if req.Route == nil {
		return nil
	}
	allow, err := req.Allow(ctx)
	if err == nil && allow != "" {
		result.Fields = append(result.Fields, api.Header{Name: "Allow", Value: allow})
	}
	return err
}

// setNoCache sets the headers with which WordPress keeps a response out of caches: nocache_headers,
// since WordPress 6.3.
func setNoCache(header http.Header) {
	header.Set("Expires", "Wed, 11 Jan 1984 05:00:00 GMT")
	header.Set("Cache-Control", "no-cache, must-revalidate, max-age=0, no-store, private")
}

// complete returns the response with a result: the body in its envelope, indented or wrapped, and
// all headers.
func (s *Server) complete(ctx context.Context, x *exchange, result *api.Result, failure api.Failure) *api.Response {
	req, id, header := x.req.Request, &x.identity, x.answer.header
	isJSON := result.ContentType == ""
	envelope := false
	if req != nil && isJSON {
		_, envelope = req.Query.Lookup("_envelope")
	}
	status, body := result.Status, result.Body
	if envelope {
		status, body = http.StatusOK, enveloped(status, body, result.Fields)
	} else {
		for _, h := range result.Fields {
			header.Set(h.Name, php.ToString(h.Value))
		}
	}
	if req != nil {
		_ = x.readJSON(ctx) // a request refused before its body was read may want a prettified response
	}
	if req != nil && isJSON && req.Has("_pretty") {
		body = phpjson.Indent(nil, body)
	}
	if !isJSON {
		header.Set("Content-Type", result.ContentType)
	} else if x.answer.callback != "" {
		body = append(append([]byte("/**/"+x.answer.callback+"("), body...), ')')
	}
	if id.FreshNonce != "" {
		header.Set("X-WP-Nonce", id.FreshNonce)
	}
	if id.User.ID != 0 || failure.Code == "rest_cookie_invalid_nonce" || req != nil && req.HeaderOverride && result.Status >= 400 && result.Status < 500 {
		setNoCache(header)
		if site := x.place.Site; site != nil && site.Traits.Has(trait.ErrorsMayBeStored) && id.User.ID == 0 && !id.CookieUser {
			header.Set("Cache-Control", "no-cache, must-revalidate, max-age=0")
		}
	}
	if req != nil && req.Overridden() && !s.cfg.Compat.Exact() && header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "no-store") // a cache knows only the URL and the real method
	}
	if result.NoStore {
		header.Set("Cache-Control", "no-store")
	}
	repeats := !result.NoStore && x.urlDecides(result.Rendering.CookieMatters) && (result.Status == http.StatusOK || refusesAgain(result.Status, failure))
	res := &api.Response{
		Status: status, Header: header, Body: body, Buffer: result.Buffer, Stream: result.Stream, Endless: result.Endless,
		Rendering: x.timed(result.Rendering), HeadOnly: x.headOnly(), Anonymous: x.anonymous(),
		Shared: repeats && result.Status == http.StatusOK, Repeats: repeats,
		Failure: failure,
	}
	if req != nil {
		res.CrossOrigin = x.req.Table.CrossOrigin
	}
	if res.Stream != nil {
		res.Streamed = &result.Rendering
	}
	if res.Shared && !s.cfg.Compat.Exact() {
		if at := lastModified(res.Modified); at != "" {
			header.Set("Last-Modified", at)
		}
	}
	return res
}

// refusesAgain reports whether a refusal is decided by the request and the rows, and not by what
// happens to the server.
func refusesAgain(status int, failure api.Failure) bool {
	return slices.Contains([]int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound}, status) && failure.Code != "" && failure.Cause == nil
}

// timed adds how long a response is valid, by the questions that the clock was asked.
func (x *exchange) timed(l api.Rendering) api.Rendering {
	l.Timely, l.Until = l.Timely || x.clock.Asked, x.clock.Until
	return l
}

// anonymous reports that no user was authenticated, not even by cookie.
func (x *exchange) anonymous() bool { return x.identity.User.ID == 0 && !x.identity.CookieUser }

// urlDecides reports whether the response to a reading request depends only on the URL.
func (x *exchange) urlDecides(cookieMatters bool) bool {
	req := x.req.Request
	return req != nil && (x.req.Route != nil || x.export != "") && x.identity.Anonymous() && (x.identity.PostPassCookie == "" || !cookieMatters) &&
		(req.Method == http.MethodGet || req.Method == http.MethodHead) && !req.Overridden()
}

// lastModified formats a stored date in UTC for HTTP; "" for an invalid date.
func lastModified(stored string) string {
	t, err := time.Parse(api.MySQLTime, stored)
	if err != nil {
		return ""
	}
	return t.Format(http.TimeFormat)
}

// enveloped wraps a body in the JSON that the parameter _envelope requests.
func enveloped(status int, body []byte, headers []api.Header) []byte {
	out := append([]byte(`{"body":`), body...)
	out = append(out, `,"status":`...)
	out = strconv.AppendInt(out, int64(status), 10)
	out = append(out, `,"headers":`...)
	set := &php.Array{}
	for _, h := range headers {
		set.SetString(h.Name, h.Value)
	}
	return append(phpjson.Append(out, set), '}')
}

// appendMember adds a last member to a JSON object. An empty list, as PHP writes an empty
// map, becomes an object.
func appendMember(body []byte, name string, v php.Value) []byte {
	out := make([]byte, 0, len(body)+256)
	if len(body) <= 2 {
		out = append(out, '{')
	} else {
		out = append(append(out, body[:len(body)-1]...), ',')
	}
	out = phpjson.AppendString(out, name)
	out = append(out, ':')
	return append(phpjson.Append(out, v), '}')
}
