package rest

import (
	"context"
	"net/netip"
	"strconv"
	"strings"

	"calbridge/wpstore/php"
)

// image accepts the id of an attachment that is an image, or the URL of one.
func image(ctx context.Context, r *Routed, v php.Value) (bool, *Error, error) {
	if url, ok := v.(string); ok && !php.IsNumeric(v) {
		ok, err := r.Pictures.Accept(ctx, url)
		return ok, nil, err
	}
	if !php.IsNumeric(v) {
		return false, nil, nil
	}
	heads, err := r.Store.PostHeads(ctx, []int64{php.ToInt(v)})
	head, ok := heads[php.ToInt(v)]
	return ok && head.Type == "attachment" && strings.HasPrefix(head.MimeType, "image/"), nil, err
}

func imageOrEmpty(ctx context.Context, r *Routed, v php.Value) (bool, *Error, error) {
	if php.Empty(v) {
		return true, nil, nil
	}
	return image(ctx, r, v)
}

// isURL is PHP's FILTER_VALIDATE_URL: printable ASCII, with a scheme, and for http
// and https with a host whose labels are well formed.
func isURL(v php.Value) bool {
	s, ok := v.(string)
	if !ok {
		return false
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return false
		}
	}
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || !isScheme(scheme) {
		return false
	}
	switch scheme {
	case "mailto", "news", "file":
		return true
	}
	rest, ok = strings.CutPrefix(rest, "//")
	if !ok {
		return false
	}
	host := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host = rest[:i]
	}
	host, ok = withoutUserAndPort(host)
	if !ok || host == "" {
		return false
	}
	return scheme != "http" && scheme != "https" || isHostname(host)
}

func isScheme(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.') {
			return false
		}
	}
	return s != ""
}

// withoutUserAndPort cuts the host out of the authority of a URL; false for a port
// that is none.
func withoutUserAndPort(authority string) (string, bool) {
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		authority = authority[i+1:]
	}
	if strings.HasPrefix(authority, "[") {
		host, port, ok := strings.Cut(authority[1:], "]")
		_, err := netip.ParseAddr(host)
		return host, ok && err == nil && (port == "" || isPort(strings.TrimPrefix(port, ":")))
	}
	host, port, ok := strings.Cut(authority, ":")
	return host, !ok || port == "" || isPort(port)
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0
}

func isHostname(host string) bool {
	if strings.Contains(host, ":") { // an IPv6 address
		return true
	}
	host = strings.TrimSuffix(host, ".")
	if host == "" || len(host) > 253 {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			c := label[i] | 0x20
			if !(c >= 'a' && c <= 'z' || label[i] >= '0' && label[i] <= '9' || label[i] == '-') {
				return false
			}
		}
	}
	return true
}

// linked accepts what an event may link to as a venue or an organizer: nothing,
// existing ids, or data from which one can be created.
func linked(kind *postKind) validator {
	return func(ctx context.Context, r *Routed, v php.Value) (bool, *Error, error) {
		arr, isArray := v.(*php.Array)
		if php.Empty(v) || isArray && allEmpty(arr) {
			return true, nil, nil
		}
		var entries []php.Value
		switch {
		case !isArray:
			for _, piece := range splitCommas(php.ToString(v)) {
				entries = append(entries, piece)
			}
		case arr.IsList():
			entries = arr.Values()
		default:
			entries = []php.Value{arr}
		}
		for _, entry := range entries {
			ok, err := linkedEntry(ctx, r, kind, entry)
			if !ok || err != nil {
				return false, nil, err
			}
		}
		return true, nil, nil
	}
}

func linkedEntry(ctx context.Context, r *Routed, kind *postKind, entry php.Value) (bool, error) {
	data, isArray := entry.(*php.Array)
	if !isArray {
		ok, _, err := postID(kind)(ctx, r, entry)
		return ok, err
	}
	if id := data.At("id"); !php.Empty(id) {
		ok, _, err := postID(kind)(ctx, r, id)
		return ok, err
	}
	create := venueCreateArgs
	if kind == organizerKind {
		create = organizerCreateArgs
	}
	for _, a := range create {
		v := data.At(a.name)
		if v == nil {
			if a.required {
				return false, nil
			}
			continue
		}
		if a.valid == nil {
			continue
		}
		if ok, _, err := a.valid(ctx, r, v); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

func allEmpty(a *php.Array) bool {
	for _, v := range a.All() {
		if !php.Empty(v) {
			return false
		}
	}
	return true
}
