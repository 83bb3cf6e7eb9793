package rest

import (
	"net/url"
	"strconv"
	"strings"

	"calbridge/i18n"
	"calbridge/rest/phpform"
	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore"
)

// links makes the URLs that answers carry, for one scheme of the request and one
// language. Every home-based URL gets https on a request over https and keeps the scheme of the
// home option over http.
type links struct {
	home string
	// restRoot is home + /wp-json/ or home + /index.php?rest_route=/. Clients append
	// to it, so that it never carries an argument.
	restRoot  string
	namespace string // restRoot + namespace + /
	globalID  string // host, path and query of home, then "?id="
	// restArgument keeps REST URLs in their language where neither host nor path
	// tells it, pageArgument does so with public URLs.
	restArgument, pageArgument []phpform.Arg

	structure       string // the option permalink_structure
	pretty          bool
	front           string            // index.php/ where the structure starts with it
	slash           string            // "/" where the structure ends with one
	tagFront        string            // fixed part of the structure before the first tag
	bases           map[string]string // post type: URL base
	events, catWord string
	tagBase         string
}

func newLinks(s *site, cfg *Config, words *wording, https bool, code string) *links {
	l := &links{home: s.languages.HomeURL(s.home, code)}
	if https {
		l.home = withHTTPS(l.home)
	}
	lang := s.languages.Find(code)
	if value := s.languages.Argument(code); value != "" {
		l.restArgument = []phpform.Arg{{Name: "lang", Value: value}}
		l.pageArgument = l.restArgument
	} else if s.languages.roots && s.languages.Plugin == i18n.Polylang && lang != nil && lang.Prefix == "" && lang.Host == "" {
		// A root without a language lists all of them there, so that only the parameter
		// leads to the next page of the same list.
		l.restArgument = []phpform.Arg{{Name: languageParam(cfg), Value: code}}
	}
	structure := s.facts.PermalinkStructure
	l.structure, l.pretty = structure, structure != ""
	if strings.HasPrefix(structure, "/index.php/") {
		l.front = "index.php/"
	}
	if strings.HasSuffix(structure, "/") {
		l.slash = "/"
	}
	l.tagFront = strings.TrimPrefix(structure[:max(0, strings.IndexByte(structure, '%'))], "/")
	if l.pretty {
		l.restRoot = l.home + "/" + l.front + cfg.RESTPrefix + "/"
	} else {
		l.restRoot = l.home + "/index.php?rest_route=/"
	}
	l.namespace = l.restRoot + cfg.Namespace + "/"
	l.globalID = globalID(l.home)
	if lang != nil && lang.Prefix != "" {
		l.globalID = globalID(l.home + "/")
	}

	locale := s.facts.WPLang
	slug := func(text string) string { return sanitize.Slug(text, locale) }
	l.bases = map[string]string{
		eventKind.postType:     slug(s.optionText("singleEventSlug", "event")),
		venueKind.postType:     upperEscapes(slug(words.word("venue_base"))),
		organizerKind.postType: upperEscapes(slug(words.word("organizer_base"))),
	}
	l.events = slug(s.optionText("eventsSlug", "events"))
	l.catWord = slug(words.word("category_base"))
	l.tagBase = strings.TrimPrefix(firstNonEmpty(s.facts.TagBase, "tag"), "/")
	return l
}

func withHTTPS(u string) string {
	if rest, ok := strings.CutPrefix(u, "http://"); ok {
		return "https://" + rest
	}
	return u
}

// globalID is the home URL's host without port, its path and its query, ready
// for the id.
func globalID(home string) string {
	u, err := url.Parse(home)
	if err != nil {
		return home + "?id="
	}
	out := u.Hostname() + u.EscapedPath()
	if u.RawQuery != "" {
		return out + "?" + u.RawQuery + "&id="
	}
	return out + "?id="
}

// upperEscapes writes percent escapes in upper case, as the labels of post types
// come out in URLs.
func upperEscapes(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToUpper(string(b[i+1:i+3])))
		}
	}
	return string(b)
}

// post is the permalink of a post of one of the three kinds. viewable says that
// its status lets this client see the pretty form.
func (l *links) post(p *wpstore.Post, viewable bool) string {
	return with(l.permalink(p, viewable), l.pageArgument)
}

func (l *links) permalink(p *wpstore.Post, viewable bool) string {
	if !viewable {
		return l.home + "/?post_type=" + p.Type + "&p=" + strconv.FormatInt(p.ID, 10)
	}
	base, ours := l.bases[p.Type]
	switch {
	case !ours:
		return l.core(p)
	case !l.pretty:
		return l.home + "/?" + p.Type + "=" + p.Name
	}
	return l.home + "/" + l.front + base + "/" + p.Name + l.slash
}

// core is the permalink of WordPress's own posts and pages, which broken links of
// events may lead to.
func (l *links) core(p *wpstore.Post) string {
	id := strconv.FormatInt(p.ID, 10)
	switch {
	case p.Type == "page" && !l.pretty:
		return l.home + "/?page_id=" + id
	case p.Type == "page":
		return l.home + "/" + l.front + p.Name + l.slash
	case p.Type != "post" || !l.pretty || len(p.Date) < len(mysqlTime):
		return l.home + "/?p=" + id
	}
	return l.home + strings.NewReplacer(
		"%postname%", p.Name, "%post_id%", id, "%year%", p.Date[:4], "%monthnum%", p.Date[5:7], "%day%", p.Date[8:10],
		"%hour%", p.Date[11:13], "%minute%", p.Date[14:16], "%second%", p.Date[17:19],
	).Replace(l.structure)
}

// term is the public archive of a term. ancestors are the slugs above it, the
// root first; tags have none.
func (l *links) term(tax *taxonomyKind, slug string, ancestors []string) string {
	return with(l.archive(tax, slug, ancestors), l.pageArgument)
}

func (l *links) archive(tax *taxonomyKind, slug string, ancestors []string) string {
	if !l.pretty {
		if tax == tagKind {
			return l.home + "/?tag=" + slug
		}
		return l.home + "/?" + tax.name + "=" + slug
	}
	if tax == tagKind {
		return l.home + "/" + l.tagFront + l.tagBase + "/" + slug + l.slash
	}
	path := slug
	if len(ancestors) > 0 {
		path = strings.Join(ancestors, "/") + "/" + slug
	}
	return l.home + "/" + l.front + l.events + "/" + l.catWord + "/" + path + l.slash
}

// item is the REST URL of one resource.
func (l *links) item(collection string, id int64) string {
	return with(l.namespace+collection+"/"+strconv.FormatInt(id, 10), l.restArgument)
}

// list is the REST URL of a list, without any parameters of its own.
func (l *links) list(collection string) string {
	return with(l.namespace+collection+"/", l.restArgument)
}

// collection is the same URL as terms show it.
func (l *links) collection(name string) string { return with(l.namespace+name, l.restArgument) }

// wpRoute is the URL of a route of WordPress's own.
func (l *links) wpRoute(route string) string {
	return with(l.restRoot+"wp/v2/"+route, l.restArgument)
}

// with adds the language to a URL where it needs one.
func with(u string, argument []phpform.Arg) string {
	if argument == nil {
		return u
	}
	return phpform.AddQueryArg(u, argument...)
}

// pageLinks derives the next and previous page from a list's own URL.
func nextPage(self string, page int64) string {
	return phpform.AddQueryArg(self, phpform.Arg{Name: "page", Value: false}, phpform.Arg{Name: "page", Value: page + 1})
}

func previousPage(self string, page int64) string {
	if page <= 2 {
		return phpform.RemoveQueryArg(self, "page")
	}
	return phpform.AddQueryArg(self, phpform.Arg{Name: "page", Value: false}, phpform.Arg{Name: "page", Value: page - 1})
}

func trimSlashes(s string) string { return strings.TrimRight(s, "/") }

func firstNonEmpty(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
