package wpsite

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/phpform"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Links builds the URLs in responses, for one scheme of the request and one language. They are
// https on a request over https, and have the scheme of the home option over http.
type Links struct {
	Home string
	// RESTRoot is Home + /wp-json/ or home + /index.php?rest_route=/, without further
	// arguments: clients append to it.
	RESTRoot string
	GlobalID string // host, path and query of home, then "?id="
	// RESTArgument is the language of REST URLs where neither host nor path has it,
	// pageArgument that of public URLs.
	RESTArgument, pageArgument []phpform.Arg

	structure       string // the option permalink_structure
	Pretty          bool
	front           string            // index.php/ where the structure starts with it
	slash           string            // "/" where the structure ends with one
	tagFront        string            // fixed part of the structure before the first tag
	bases           map[string]string // post type: URL base
	events, catWord string
	tagBase         string
	postCategories  string // base of WordPress's own categories
}

func newLinks(s *Site, words *api.Wording, https bool, code string) *Links {
	l := &Links{Home: s.Languages.HomeURL(s.Home, code)}
	if https {
		l.Home = withHTTPS(l.Home)
	}
	lang := s.Languages.Find(code)
	if value := s.Languages.Argument(code); value != "" {
		l.RESTArgument = []phpform.Arg{{Name: "lang", Value: value}}
		l.pageArgument = l.RESTArgument
	} else if s.Languages.Roots && s.Languages.Plugin == i18n.Polylang && lang != nil && lang.Prefix == "" && lang.Host == "" {
		// A root without a language lists all of them: only the parameter leads to the
		// next page of the same list.
		l.RESTArgument = []phpform.Arg{{Name: s.Settings.LanguageParameter(), Value: code}}
	}
	structure := s.Facts.PermalinkStructure
	l.structure, l.Pretty = structure, structure != ""
	if strings.HasPrefix(structure, "/index.php/") {
		l.front = "index.php/"
	}
	if strings.HasSuffix(structure, "/") {
		l.slash = "/"
	}
	l.tagFront = strings.TrimPrefix(structure[:max(0, strings.IndexByte(structure, '%'))], "/")
	if l.Pretty {
		l.RESTRoot = l.Home + "/" + l.front + s.Settings.RESTPrefix + "/"
	} else {
		l.RESTRoot = l.Home + "/index.php?rest_route=/"
	}
	l.GlobalID = globalID(l.Home)
	if lang != nil && lang.Prefix != "" {
		l.GlobalID = globalID(l.Home + "/")
	}

	slug := s.Slug
	l.bases = map[string]string{
		api.Events.PostType:     slug(s.OptionText("singleEventSlug", s.packText("event slug", "event"))),
		api.Venues.PostType:     upperEscapes(slug(words.Word("venue_base"))),
		api.Organizers.PostType: upperEscapes(slug(words.Word("organizer_base"))),
	}
	l.events = slug(s.OptionText("eventsSlug", s.packText("events slug", "events")))
	l.catWord = slug(words.Word("category_base"))
	l.tagBase = strings.TrimPrefix(cmp.Or(s.Facts.TagBase, "tag"), "/")
	l.postCategories = strings.TrimPrefix(cmp.Or(s.Facts.CategoryBase, "category"), "/")
	return l
}

func withHTTPS(u string) string {
	if rest, ok := strings.CutPrefix(u, "http://"); ok {
		return "https://" + rest
	}
	return u
}

// globalID returns the start of global ids: the home URL's host without port, path and query.
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

var percentEscape = regexp.MustCompile(`%..`)

// upperEscapes writes percent escapes in upper case, as URLs have the labels of post types.
func upperEscapes(s string) string { return percentEscape.ReplaceAllStringFunc(s, strings.ToUpper) }

// Post returns the permalink of a post of one of the three kinds. viewable reports that its status
// lets this client see the pretty form.
func (l *Links) Post(p *wpstore.Post, viewable bool) string {
	return with(l.permalink(p, viewable), l.pageArgument)
}

func (l *Links) permalink(p *wpstore.Post, viewable bool) string {
	if !viewable {
		return l.Home + "/?post_type=" + p.Type + "&p=" + strconv.FormatInt(p.ID, 10)
	}
	base, ours := l.bases[p.Type]
	switch {
	case !ours:
		return l.core(p)
	case !l.Pretty:
		return l.Home + "/?" + p.Type + "=" + p.Name
	}
	if p.Name == "" {
		return l.Home + "/" + l.front + base + l.slash
	}
	return l.Home + "/" + l.front + base + "/" + p.Name + l.slash
}

// core returns the permalink of WordPress's own posts and pages, to which broken links of
// events may lead.
func (l *Links) core(p *wpstore.Post) string {
	id := strconv.FormatInt(p.ID, 10)
	switch {
	case p.Type == "page" && !l.Pretty:
		return l.Home + "/?page_id=" + id
	case p.Type == "page":
		return l.Home + "/" + l.front + p.Name + l.slash
	case p.Type != "post" || !l.Pretty || len(p.Date) < len(api.MySQLTime):
		return l.Home + "/?p=" + id
	}
	return l.Home + strings.NewReplacer(
		"%postname%", p.Name, "%post_id%", id, "%year%", p.Date[:4], "%monthnum%", p.Date[5:7], "%day%", p.Date[8:10],
		"%hour%", p.Date[11:13], "%minute%", p.Date[14:16], "%second%", p.Date[17:19],
	).Replace(l.structure)
}

// Term returns the public archive of a term. ancestors are the slugs above it, the
// root first; tags have none.
func (l *Links) Term(tax *api.TaxonomyKind, slug string, ancestors []string) string {
	return with(l.archive(tax, slug, ancestors), l.pageArgument)
}

// SharedTerm returns the public archive of a term of any taxonomy. ancestors are the slugs above
// it, the root first.
func (l *Links) SharedTerm(t wpstore.Term, ancestors []string) string {
	switch t.Taxonomy {
	case api.Categories.Name:
		return l.Term(api.Categories, t.Slug, ancestors)
	case api.Tags.Name:
		return l.Term(api.Tags, t.Slug, nil)
	case "category":
		if !l.Pretty {
			return with(l.Home+"/?cat="+strconv.FormatInt(t.ID, 10), l.pageArgument)
		}
		path := append(slices.Clip(ancestors), t.Slug)
		return with(l.Home+"/"+l.tagFront+l.postCategories+"/"+strings.Join(path, "/")+l.slash, l.pageArgument)
	}
	return with(l.Home+"/?taxonomy="+t.Taxonomy+"&term="+t.Slug, l.pageArgument)
}

func (l *Links) archive(tax *api.TaxonomyKind, slug string, ancestors []string) string {
	if !l.Pretty {
		if tax == api.Tags {
			return l.Home + "/?tag=" + slug
		}
		return l.Home + "/?" + tax.Name + "=" + slug
	}
	if tax == api.Tags {
		return l.Home + "/" + l.tagFront + l.tagBase + "/" + slug + l.slash
	}
	path := append(slices.Clip(ancestors), slug)
	return l.Home + "/" + l.front + l.events + "/" + l.catWord + "/" + strings.Join(path, "/") + l.slash
}

// Slugs are the words of public addresses.
type Slugs struct {
	Events, Event, Category string
	// Tag is the path of WordPress's own pages of tags.
	Tag              string
	Venue, Organizer string
}

// Slugs returns the words of public addresses.
func (l *Links) Slugs() Slugs {
	return Slugs{l.events, l.bases[api.Events.PostType], l.catWord, l.tagFront + l.tagBase, l.bases[api.Venues.PostType], l.bases[api.Organizers.PostType]}
}

// WPRoute returns the URL of a route of WordPress's own.
func (l *Links) WPRoute(route string) string { return l.REST("wp/v2/" + route) }

// REST returns the URL of a route of any namespace, which begins with the namespace.
func (l *Links) REST(route string) string { return with(l.RESTRoot+route, l.RESTArgument) }

// HomePath returns the path of the home URL, without trailing slash.
func (l *Links) HomePath() string {
	_, rest, _ := strings.Cut(l.Home, "://")
	_, path, ok := strings.Cut(rest, "/")
	if !ok {
		return ""
	}
	return trimSlashes("/" + path)
}

// with adds the language to a URL that needs it.
func with(u string, argument []phpform.Arg) string {
	if argument == nil {
		return u
	}
	return phpform.AddQueryArg(u, argument...)
}

// Page returns the URL of another page of a list; the first page needs no number.
func Page(self string, page int64) string {
	if page <= 1 {
		return phpform.RemoveQueryArg(self, "page")
	}
	return phpform.AddQueryArg(self, phpform.Arg{Name: "page", Value: false}, phpform.Arg{Name: "page", Value: page})
}

// Hrefs returns a list of links as _links shows it.
func Hrefs(urls ...string) *php.Array {
	out := &php.Array{}
	for _, u := range urls {
		out.Append(api.Object("href", u))
	}
	return out
}
