package exporturl

import (
	"strconv"
	"strings"
)

// canonical sets the address that WordPress redirects to if the page exists.
func (r *Request) canonical(s *Site, p *page, path string, index bool) {
	if !s.Pretty {
		return
	}
	query := r.Query
	target := path
	switch {
	case strings.Contains(path, "//"):
		target = s.withSlash(squeezed(path))
		r.Kind, r.Always = Missing, true
	case index:
		target, r.Always = "/", true
	case p.again:
		target = s.withSlash(path[:strings.LastIndexByte(strings.TrimRight(path, "/"), '/')])
	case p.kind == Missing:
		return
	case p.kind != Home:
		target = s.withSlash(path)
	case path == "" && s.Slash:
		target = "/"
	}
	if n := r.Paged; r.pagedInQuery(p) && n > 0 {
		query = withoutArguments(query, "paged")
		if n > 1 {
			target = s.withSlash(strings.TrimRight(target, "/") + "/page/" + strconv.FormatInt(n, 10))
		}
	}
	if p.kind == Event && !p.again {
		if stripped := withoutArguments(query, "page"); strings.Contains("&"+query, "&page=") {
			query = stripped
		}
	}
	if target == path && query == r.Query && !index {
		return
	}
	r.Canonical = Join(target, query)
}

// pagedInQuery reports whether the number of the page is in the query, where WordPress wants
// it in the path.
func (r *Request) pagedInQuery(p *page) bool {
	return p.kind == Archive && p.number == 0 && r.Paged > 0
}

// Without returns the query without some of its arguments.
func (r *Request) Without(names ...string) string { return withoutArguments(r.Query, names...) }

// Join makes an address of a path, which may have a query of its own, and a query.
func Join(path, query string) string {
	switch {
	case query == "":
		return path
	case strings.Contains(path, "?"):
		return path + "&" + query
	}
	return path + "?" + query
}

// withSlash ends a path as the site's permalinks do.
func (s *Site) withSlash(path string) string {
	path = strings.TrimRight(path, "/")
	if s.Slash || path == "" {
		path += "/"
	}
	return path
}

// squeezed makes one slash of several.
func squeezed(path string) string {
	var b strings.Builder
	for i := range len(path) {
		if path[i] != '/' || i == 0 || path[i-1] != '/' {
			b.WriteByte(path[i])
		}
	}
	return b.String()
}
