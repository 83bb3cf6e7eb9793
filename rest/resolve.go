package rest

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/phpform"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/php"
)

// resolve returns the REST route that a request names, and whether it names one: in the parameter
// rest_route (form before query), or else behind the REST prefix of the path, which is matched as it
// was sent and then decoded. The route itself is never decoded. Every other URL is a page of the
// site.
func resolve(req *api.Request, place *wpsite.Place, path string) (route string, isREST bool, err error) {
	route, err = routeParameter(req)
	if err != nil {
		return "", false, err
	}
	if route != "" {
		// A web server would look for a script in the sub-directory and not find it, except that
		// networks in folders take the first folder of a script's path for that of a site.
		script := stripHome(place.Links, path)
		if folder, file, ok := strings.Cut(script[1:], "/"); ok && folder != "" && file == "index.php" && place.Site.Facts.Multisite && place.Links.HomePath() == "" {
			script = "/index.php"
		}
		if strings.HasSuffix(path, "/index.php") && script != "/index.php" {
			return "", false, nil
		}
		place.EnterRoot(stripHome(place.Links, path), req.Host, req.Query.At("lang"))
		return cleanRoute(addSlashes(route)), true, nil
	}
	if place.Site.Facts.PermalinkStructure == "" {
		return "", false, nil
	}
	path = place.EnterRoot(stripHome(place.Links, path), req.Host, req.Query.At("lang"))
	rest, ok := cutPrefix(path, place.Site.Settings.RESTPrefix)
	if !ok {
		rest, ok = cutPrefix(phpform.RawURLDecode(path), place.Site.Settings.RESTPrefix)
	}
	if !ok {
		return "", false, nil
	}
	return cleanRoute(rest), true, nil
}

// routeParameter returns the parameter rest_route, "" if there is none. It must not differ between
// form and query.
func routeParameter(req *api.Request) (string, error) {
	v, inForm := req.Form.Lookup("rest_route")
	query, inQuery := req.Query.Lookup("rest_route")
	if !inForm {
		v = query
	} else if inQuery && php.ToString(v) != php.ToString(query) {
		return "", api.Fail("wp_die")
	}
	if v == nil {
		return "", nil
	}
	s, ok := v.(string)
	if !ok {
		return "", api.Fail("rest_path_invalid_type")
	}
	if php.Empty(s) {
		return "", nil
	}
	return s, nil
}

// stripHome removes the path of the home URL, in any letter case.
func stripHome(links *wpsite.Links, path string) string {
	home := links.HomePath()
	path = "/" + strings.TrimLeft(path, "/")
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
	restPath, isREST, err := resolve(req, &place, path)
	if err != nil || !isREST {
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
