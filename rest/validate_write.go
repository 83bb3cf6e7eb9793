package rest

import (
	"net/url"
	"strings"

	"calbridge/wpstore/php"
)

// image accepts the id of an attachment that is an image.
func image(c *call, v php.Value) (bool, *Error, error) {
	if !php.IsNumeric(v) {
		return false, nil, nil
	}
	heads, err := c.srv.store.PostHeads(c.ctx, []int64{php.ToInt(v)})
	head, ok := heads[php.ToInt(v)]
	return ok && head.Type == "attachment" && strings.HasPrefix(head.MimeType, "image/"), nil, err
}

func imageOrEmpty(c *call, v php.Value) (bool, *Error, error) {
	if php.Empty(v) {
		return true, nil, nil
	}
	return image(c, v)
}

// isURL is PHP's FILTER_VALIDATE_URL: ASCII, with a scheme, and for http and
// https with a host whose labels are well formed.
func isURL(v php.Value) bool {
	s, ok := v.(string)
	if !ok {
		return false
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f || strings.IndexByte("\"<>^`{}|\\", s[i]) >= 0 {
			return false
		}
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" {
		return false
	}
	switch u.Scheme {
	case "mailto", "news", "file":
		return true
	case "http", "https":
		return isHostname(u.Hostname())
	}
	return u.Host != ""
}

func isHostname(host string) bool {
	if strings.Contains(host, ":") { // an IPv6 address that url.Parse has read
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
	return func(c *call, v php.Value) (bool, *Error, error) {
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
			ok, err := c.linkedEntry(kind, entry)
			if !ok || err != nil {
				return false, nil, err
			}
		}
		return true, nil, nil
	}
}

func (c *call) linkedEntry(kind *postKind, entry php.Value) (bool, error) {
	data, isArray := entry.(*php.Array)
	if !isArray {
		ok, _, err := postID(kind)(c, entry)
		return ok, err
	}
	if id := data.At("id"); !php.Empty(id) {
		ok, _, err := postID(kind)(c, id)
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
		if ok, _, err := a.valid(c, v); !ok || err != nil {
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
