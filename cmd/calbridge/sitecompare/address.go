package sitecompare

import (
	"net/url"
	"strings"

	"calbridge/i18n"
)

// Site is what requests need to know of a site.
type Site struct {
	Home                  string // its address
	Permalinks            string // the option permalink_structure
	RESTPrefix, Namespace string
	LanguageParam         string
	Languages             i18n.Languages
}

// origin returns scheme and host of the site.
func (s *Site) origin() (scheme, host string) {
	home, err := url.Parse(s.Home)
	if err != nil || home.Host == "" {
		return "http", "localhost"
	}
	return home.Scheme, home.Host
}

// target returns the path and query of a route, in a language's directory where it has one.
func (s *Site) target(language, route, query string) string {
	dir := ""
	if home, err := url.Parse(s.Home); err == nil {
		dir = strings.TrimRight(home.EscapedPath(), "/")
	}
	if one := s.Languages.Find(language); one != nil {
		dir += one.Prefix
	}
	route = "/" + s.Namespace + route
	switch {
	case s.Permalinks == "":
		dir, query = dir+"/index.php", strings.TrimSuffix("rest_route="+route+"&"+query, "&")
	case strings.HasPrefix(s.Permalinks, "/index.php/"):
		dir += "/index.php/" + s.RESTPrefix + route
	default:
		dir += "/" + s.RESTPrefix + route
	}
	if query != "" {
		dir += "?" + query
	}
	return dir
}
