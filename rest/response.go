package rest

import (
	"net/http"
	"strconv"
	"strings"

	"calbridge/rest/answers"
	"calbridge/rest/api"
	"calbridge/rest/fields"
	"calbridge/rest/phpjson"
	"calbridge/rest/routes"
	"calbridge/rest/wptext/escape"
	"calbridge/wpstore/php"
)

// reply is the finished answer.
type reply struct {
	header   http.Header
	status   int
	body     []byte
	code     string // public code of an error
	cause    error
	panicked bool

	call     *call
	callback string // JSONP
	// crossOrigin: the headers that answer an Origin belong to the answer.
	crossOrigin bool
	// lasting: the answer is one to an anonymous GET that went well.
	lasting bool
	// kept is the same answer for those who ask next, nil where it is not kept.
	kept *answers.Answer
}

// start sets the headers that every REST answer carries.
func (p *reply) start(c *call) {
	p.call = c
	p.header = http.Header{}
	p.header.Set("Content-Type", "application/json; charset="+c.req.Place.Site.Facts.BlogCharset)
	p.header.Set("X-Robots-Tag", "noindex")
	p.header.Set("Link", "<"+c.req.Place.Links.RESTRoot+`>; rel="https://api.w.org/"`)
	p.header.Set("X-Content-Type-Options", "nosniff")
}

// common sets the headers that follow once the JSONP callback is accepted.
func (p *reply) common() {
	p.header.Set("Access-Control-Expose-Headers", "X-WP-Total, X-WP-TotalPages, Link")
	p.header.Set("Access-Control-Allow-Headers", "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type")
}

// checkCallback reads _jsonp: a name of letters, digits, underscores and dots.
func (c *call) checkCallback() error {
	v := c.req.Query.At("_jsonp")
	if php.Empty(v) {
		return nil
	}
	c.reply.header.Set("Content-Type", "application/javascript; charset="+c.req.Place.Site.Facts.BlogCharset)
	name, ok := v.(string)
	if !ok || strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '.')
	}) {
		return api.Fail("rest_callback_invalid")
	}
	c.reply.callback = name
	return nil
}

// finish turns a handler's response into the reply.
func (c *call) finish(res *api.Response) error {
	if res.Status == 0 {
		res.Status = http.StatusOK
	}
	if err := c.addAllow(res); err != nil {
		return err
	}
	body := res.Body
	filter := c.req.Get("_fields")
	if res.Status < 400 && !php.Empty(filter) {
		data, err := phpjson.Reparse(body)
		if err != nil {
			return api.Wrap("filter fields", err)
		}
		body = phpjson.Append(nil, fields.Apply(fields.Parse(filter), data))
	}
	if res.Links.Len() > 0 {
		body = appendMember(body, "_links", res.Links)
	}
	c.reply.send(res.Status, body, res.Fields)
	return nil
}

// finishError answers with an error. Errors that come before routing have no
// Allow header, and a refused JSONP callback not even the common ones.
func (c *call) finishError(e *api.Error) {
	p := &c.reply
	if p.header == nil { // failed before the site was known
		p.header = http.Header{}
		p.header.Set("Content-Type", "application/json; charset=UTF-8")
		p.call = c
	}
	p.code, p.cause = e.Code, e.Cause
	res := &api.Response{Status: e.Status, Body: phpjson.Append(nil, e.Body(c.req.Place.Words))}
	if e.RetryAfter > 0 {
		p.header.Set("Retry-After", strconv.Itoa(e.RetryAfter))
	}
	if e.Bare() {
		p.status, p.body = res.Status, res.Body
		return
	}
	if c.req.Route != nil && e.Status != http.StatusServiceUnavailable {
		if err := c.addAllow(res); err != nil {
			c.srv.cfg.Logger.Warn("no Allow header", "err", err)
		}
	}
	p.send(res.Status, res.Body, res.Fields)
}

// addAllow appends the methods of the matched route that this user may use.
func (c *call) addAllow(res *api.Response) error {
	if c.req.Route == nil {
		return nil
	}
	allow, err := c.allow(c.req.Route)
	if err == nil && allow != "" {
		res.Fields = append(res.Fields, api.Header{Name: "Allow", Value: allow})
	}
	return err
}

func (c *call) allow(rt *routes.Route) (string, error) {
	var methods []string
	for i := range rt.Endpoints {
		ep := &rt.Endpoints[i]
		if ep.Allowed != nil {
			ok, err := ep.Allowed(c.ctx, &c.req)
			if err != nil {
				return "", err
			}
			if !ok {
				continue
			}
		}
		methods = append(methods, ep.Methods...)
	}
	return strings.Join(methods, ", "), nil
}

// send envelopes, prettifies and wraps the body and sets the remaining headers.
func (p *reply) send(status int, body []byte, headers []api.Header) {
	c := p.call
	p.status, p.body = status, body
	if _, envelope := c.query("_envelope"); envelope {
		p.body, p.status = enveloped(status, body, headers), http.StatusOK
	} else {
		for _, h := range headers {
			p.header.Set(h.Name, php.ToString(h.Value))
		}
	}
	if c.req.Request != nil && c.req.Has("_pretty") {
		p.body = phpjson.Indent(nil, p.body)
	}
	if p.callback != "" {
		p.body = append(append([]byte("/**/"+p.callback+"("), p.body...), ')')
	}
	if c.freshNonce != "" {
		p.header.Set("X-WP-Nonce", c.freshNonce)
	}
	if c.req.Viewer.User.ID != 0 || p.code == "rest_cookie_invalid_nonce" || c.req.Request != nil && c.req.HeaderOverride && status >= 400 && status < 500 {
		p.header.Set("Expires", "Wed, 11 Jan 1984 05:00:00 GMT")
		p.header.Set("Cache-Control", "no-cache, must-revalidate, max-age=0, no-store, private")
	}
	p.crossOrigin = c.req.Request != nil
	if p.lasting = status == http.StatusOK && c.anonymous(); p.lasting && !c.req.Place.Site.Compat.Exact() {
		if at := lastModified(c.learned.Modified); at != "" {
			p.header.Set("Last-Modified", at)
		}
	}
}

func (c *call) query(name string) (php.Value, bool) {
	if c.req.Request == nil {
		return nil, false
	}
	return c.req.Query.Lookup(name)
}

// anonymous says that nothing but the URL decides the answer to a reading request.
func (c *call) anonymous() bool {
	return c.req.Request != nil && c.req.Route != nil && c.req.Viewer.User.ID == 0 && c.login == noLogin && !c.cookieUser && c.freshNonce == "" && (c.req.Viewer.PostPassCookie == "" || !c.learned.CookieMatters) &&
		(c.req.Method == http.MethodGet || c.req.Method == http.MethodHead) && !c.req.HeaderOverride
}

// answerOrigin answers the Origin header, any origin, as WordPress does; without one
// the answers to anonymous GETs say that they vary by it.
func answerOrigin(h http.Header, origin string, anonymousGET bool) {
	if origin == "" {
		if anonymousGET {
			h["Vary"] = []string{"Origin"}
		}
		return
	}
	if origin != "null" {
		origin = escape.URL(origin, false)
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Methods", "OPTIONS, GET, POST, PUT, PATCH, DELETE")
	h.Set("Access-Control-Allow-Credentials", "true")
	h.Set("Vary", "Origin")
}

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

// appendMember adds a last member to a JSON object. An empty list, which is what
// an empty map looks like, becomes an object.
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

// json makes v the body of a reply that has no headers of its own yet.
func (p *reply) json(v php.Value) {
	p.header = http.Header{"Content-Type": {"application/json; charset=UTF-8"}}
	p.body = phpjson.Append(nil, v)
}

// notREST is the answer to everything outside the REST API.
func (p *reply) notREST() {
	p.header = http.Header{"Content-Type": {"text/plain; charset=utf-8"}, "X-Content-Type-Options": {"nosniff"}}
	p.status, p.body = http.StatusNotFound, []byte("404 page not found\n")
}
