package rest

import (
	"net/http"
	"strconv"
	"strings"

	"calbridge/rest/answers"
	"calbridge/rest/fields"
	"calbridge/rest/phpjson"
	"calbridge/rest/wptext/escape"
	"calbridge/wpstore/php"
)

// response is what a handler returns: the JSON of the data, headers of its own,
// and links to append.
type response struct {
	status  int // 0 is 200
	body    []byte
	headers []header
	// links become the last member, behind any filtering by _fields.
	links *php.Array
}

// header is one header that an endpoint sets. Integers stay integers in an
// envelope.
type header struct {
	name  string
	value php.Value
}

// totals are the headers of every list.
func totals(total, pages int64) []header {
	return []header{{"X-TEC-Total", total}, {"X-TEC-TotalPages", pages}}
}

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
	p.header.Set("Content-Type", "application/json; charset="+c.site.facts.BlogCharset)
	p.header.Set("X-Robots-Tag", "noindex")
	p.header.Set("Link", "<"+c.links.restRoot+`>; rel="https://api.w.org/"`)
	p.header.Set("X-Content-Type-Options", "nosniff")
}

// common sets the headers that follow once the JSONP callback is accepted.
func (p *reply) common() {
	p.header.Set("Access-Control-Expose-Headers", "X-WP-Total, X-WP-TotalPages, Link")
	p.header.Set("Access-Control-Allow-Headers", "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type")
}

// checkCallback reads _jsonp: a name of letters, digits, underscores and dots.
func (c *call) checkCallback() error {
	v := c.req.query.At("_jsonp")
	if php.Empty(v) {
		return nil
	}
	c.reply.header.Set("Content-Type", "application/javascript; charset="+c.site.facts.BlogCharset)
	name, ok := v.(string)
	if !ok || strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '.')
	}) {
		return fail("rest_callback_invalid")
	}
	c.reply.callback = name
	return nil
}

// finish turns a handler's response into the reply.
func (c *call) finish(res *response) error {
	if res.status == 0 {
		res.status = http.StatusOK
	}
	if err := c.addAllow(res); err != nil {
		return err
	}
	body := res.body
	filter := c.req.get("_fields")
	if res.status < 400 && !php.Empty(filter) {
		data, err := phpjson.Reparse(body)
		if err != nil {
			return wrap("filter fields", err)
		}
		body = phpjson.Append(nil, fields.Apply(fields.Parse(filter), data))
	}
	if res.links.Len() > 0 {
		body = appendMember(body, "_links", res.links)
	}
	c.reply.send(res.status, body, res.headers)
	return nil
}

// finishError answers with an error. Errors that come before routing have no
// Allow header, and a refused JSONP callback not even the common ones.
func (c *call) finishError(e *Error) {
	p := &c.reply
	if p.header == nil { // failed before the site was known
		p.header = http.Header{}
		p.header.Set("Content-Type", "application/json; charset=UTF-8")
		p.call = c
	}
	p.code, p.cause = e.Code, e.Cause
	res := &response{status: e.Status, body: phpjson.Append(nil, e.body(c.wording))}
	if e.RetryAfter > 0 {
		p.header.Set("Retry-After", strconv.Itoa(e.RetryAfter))
	}
	if errorTable[e.Code].bare {
		p.status, p.body = res.status, res.body
		return
	}
	if c.route != nil && e.Status != http.StatusServiceUnavailable {
		if err := c.addAllow(res); err != nil {
			c.srv.cfg.Logger.Warn("no Allow header", "err", err)
		}
	}
	p.send(res.status, res.body, res.headers)
}

// addAllow appends the methods of the matched route that this user may use.
func (c *call) addAllow(res *response) error {
	if c.route == nil {
		return nil
	}
	allow, err := c.allow(c.route)
	if err == nil && allow != "" {
		res.headers = append(res.headers, header{"Allow", allow})
	}
	return err
}

func (c *call) allow(rt *route) (string, error) {
	var methods []string
	for i := range rt.endpoints {
		ep := &rt.endpoints[i]
		if ep.allowed != nil {
			ok, err := ep.allowed(c)
			if err != nil {
				return "", err
			}
			if !ok {
				continue
			}
		}
		methods = append(methods, ep.methods...)
	}
	return strings.Join(methods, ", "), nil
}

// send envelopes, prettifies and wraps the body and sets the remaining headers.
func (p *reply) send(status int, body []byte, headers []header) {
	c := p.call
	p.status, p.body = status, body
	if _, envelope := c.query("_envelope"); envelope {
		p.body, p.status = enveloped(status, body, headers), http.StatusOK
	} else {
		for _, h := range headers {
			p.header.Set(h.name, php.ToString(h.value))
		}
	}
	if c.req != nil && c.req.has("_pretty") {
		p.body = phpjson.Indent(nil, p.body)
	}
	if p.callback != "" {
		p.body = append(append([]byte("/**/"+p.callback+"("), p.body...), ')')
	}
	if c.freshNonce != "" {
		p.header.Set("X-WP-Nonce", c.freshNonce)
	}
	if c.user.ID != 0 || p.code == "rest_cookie_invalid_nonce" || c.req != nil && c.req.headerOverride && status >= 400 && status < 500 {
		p.header.Set("Expires", "Wed, 11 Jan 1984 05:00:00 GMT")
		p.header.Set("Cache-Control", "no-cache, must-revalidate, max-age=0, no-store, private")
	}
	p.crossOrigin = c.req != nil
	if p.lasting = status == http.StatusOK && c.anonymous(); p.lasting && !c.exact() {
		if at := lastModified(c.modified); at != "" {
			p.header.Set("Last-Modified", at)
		}
	}
}

func (c *call) query(name string) (php.Value, bool) {
	if c.req == nil {
		return nil, false
	}
	return c.req.query.Lookup(name)
}

// anonymous says that nothing but the URL decides the answer to a reading request.
func (c *call) anonymous() bool {
	return c.req != nil && c.route != nil && c.user.ID == 0 && c.login == noLogin && !c.cookieUser && c.freshNonce == "" && (c.postPassCookie == "" || !c.cookieMatters) &&
		(c.req.method == http.MethodGet || c.req.method == http.MethodHead) && !c.req.headerOverride
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

func enveloped(status int, body []byte, headers []header) []byte {
	out := append([]byte(`{"body":`), body...)
	out = append(out, `,"status":`...)
	out = strconv.AppendInt(out, int64(status), 10)
	out = append(out, `,"headers":`...)
	set := &php.Array{}
	for _, h := range headers {
		set.SetString(h.name, h.value)
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
