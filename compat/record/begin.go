package record

import (
	"context"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
)

// describe gathers what the site reveals about itself; index is its namespace index.
func describe(ctx context.Context, o Options, s *siteAPI, client *politeClient, index recording.Response) (recording.Header, error) {
	h := recording.Header{Format: recording.HeaderFormat, Generator: o.Generator, Namespace: strings.Trim(string(s.namespace), "/"), Recorded: o.Now().UTC().Truncate(time.Second),
		Home: recording.HomeOfLink(index.Header("link")), Logins: slices.Sorted(maps.Keys(o.Logins)), Languages: s.languages, Writes: o.Writes, Versions: map[string]string{}}
	if date, err := http.ParseTime(index.Header("date")); err == nil {
		h.Clock = &recording.SiteClock{Epoch: date.Unix()}
	}
	root, _, err := client.ask(ctx, recording.Anonymous, recording.Request{Method: http.MethodGet, Path: s.rootPath()})
	if err != nil {
		return h, err
	}
	if node, err := jsontree.Parse(root.Body); err == nil {
		h.TimeZone = node.Member("timezone_string").Text()
		h.Plugins = jsontree.Texts(node.Member("namespaces"))
		if home := strings.TrimSuffix(node.Member("home").Text(), "/"); home != "" {
			h.Home = home
		}
	}
	front, _, err := client.ask(ctx, recording.Anonymous, recording.Request{Method: http.MethodGet, Path: s.dir + "/", Headers: map[string]string{"Accept": "text/html"}})
	if err != nil {
		return h, err
	}
	visibleVersions(h.Versions, front)
	asked := client.scheme + "://" + client.host + s.dir
	if h.Home == "" {
		h.Home = asked
	}
	if !strings.HasPrefix(h.Home, client.scheme+"://") {
		h.Scheme = client.scheme
	}
	if client.endpoint.URL != h.Home {
		h.Asked = client.endpoint.URL
	}
	return h, nil
}

var generatorMeta = regexp.MustCompile(`(?i)<meta\s+name=["']generator["']\s+content=["']([^"'<>]{1,120})["']`)

// visibleVersions finds versions in the front page and its headers:
// "WordPress 7.0", "WPML ver:4.7.6 stt:1,2;".
func visibleVersions(into map[string]string, front recording.Response) {
	for _, found := range generatorMeta.FindAllStringSubmatch(front.Body, 20) {
		product, version, _ := strings.Cut(found[1], " ")
		version, _, _ = strings.Cut(strings.TrimPrefix(version, "ver:"), " ")
		into[product] = strings.TrimRight(version, ";")
	}
	for _, name := range []string{"server", "x-powered-by"} {
		if value := front.Header(name); value != "" {
			into[name] = value
		}
	}
}
