package exporturl

import (
	"strings"

	"calbridge/wpstore/php"
)

// Request is a request for an export.
type Request struct {
	Kind Kind
	// Outlook: the export is for Outlook. Robots: search engines must not index it.
	Outlook, Robots bool
	// IDs are the events asked for; nil: those of the view.
	IDs []int64
	// Unclear: an entry of the ids stands for a post that WordPress chooses.
	Unclear bool

	// Slug is that of the page of a post, ID its id.
	Slug string
	ID   int64
	// TypeGiven: the query names the type of post.
	TypeGiven bool

	Selection
	Variables

	// Canonical is the address below the language root that WordPress redirects to if the
	// page exists, "" if this one is canonical. Always: if it doesn't exist either.
	Canonical string
	Always    bool
	// Overrun: the address has a page number of a single event, which has one page only.
	// WordPress decides on 404 before it redirects.
	Overrun bool
	// Redirect is what WordPress redirects to that depends on the database.
	Redirect Redirect
	// Path is that below the language root, and Query the query, as they were sent.
	Path  string
	Query string
}

// Redirect is a redirect whose target depends on the database.
type Redirect int

const (
	// NoRedirect is none.
	NoRedirect Redirect = iota
	// ToPost leads to the address of the page's post.
	ToPost
	// ToCategory and ToTag lead to the address of the term.
	ToCategory
	ToTag
)

// foreignArguments are those that lead to WordPress's own pages.
var foreignArguments = []string{
	"m", "cat", "author", "year", "monthnum", "day", "hour", "minute", "second", "w", "category_name", "feed", "author_name", "pagename", "page_id",
	"attachment", "attachment_id", "subpost", "subpost_id", "preview", "robots", "favicon", "taxonomy", "term", "cpage", "embed", "error",
}

// Named reports whether a request names an export in any way, of whatever page.
func Named(path string, query *php.Array) bool {
	_, ical := query.Lookup("ical")
	_, outlook := query.Lookup("outlook-ical")
	return ical || outlook || strings.HasSuffix(strings.TrimRight(path, "/"), "/ical")
}

// Arguments returns the names of the arguments that an export may depend on.
func Arguments() []string {
	return append([]string{
		"ical", "outlook-ical", "event_ids", "post_type", "p", "name", "tribe_events", "tribe_events_cat", "tag", "lang",
		"eventDisplay", "view", "tribe_view", "tribe_event_display", "view_data", "eventDate", "tribe-bar-date",
		"page", "paged", "tribe_paged", "posts_per_page", "featured", "s", "search", "tribe-bar-search", "tribe_venue", "tribe_organizer",
	}, foreignArguments...)
}

// Parse reads a request for an export. path is that below the site's home, with the
// language root; query is rawQuery as PHP reads it. ok is false if the request is for
// something else, or for a page of which WordPress alone knows whether it exists.
func Parse(s *Site, path, rawQuery string, query *php.Array) (r *Request, ok bool) {
	below, within := strings.CutPrefix(path, s.Root)
	if !within || !s.Pretty && s.Root != "" {
		return nil, false
	}
	index := below == "/index.php"
	if index {
		below = "/"
	}
	p, foreign := s.pageOf(below)
	if foreign {
		return nil, false
	}
	ical, byICal := query.Lookup("ical")
	outlook, byOutlook := query.Lookup("outlook-ical")
	if !byICal && !byOutlook && !p.ical {
		return nil, false
	}
	for _, name := range foreignArguments {
		if !php.Empty(query.At(name)) {
			return nil, false
		}
	}
	r = &Request{Kind: p.kind, Outlook: byOutlook, Robots: !php.Empty(ical) || !php.Empty(outlook), Slug: p.slug, Path: below, Query: rawQuery}
	if !r.named(s, &p, query) {
		return nil, false
	}
	if ids, given := query.Lookup("event_ids"); given {
		r.readIDs(ids)
	}
	r.choose(s, &p, query, ical)
	r.setVariables(&p, query)
	r.Overrun = p.again || p.kind == Event && !php.Empty(query.At("page"))
	r.canonical(s, &p, below, index)
	return r, true
}

// named reads arguments that name a page in the query. It returns false for pages of
// WordPress's own.
func (r *Request) named(s *Site, p *page, query *php.Array) bool {
	postType, typed := query.Lookup("post_type")
	ours := php.ToString(postType) == "tribe_events"
	r.TypeGiven = typed
	if p.kind != Home {
		return !typed || ours
	}
	if typed && !ours {
		return php.Empty(postType)
	}
	if typed {
		r.Kind = Archive
	}
	text := func(name string) string { return php.ToString(query.At(name)) }
	switch {
	case !php.Empty(query.At("p")):
		r.Kind, r.ID = ByID, php.ToInt(query.At("p"))
		if s.Pretty || !typed {
			r.Redirect = ToPost
		}
	case text("tribe_events") != "":
		r.Kind, r.Slug = Event, text("tribe_events")
	case text("name") != "":
		if !typed {
			return false
		}
		r.Kind, r.Slug = Event, text("name")
		if s.Pretty {
			r.Redirect = ToPost
		}
	case !php.Empty(query.At("tribe_events_cat")):
		r.Kind = Archive
		if s.Pretty {
			r.Redirect = ToCategory
		}
	case !php.Empty(query.At("tag")):
		if !typed {
			r.Kind = TagPage
		}
		if s.Pretty {
			r.Redirect = ToTag
		}
	case text("tribe_venue") != "" || text("tribe_organizer") != "":
		return false
	}
	return true
}

// maxIDs bounds the events that a request may name: one that is named often is rendered
// often.
const maxIDs = 1000

// readIDs reads the events that a request names.
func (r *Request) readIDs(ids php.Value) {
	r.IDs = []int64{}
	var entries []string
	if list, isList := ids.(*php.Array); isList {
		for _, v := range list.All() {
			entries = append(entries, php.ToString(v))
		}
	} else {
		entries = strings.Split(php.ToString(ids), ",")
	}
	for _, entry := range entries {
		entry = php.Trim(entry)
		if php.Empty(entry) {
			continue
		}
		id := php.ToInt(entry)
		r.Unclear = r.Unclear || id <= 0 || len(r.IDs) == maxIDs
		if r.Unclear {
			return
		}
		r.IDs = append(r.IDs, id)
	}
}
