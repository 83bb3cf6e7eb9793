package rest

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/phpform"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/php"
)

// errNotREST is returned for a URL of the site's front end, for which this server sends a plain
// 404.
var errNotREST = errors.New("not a REST URL")

// resolve finds the REST route in a request: the parameter rest_route first (form
// before query), then the path behind the REST prefix, which is matched as it was
// sent and then decoded. The route itself is never decoded.
func resolve(req *api.Request, place *wpsite.Place, path string) (string, error) {
	if route, ok, err := routeParameter(req, place, path); ok || err != nil {
		return route, err
	}
	if place.Site.Facts.PermalinkStructure == "" {
		return "", errNotREST
	}
	path = place.EnterRoot(stripHome(place.Links, path), req.Host, req.Query.At("lang"))
	if rest, ok := cutPrefix(path, place.Site.Settings.RESTPrefix); ok {
		return cleanRoute(rest), nil
	}
	if rest, ok := cutPrefix(phpform.RawURLDecode(path), place.Site.Settings.RESTPrefix); ok {
		return cleanRoute(rest), nil
	}
	return "", errNotREST
}

func routeParameter(req *api.Request, place *wpsite.Place, path string) (string, bool, error) {
	v, inForm := req.Form.Lookup("rest_route")
	query, inQuery := req.Query.Lookup("rest_route")
	if !inForm {
		v = query
	} else if inQuery && php.ToString(v) != php.ToString(query) {
		return "", false, api.Fail("wp_die")
	}
	if v == nil {
		return "", false, nil
	}
	s, ok := v.(string)
	if !ok {
		return "", false, api.Fail("rest_path_invalid_type")
	}
	if php.Empty(s) {
		return "", false, nil
	}
	// A web server would look for a script in the sub-directory and not find it.
	if strings.HasSuffix(path, "/index.php") && stripHome(place.Links, path) != "/index.php" {
		return "", false, errNotREST
	}
	place.EnterRoot(stripHome(place.Links, path), req.Host, req.Query.At("lang"))
	return cleanRoute(addSlashes(s)), true, nil
}

// stripHome removes the path of the home URL, in any letter case.
func stripHome(links *wpsite.Links, path string) string {
	home := links.HomePath()
	if home != "" && len(path) >= len(home) && strings.EqualFold(path[:len(home)], home) {
		path = path[len(home):]
	}
	return "/" + strings.TrimLeft(path, "/")
}

// cutPrefix returns what follows the REST prefix, itself optionally behind
// index.php.
func cutPrefix(path, prefix string) (string, bool) {
	path = strings.TrimPrefix(strings.TrimPrefix(path, "/"), "index.php/")
	rest, ok := strings.CutPrefix(path, prefix)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return rest, true
}

// Own reports whether a request is for a route of our own, which WordPress doesn't have.
func (s *Server) Own(r *http.Request) bool {
	if !s.cfg.Extensions {
		return false
	}
	live := s.sites.current.Load()
	if live == nil {
		ctx, cancel := context.WithTimeout(r.Context(), s.cfg.RequestTimeout)
		defer cancel()
		var err error
		if live, err = s.sites.get(ctx, s.store.Session(nil), false); err != nil {
			return false
		}
	}
	path, rawQuery := api.SplitTarget(r.RequestURI)
	req, err := api.Parse(r, phpform.Parse(rawQuery, s.limits.Form))
	if err != nil {
		return false
	}
	_, req.HTTPS = s.client(r)
	place := live.Place(req.HTTPS)
	restPath, err := resolve(req, &place, path)
	if err != nil {
		return false
	}
	_, route, _, _ := matchRoute(live.tables, restPath)
	return route != nil && route.Extension()
}

// cleanRoute removes slashes and backslashes from the end. An empty result is the root of the API.
func cleanRoute(route string) string {
	return cmp.Or(strings.TrimRight(route, `/\`), "/")
}

// addSlashes escapes quotes, backslashes and NUL as PHP's addslashes does: WordPress does
// so to its query variables.
func addSlashes(s string) string {
	return strings.NewReplacer("'", `\'`, `"`, `\"`, `\`, `\\`, "\x00", `\0`).Replace(s)
}

// matchRoute finds the route of a REST path among those of all dialects. table is that of the
// path's namespace, nil for a namespace of another program.
func matchRoute(tables []*wprest.Table, path string) (table *wprest.Table, rt *wprest.Route, name, value string) {
	for _, t := range tables {
		if rt, name, value, ok := t.Match(path); ok {
			return t, rt, name, value
		}
	}
	return nil, nil, "", ""
}
