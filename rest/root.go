package rest

import (
	"errors"
	"net/http"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/phpform"
	"calbridge/rest/routes"
	"calbridge/wpstore/php"
)

// errNotREST says that the URL is no REST URL: the site's front end would answer
// it, and this server answers a plain 404.
var errNotREST = errors.New("not a REST URL")

// resolve finds the REST route in a request: the parameter rest_route first (form
// before query), then the path behind the REST prefix, which is matched as it was
// sent and then decoded. The route itself is never decoded.
func (c *call) resolve(path string) (string, error) {
	if route, ok, err := c.routeParameter(path); ok || err != nil {
		return route, err
	}
	if c.req.Place.Site.Facts.PermalinkStructure == "" {
		return "", errNotREST
	}
	path = c.req.Place.EnterRoot(c.stripHome(path), c.req.Host, c.req.Query.At("lang"))
	if rest, ok := cutPrefix(path, c.req.Place.Site.Settings.RESTPrefix); ok {
		return cleanRoute(rest), nil
	}
	if rest, ok := cutPrefix(phpform.RawURLDecode(path), c.req.Place.Site.Settings.RESTPrefix); ok {
		return cleanRoute(rest), nil
	}
	return "", errNotREST
}

func (c *call) routeParameter(path string) (string, bool, error) {
	form, inForm := c.req.Form.Lookup("rest_route")
	query, inQuery := c.req.Query.Lookup("rest_route")
	v := query
	if inForm {
		v = form
		if inQuery && php.ToString(form) != php.ToString(query) {
			return "", false, api.Fail("wp_die")
		}
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
	// A script in a sub-directory is the web server's to find, and it has none.
	if strings.HasSuffix(path, "/index.php") && c.stripHome(path) != "/index.php" {
		return "", false, errNotREST
	}
	c.req.Place.EnterRoot(c.stripHome(path), c.req.Host, c.req.Query.At("lang"))
	return cleanRoute(addSlashes(s)), true, nil
}

// stripHome cuts the path of the home URL off, whatever its letter case.
func (c *call) stripHome(path string) string {
	home := c.req.Place.Links.HomePath()
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

// cleanRoute removes slashes and backslashes from the end; nothing left is the
// root of the API.
func cleanRoute(route string) string {
	route = strings.TrimRight(route, `/\`)
	if route == "" {
		return "/"
	}
	return route
}

// addSlashes escapes quotes, backslashes and NUL as PHP's addslashes does, which
// is how WordPress sees its query variables.
func addSlashes(s string) string {
	if !strings.ContainsAny(s, "'\"\\\x00") {
		return s
	}
	return strings.NewReplacer("'", `\'`, `"`, `\"`, `\`, `\\`, "\x00", `\0`).Replace(s)
}

// matchRoute finds the route within the namespace.
func (c *call) matchRoute(path string) (*routes.Route, string, string) {
	ns := "/" + c.req.Place.Site.Settings.Namespace
	if len(path) < len(ns) || !strings.EqualFold(path[:len(ns)], ns) {
		return nil, "", ""
	}
	path = path[len(ns):]
	if path != "" && path[0] != '/' {
		return nil, "", ""
	}
	return c.table.Find(path)
}

// client tells the client's address and whether it came over HTTPS.
func (s *Server) client(r *http.Request) (addr string, https bool) {
	return api.Client(r, s.cfg.TrustedProxies)
}
