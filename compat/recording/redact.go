package recording

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Redacted replaces credentials in a stored exchange.
const Redacted = "(redacted)"

// SecretHeader reports whether a header carries credentials.
func SecretHeader(name string) bool { return secretHeaders[strings.ToLower(name)] }

// secretHeaders are headers that carry credentials, in requests or answers.
var secretHeaders = map[string]bool{
	"authorization": true, "proxy-authorization": true, "cookie": true, "set-cookie": true, "x-wp-nonce": true,
}

// Redact returns a copy of the exchange without anything that could be used to log in:
// credentials, cookies and nonces in headers and in the query, and the given texts
// wherever they occur. Names of cookies stay, their values are removed. The result for
// the same exchange is always the same.
func Redact(x *Exchange, secrets []string) *Exchange {
	out := *x
	out.Request.Headers = maps.Clone(x.Request.Headers)
	for name, value := range out.Request.Headers {
		if SecretHeader(name) && value != "" {
			out.Request.Headers[name] = Redacted
		}
	}
	out.Request.Path = RedactQuery(x.Request.Path)
	out.Response.Headers = maps.Clone(x.Response.Headers)
	out.Noise = slices.Clone(x.Noise)
	for _, name := range slices.Sorted(maps.Keys(x.Response.Headers)) {
		if !SecretHeader(name) {
			continue
		}
		var redacted HeaderValues
		for _, value := range x.Response.Headers[name] {
			redacted = append(redacted, redactCookie(name, value))
		}
		out.Response.Headers[name] = redacted
		if rule := "headers." + name; !slices.Contains(out.Noise, rule) {
			out.Noise = append(out.Noise, rule)
		}
	}
	for _, secret := range secrets {
		if secret != "" {
			out.Response.Body = strings.ReplaceAll(out.Response.Body, secret, Redacted)
		}
	}
	return &out
}

// RedactLive redacts exchanges with other people's requests. In addition to Redact it
// hides the passwords of protected posts. Deliberate recordings keep those passwords,
// because they are the recording's own.
func RedactLive(x *Exchange) *Exchange {
	out := Redact(x, nil)
	out.Request.Path = redactArgument(out.Request.Path, "password")
	return out
}

// redacted returns the entry without credentials.
func (e Entry) redacted() Entry {
	switch {
	case e.Exchange != nil:
		e.Exchange = Redact(e.Exchange, nil)
	case e.Case != nil:
		e.Case = e.Case.redacted()
	}
	return e
}

func (c *Case) redacted() *Case {
	out := *c
	out.Steps = slices.Clone(c.Steps)
	for i := range out.Steps {
		x := Redact(c.Exchange(i), nil)
		out.Steps[i].Request, out.Steps[i].Response, out.Steps[i].Noise = x.Request, x.Response, x.Noise
	}
	return &out
}

func redactCookie(header, value string) string {
	name, rest, found := strings.Cut(value, "=")
	if header != "set-cookie" || !found {
		return Redacted
	}
	_, attributes, more := strings.Cut(rest, ";")
	if more {
		attributes = ";" + attributes
	}
	return name + "=" + Redacted + attributes
}

// RedactQuery hides the nonce in a query.
func RedactQuery(path string) string { return redactArgument(path, "_wpnonce") }

func redactArgument(path, argument string) string {
	return RedactArguments(path, func(name string) bool { return name != argument })
}

// RedactArguments hides the values of a query's unknown arguments, which may be secrets.
// Names are those that PHP reads, without the brackets of arrays.
func RedactArguments(path string, known func(name string) bool) string {
	base, query, found := strings.Cut(path, "?")
	if !found {
		return path
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		raw, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(raw)
		name, _, _ = strings.Cut(strings.TrimLeft(name, " "), "[")
		if value != "" && (err != nil || !known(name)) {
			pairs[i] = raw + "=" + Redacted
		}
	}
	return base + "?" + strings.Join(pairs, "&")
}

// RedactedRequest reports whether the request cannot be sent again because a credential
// was removed from it.
func RedactedRequest(r Request) bool {
	for name, value := range r.Headers {
		if SecretHeader(name) && value == Redacted {
			return true
		}
	}
	return strings.Contains(r.Path, "_wpnonce="+Redacted) || strings.Contains(r.Path, "password="+Redacted)
}
