package record

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// siteAPI describes how to address a site's namespace.
type siteAPI struct {
	namespace wprest.Namespace
	dir       string // of the site, without a trailing slash
	plain     bool   // the site has no pretty permalinks: routes go into rest_route
	routes    []siteRoute
	// languages are those to record in addition to the site's own; languageArg is the
	// argument that selects one.
	languages   []string
	languageArg string
}

// findSite reads the index of the first namespace that the site has, and returns the
// answer too. All requests are planned from it.
func findSite(ctx context.Context, o Options, namespaces []string, dir string, client *politeClient) (*siteAPI, recording.Response, error) {
	var problem string
	for i := range 2 * len(namespaces) {
		s := &siteAPI{namespace: wprest.NewNamespace(namespaces[i/2]), dir: dir, plain: i%2 == 1}
		path := s.path(view{}, "", "")
		answer, _, err := client.ask(ctx, recording.Anonymous, recording.Request{Method: http.MethodGet, Path: path})
		if err != nil {
			return nil, answer, err
		}
		root, err := jsontree.Parse(answer.Body)
		if err == nil && answer.Status == http.StatusOK {
			s.routes = siteRoutes(root, s.namespace)
			if len(s.routes) > 0 {
				s.findLanguages(o)
				return s, answer, nil
			}
		}
		if problem == "" {
			problem = fmt.Sprintf("status %d to %s", answer.Status, path)
		}
	}
	return nil, recording.Response{}, fmt.Errorf("the site has no index of %s (%s): check --url, or pass --namespace (calbridge's own default is %s)", strings.Join(namespaces, " or "), problem, recording.CalbridgeNamespace)
}

// findLanguages finds the language argument and the codes that it accepts, unless the
// options name others.
func (s *siteAPI) findLanguages(o Options) {
	names := wprest.LanguageArgs()
	s.languageArg = names[0]
	for _, route := range s.routes {
		for _, arg := range route.Args("GET") {
			if !slices.Contains(names, arg.Name) {
				continue
			}
			s.languageArg = arg.Name
			for _, code := range arg.Enum {
				if wprest.LanguageLike(code) && !slices.Contains(s.languages, code) && code != "all" {
					s.languages = append(s.languages, code)
				}
			}
		}
	}
	if o.Languages != nil {
		s.languages = o.Languages
	}
}

// rootPath returns the path of the REST root.
func (s *siteAPI) rootPath() string {
	if s.plain {
		return s.dir + "/?rest_route=/"
	}
	return s.dir + recording.RESTRoot + "/"
}

// path returns the path of a route of the namespace. The query must be escaped already.
func (s *siteAPI) path(v view, route, query string) string {
	path, separator := s.dir+v.dir+recording.RESTRoot+string(s.namespace)+route, "?"
	if s.plain {
		path, separator = s.dir+v.dir+"/?rest_route="+string(s.namespace)+route, "&"
	}
	if query != "" {
		path, separator = path+separator+query, "&"
	}
	if v.dir == "" && v.language != "" {
		path += separator + s.languageArg + "=" + v.language
	}
	return path
}

// view is a combination of login and language.
type view struct {
	as, language string
	// dir is the directory of the language, such as "/en". If empty, the language goes
	// into an argument.
	dir string
	// depth determines how many requests are sent.
	depth depth
}

type depth int

const (
	// brief requests collections and one item of each.
	brief depth = iota
	// middle requests each parameter with one value, and few pages and items.
	middle
	// full requests everything.
	full
)

// views returns the views to record: everything as anonymous in the site's own language,
// less in other languages and as the logins. missing are the languages that have no
// directory.
func (s *siteAPI) views(ctx context.Context, o Options, client *politeClient) (views []view, missing []string) {
	views = []view{{as: recording.Anonymous, depth: full}}
	var languages []view
	for _, code := range s.languages {
		v := view{as: recording.Anonymous, language: code, dir: "/" + code, depth: middle}
		answer, _, err := client.ask(ctx, recording.Anonymous, recording.Request{Method: http.MethodGet, Path: s.path(v, "", "")})
		root, parseErr := jsontree.Parse(answer.Body)
		if err != nil || parseErr != nil || answer.Status != http.StatusOK || root.Member("routes") == nil {
			v.dir = ""
			missing = append(missing, code)
		}
		languages = append(languages, v)
	}
	views = append(views, languages...)
	for _, login := range slices.Sorted(maps.Keys(o.Logins)) {
		views = append(views, view{as: login, depth: middle})
		for _, v := range languages {
			v.as, v.depth = login, brief
			views = append(views, v)
		}
	}
	return views, missing
}
