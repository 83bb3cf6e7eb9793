package mirror

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"
)

// Source identifies what is copied: a list of events, its filters, and the user who sees it.
type Source struct {
	namespace url.URL    // URL of the API, without arguments
	route     string     // the namespace in rest_route, on sites without pretty permalinks
	arguments url.Values // the filters, without per_page
	perPage   string
	user      string
	password  string
}

// perPage is the number of events per page unless the user chooses another: the maximum that
// The Events Calendar allows by default.
const perPage = "50"

// ParseSource reads the address of an API's namespace, such as
// https://town.example/en/wp-json/calendar/events/v1, with filters in its query or as
// key=value. It also takes the address of the list of events. user is "" for anonymous.
func ParseSource(address string, filters []string, user, password string) (Source, error) {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return Source{}, fmt.Errorf("--url %q is not a URL; use one such as https://town.example/wp-json/calendar/events/v1", address)
	}
	if u.User != nil {
		return Source{}, errors.New("--url has a login in it: use --user and --password-file")
	}
	arguments, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return Source{}, fmt.Errorf("--url: its query can't be read: %w", err)
	}
	for _, filter := range filters {
		key, value, ok := strings.Cut(filter, "=")
		if !ok || key == "" {
			return Source{}, fmt.Errorf("--filter %q is not NAME=VALUE, such as categories=concerts", filter)
		}
		arguments.Add(key, value)
	}
	for _, name := range []string{"page", "page_token", "sync_token"} {
		if arguments.Has(name) {
			return Source{}, fmt.Errorf("the argument %s can't be a filter: remove it from --url or --filter", name)
		}
	}
	s := Source{namespace: *u, arguments: arguments, perPage: perPage, user: user, password: password}
	s.namespace.RawQuery, s.namespace.Fragment, s.namespace.RawFragment = "", "", ""
	if n := arguments.Get("per_page"); n != "" {
		s.perPage = n
	}
	arguments.Del("per_page")
	if s.route = arguments.Get("rest_route"); s.route != "" {
		s.route = trimmed(s.route)
		arguments.Del("rest_route")
		return s, nil
	}
	s.namespace.Path, s.namespace.RawPath = trimmed(s.namespace.Path), ""
	return s, nil
}

// trimmed returns the path of a namespace, given that path or the path of its list.
func trimmed(path string) string {
	return strings.TrimSuffix(strings.TrimRight(path, "/"), "/events")
}

// endpoint returns the URL of a route below the list, such as "changes", with the filters and
// further arguments.
func (s Source) endpoint(name string, more url.Values) string {
	u, query := s.namespace, maps.Clone(s.arguments)
	maps.Copy(query, more)
	if s.route != "" {
		query.Set("rest_route", s.route+"/events/"+name)
	} else {
		u.Path += "/events/" + name
	}
	u.RawQuery = query.Encode()
	return u.String()
}

// identity distinguishes copies. per_page isn't part of it.
type identity struct{ address, arguments, user string }

func (s Source) identity() identity {
	return identity{address: s.namespace.String() + s.route, arguments: s.arguments.Encode(), user: s.user}
}

// String returns a description of the copy for error messages.
func (i identity) String() string {
	text := i.address
	if i.arguments != "" {
		text += " with " + i.arguments
	}
	if i.user != "" {
		text += fmt.Sprintf(" as the user %q", i.user)
	}
	return text
}
