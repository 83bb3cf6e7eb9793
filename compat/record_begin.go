package compat

import (
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"context"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

// begin reads the namespace index, from which all is planned, and writes the
// header of a new recording.
func (r *recorder) begin(ctx context.Context) error {
	var problem string
	for _, plain := range []bool{false, true} {
		r.plain = plain
		answer, _, err := r.client.ask(ctx, recording.Anonymous, recording.Request{Method: http.MethodGet, Path: r.path(view{}, "", "")})
		if err != nil {
			return err
		}
		if root, err := jsontree.Parse(answer.Body); err == nil && answer.Status == http.StatusOK {
			if r.routes = siteRoutes(root, r.namespace); len(r.routes) > 0 {
				return r.header(ctx, answer)
			}
		}
		if problem == "" {
			problem = fmt.Sprintf("status %d to %s", answer.Status, r.path(view{}, "", ""))
		}
	}
	return fmt.Errorf("the site shows no index of %s (%s): correct the URL or the namespace", r.Namespace, problem)
}

// header gathers what the site tells of itself and begins the file with it. When
// a recording is gone on with, its header stays.
func (r *recorder) header(ctx context.Context, index recording.Response) error {
	if r.out.header.Format != "" {
		r.result.Header = r.out.header
		return nil
	}
	h := recording.Header{Format: recording.HeaderFormat, Generator: r.Generator, Namespace: r.Namespace, Recorded: r.Now().UTC().Truncate(time.Second),
		Home: recording.HomeOfLink(headerOf(index, "link")), Logins: slices.Sorted(maps.Keys(r.Logins)), Languages: r.languageCodes(), Writes: r.Writes, Versions: map[string]string{}}
	if date, err := http.ParseTime(headerOf(index, "date")); err == nil {
		h.Clock = &recording.SiteClock{Epoch: date.Unix()}
	}
	root, _, err := r.client.ask(ctx, recording.Anonymous, recording.Request{Method: http.MethodGet, Path: r.rootPath()})
	if err != nil {
		return err
	}
	if node, err := jsontree.Parse(root.Body); err == nil {
		h.TimeZone = node.Member("timezone_string").Text()
		h.Plugins = jsontree.Texts(node.Member("namespaces"))
		if home := strings.TrimSuffix(node.Member("home").Text(), "/"); home != "" {
			h.Home = home
		}
	}
	front, _, err := r.client.ask(ctx, recording.Anonymous, recording.Request{Method: http.MethodGet, Path: r.prefix + "/", Headers: map[string]string{"Accept": "text/html"}})
	if err != nil {
		return err
	}
	visibleVersions(h.Versions, front)
	asked := r.client.scheme + "://" + r.client.host + r.prefix
	if h.Home == "" {
		h.Home = asked
	}
	if r.client.endpoint.URL != h.Home {
		h.Asked = r.client.endpoint.URL
	}
	r.result.Header = h
	return r.out.write(h)
}

func headerOf(a recording.Response, name string) string { return strings.Join(a.Headers[name], ", ") }

var generatorMeta = regexp.MustCompile(`(?i)<meta\s+name=["']generator["']\s+content=["']([^"'<>]{1,120})["']`)

// visibleVersions takes what the front page and its headers tell of versions:
// "WordPress 7.0", "WPML ver:4.7.6 stt:1,2;".
func visibleVersions(into map[string]string, front recording.Response) {
	for _, found := range generatorMeta.FindAllStringSubmatch(front.Body, 20) {
		product, version, _ := strings.Cut(found[1], " ")
		version, _, _ = strings.Cut(strings.TrimPrefix(version, "ver:"), " ")
		into[product] = strings.TrimRight(version, ";")
	}
	for _, name := range []string{"server", "x-powered-by"} {
		if value := headerOf(front, name); value != "" {
			into[name] = value
		}
	}
}

// view is a way of looking at the site: who asks, and in which language.
type view struct {
	as, language string
	// dir is the directory of the language, such as "/en"; without one the
	// language goes into an argument.
	dir string
	// depth is how much is asked.
	depth depth
}

type depth int

const (
	// brief asks for collections and one item of each.
	brief depth = iota
	// middle asks each parameter with one value, and few pages and items.
	middle
	// full asks everything.
	full
)

// rootPath is the path of the REST root.
func (r *recorder) rootPath() string {
	if r.plain {
		return r.prefix + "/?rest_route=/"
	}
	return r.prefix + "/wp-json/"
}

// path is the path of a route of the namespace, with a query that is escaped
// already.
func (r *recorder) path(v view, route, query string) string {
	if v.dir == "" && v.language != "" {
		if query != "" {
			query += "&"
		}
		query += r.languageArg + "=" + v.language
	}
	if r.plain {
		path := r.prefix + v.dir + "/?rest_route=" + r.namespace + route
		if query != "" {
			path += "&" + query
		}
		return path
	}
	path := r.prefix + v.dir + "/wp-json" + r.namespace + route
	if query != "" {
		path += "?" + query
	}
	return path
}

// languageCodes are the languages to record besides the site's own.
func (r *recorder) languageCodes() []string {
	var codes []string
	for _, route := range r.routes {
		for _, arg := range route.get {
			if !slices.Contains(languageArgs, arg.name) {
				continue
			}
			r.languageArg = arg.name
			for _, code := range arg.enum {
				if languageLike(code) && !slices.Contains(codes, code) && code != "all" {
					codes = append(codes, code)
				}
			}
		}
	}
	if r.Languages != nil {
		return r.Languages
	}
	return codes
}

// views lists who asks in which language: everything as anonymous in the site's
// own language, less in the others and as the logins.
func (r *recorder) views(ctx context.Context) []view {
	views := []view{{as: recording.Anonymous, depth: full}}
	var languages []view
	for _, code := range r.languageCodes() {
		v := view{as: recording.Anonymous, language: code, dir: "/" + code, depth: middle}
		answer, _, err := r.client.ask(ctx, recording.Anonymous, recording.Request{Method: http.MethodGet, Path: r.path(v, "", "")})
		root, parseErr := jsontree.Parse(answer.Body)
		if err != nil || parseErr != nil || answer.Status != http.StatusOK || root.Member("routes") == nil {
			v.dir = ""
			r.result.LanguagesNotFound = append(r.result.LanguagesNotFound, code)
		}
		languages = append(languages, v)
	}
	views = append(views, languages...)
	for _, login := range slices.Sorted(maps.Keys(r.Logins)) {
		views = append(views, view{as: login, depth: middle})
		for _, v := range languages {
			v.as, v.depth = login, brief
			views = append(views, v)
		}
	}
	return views
}
