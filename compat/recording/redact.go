package recording

import (
	"maps"
	"slices"
	"strings"
)

// Redacted stands in a stored exchange where a credential was.
const Redacted = "(redacted)"

// SecretHeader reports whether a header carries credentials.
func SecretHeader(name string) bool { return secretHeaders[strings.ToLower(name)] }

// secretHeaders carry credentials, in requests or in answers.
var secretHeaders = map[string]bool{
	"authorization": true, "proxy-authorization": true, "cookie": true, "set-cookie": true, "x-wp-nonce": true,
}

// Redact gives a copy of the exchange without what could be used to log in:
// credentials, cookies and nonces in headers and in the query, and the given
// texts wherever they stand. Names of cookies stay, their values go.
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
	for name, values := range out.Response.Headers {
		if secretHeaders[name] {
			hidden := make(HeaderValues, len(values))
			for i, value := range values {
				hidden[i] = redactCookie(name, value)
			}
			out.Response.Headers[name] = hidden
			if !slices.Contains(out.Noise, "headers."+name) {
				out.Noise = append(slices.Clone(out.Noise), "headers."+name)
			}
		}
	}
	for _, secret := range secrets {
		if secret != "" {
			out.Response.Body = strings.ReplaceAll(out.Response.Body, secret, Redacted)
		}
	}
	return &out
}

func redactCookie(header, value string) string {
	name, rest, found := strings.Cut(value, "=")
	if header != "set-cookie" || !found {
		return Redacted
	}
	if _, attributes, more := strings.Cut(rest, ";"); more {
		return name + "=" + Redacted + ";" + attributes
	}
	return name + "=" + Redacted
}

// RedactQuery hides the nonce in a query.
func RedactQuery(path string) string { return redactArgument(path, "_wpnonce") }

// RedactPasswords hides the passwords of protected posts. In recordings that are
// made on purpose they stay, for they are the recording's own.
func RedactPasswords(path string) string { return redactArgument(path, "password") }

func redactArgument(path, argument string) string {
	base, query, found := strings.Cut(path, "?")
	if !found || !strings.Contains(query, argument+"=") {
		return path
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		if name, value, _ := strings.Cut(pair, "="); name == argument && value != "" {
			pairs[i] = name + "=" + Redacted
		}
	}
	return base + "?" + strings.Join(pairs, "&")
}

// RedactedRequest reports whether the request was sent with a credential that the
// recording does not have any more, so that it cannot be sent again.
func RedactedRequest(r Request) bool {
	for name, value := range r.Headers {
		if SecretHeader(name) && value == Redacted {
			return true
		}
	}
	return strings.Contains(r.Path, "_wpnonce="+Redacted) || strings.Contains(r.Path, "password="+Redacted)
}
