package rest

import (
	"time"

	"calbridge/rest/api"
	"calbridge/rest/phpform"
	"calbridge/rest/phpjson"
	"calbridge/rest/routes"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// eventList answers GET /events.
func (c *call) eventList() (*api.Response, error) {
	l, err := c.eventQuery(c.req.Place.Lang.Items())
	if err != nil {
		return nil, err
	}
	page, err := c.eventPage(l)
	if err != nil {
		return nil, err
	}
	if l.page > 1 && len(page.ids) == 0 {
		return nil, api.Fail("event-archive-page-not-found")
	}
	r := c.render()
	set, err := r.LoadEvents(c.ctx, page.ids)
	if err != nil {
		return nil, err
	}
	w := r.NewWriter()
	w.BeginObject()
	w.Key("events")
	w.BeginList()
	for i, id := range page.ids {
		if ev := set.Post(id); ev != nil {
			r.Event(w, set, ev, false)
		}
		if i == 0 { // the others are about as long
			w.Grow(w.Len() * len(page.ids) * 5 / 4)
		}
	}
	w.EndList()
	pages := l.finish(w, page)
	w.EndObject()
	res := r.Response(w)
	res.Fields = api.Totals(page.total, pages)
	return res, nil
}

// eventPage runs the query. Where the totals are those of another language than
// the list, it has them counted on the way.
func (c *call) eventPage(l *list) (page listPage, err error) {
	var counted *wpstore.EventQuery
	if c.req.Place.Lang.Totals() != c.req.Place.Lang.Items() {
		other, err := c.eventQuery(c.req.Place.Lang.Totals())
		if err != nil {
			return page, err
		}
		if counted = &other.query; other.nothing {
			counted.Include = []int64{}
		}
	}
	if l.nothing {
		if counted == nil {
			return page, nil
		}
		l.query.Include = []int64{}
	}
	found, err := c.req.Store.Events(c.ctx, l.query, counted)
	return listPage{ids: found.IDs, listed: found.Total, total: found.Counted}, err
}

// listPage is one page of ids and the number of all matches.
type listPage struct {
	ids []int64
	// listed is how many there are on all pages, total how many the list says
	// that there are.
	listed, total int64
}

// list is a list request being resolved: its page and its own URL.
type list struct {
	page, perPage int64
	self          string // rest_url
	query         wpstore.EventQuery
	// nothing: a filter can match nothing at all.
	nothing bool
}

// finish writes rest_url, the neighbouring pages and the totals, and returns the
// number of pages.
func (l *list) finish(w *phpjson.Writer, page listPage) int64 {
	w.KeyString("rest_url", l.self)
	if l.page*l.perPage < page.listed {
		w.KeyString("next_rest_url", wpsite.NextPage(l.self, l.page))
	}
	if l.page > 1 && (l.page-2)*l.perPage < page.listed {
		w.KeyString("previous_rest_url", wpsite.PreviousPage(l.self, l.page))
	}
	pages := (page.total + l.perPage - 1) / l.perPage
	w.KeyInt("total", page.total)
	w.KeyInt("total_pages", pages)
	return pages
}

// newList reads the page arguments, which every list has.
func (c *call) newList() *list {
	l := &list{page: php.ToInt(c.req.Get("page")), perPage: php.ToInt(c.req.Get("per_page"))}
	if l.perPage < 1 {
		l.perPage = 1
	}
	return l
}

// eventQuery turns the arguments into the query and the list's own URL, whose
// parameters stand in a fixed order. It asks for the events of one language, ""
// for all.
func (c *call) eventQuery(language string) (*list, error) {
	l := c.newList()
	l.query = wpstore.EventQuery{
		Occurrences: c.req.Place.Site.Facts.Occurrences, UTC: c.req.Place.Site.UTCDates(), OrderUTC: c.req.Place.Site.SiteMode(),
		Limit: l.perPage, Offset: (l.page - 1) * l.perPage, Language: c.req.Place.In(language),
	}
	q := &l.query
	dates := c.eventDates(q)
	args := []phpform.Arg{{Name: "page", Value: l.page}, {Name: "per_page", Value: l.perPage}, dates["start_date"], dates["end_date"]}

	if search := c.req.Get("search"); search != nil {
		args = append(args, phpform.Arg{Name: "search", Value: search})
		if q.Search = searchTerms(php.ToString(search)); q.Search != nil {
			q.UnprotectedOnly = c.req.Viewer.User.ID == 0
		}
	}
	args = append(args, c.geoArgs()...)

	vis := c.req.Viewer.Visibility(api.Events, c.req.Get("status"))
	q.Statuses, q.Own, q.Passwords, q.UnlockedFor = vis.Statuses, vis.Own, vis.Passwords, vis.UnlockedFor
	args = append(args, phpform.Arg{Name: "status", Value: vis.Shown})

	if parent := c.req.Get("post_parent"); parent != nil {
		id := php.ToInt(parent)
		q.Parent = &id
		args = append(args, phpform.Arg{Name: "post_parent", Value: id})
	}
	if include, ok := c.req.Get("include").(*php.Array); ok {
		q.OrderByPublication = true
		for _, v := range include.All() {
			q.Include = append(q.Include, php.ToInt(v))
		}
		var err error
		if q.Include, err = c.req.Lookups.InLanguage(c.ctx, q.Include, language); err != nil {
			return nil, err
		}
		args = append(args, phpform.Arg{Name: "include", Value: api.JoinValues(include, ",")})
	}
	for _, name := range relativeDates {
		args = append(args, dates[name])
	}
	l.self = phpform.AddQueryArg(c.req.Place.LinksFor(language).List(api.Events.Collection), args...)
	c.linkedFilters(l)
	return l, c.termFilters(l, language)
}

var relativeDates = []string{"starts_before", "starts_after", "ends_before", "ends_after"}

// eventDates resolves the six date arguments: which of them apply, the texts
// they compare with (which the list's URL repeats), and the query's bounds.
func (c *call) eventDates(q *wpstore.EventQuery) map[string]phpform.Arg {
	strict := c.strictDates()
	out := make(map[string]phpform.Arg, 6)
	relative := false
	for _, name := range relativeDates {
		if v := c.req.Get(name); v != nil {
			relative = true
			out[name] = phpform.Arg{Name: name, Value: c.dateBound(v, strict, true)}
		}
	}
	include := c.req.Get("include") != nil
	for _, name := range []string{"start_date", "end_date"} {
		_, explicit := c.req.Query.Lookup(name)
		if relative && !explicit {
			continue
		}
		var text string
		switch {
		case !include:
			text = c.dateBound(c.req.Get(name), strict, name == "end_date")
		case name == "start_date":
			text = php.ToString(routes.StartDateDefault(c.req))
		default:
			text = php.ToString(routes.EndDateDefault(c.req))
		}
		out[name] = phpform.Arg{Name: name, Value: text}
	}
	c.bounds(q, out)
	return out
}

// bounds turns the resolved dates into comparisons. starts_after takes the place
// of start_date, and ends_before that of end_date.
func (c *call) bounds(q *wpstore.EventQuery, dates map[string]phpform.Arg) {
	add := func(name, insteadOf string, end bool, op string) {
		arg, ok := dates[name]
		if !ok {
			return
		}
		if _, replaced := dates[insteadOf]; replaced {
			return
		}
		value := php.ToString(arg.Value)
		if c.req.Place.Site.SiteMode() {
			if t, err := time.ParseInLocation(api.MySQLTime, value, c.req.Place.Site.Zone); err == nil {
				value = t.UTC().Format(api.MySQLTime)
			}
		}
		q.Bounds = append(q.Bounds, wpstore.Bound{End: end, Op: op, Value: value})
	}
	add("start_date", "starts_after", false, ">=")
	add("end_date", "ends_before", true, "<=")
	add("starts_before", "", false, "<")
	add("starts_after", "", false, ">")
	add("ends_before", "", true, "<")
	add("ends_after", "", true, ">")
}

// geoArgs only show up in the list's URL: distance search belongs to an add-on.
func (c *call) geoArgs() []phpform.Arg {
	if c.req.Get("geoloc") != true {
		return nil
	}
	args := []phpform.Arg{{Name: "geoloc", Value: true}}
	for _, name := range []string{"geoloc_lat", "geoloc_lng"} {
		v := c.req.Get(name)
		if v == nil {
			v = ""
		}
		args = append(args, phpform.Arg{Name: name, Value: v})
	}
	return args
}

// linkedFilters adds venue, organizer and featured. They are appended to the URL
// last, which makes everything before them appear encoded.
func (c *call) linkedFilters(l *list) {
	var args []phpform.Arg
	for _, f := range []struct {
		name string
		ids  *[]int64
	}{{"venue", &l.query.Venues}, {"organizer", &l.query.Organizers}} {
		v := c.req.Get(f.name)
		if v == nil {
			continue
		}
		*f.ids = []int64{}
		for _, item := range api.SplitList(v) {
			*f.ids = append(*f.ids, php.ToInt(item))
		}
		if arr, ok := v.(*php.Array); ok {
			v = api.JoinValues(arr, ",")
		}
		args = append(args, phpform.Arg{Name: f.name, Value: v})
	}
	if featured, ok := c.req.Get("featured").(bool); ok {
		l.query.Featured = &featured
		args = append(args, phpform.Arg{Name: "featured", Value: featured})
	}
	if len(args) > 0 {
		l.self = phpform.AddQueryArg(l.self, args...)
	}
}

// termFilters resolves categories and tags.
func (c *call) termFilters(l *list, language string) error {
	for _, f := range []struct {
		tax *api.TaxonomyKind
		ids *[]int64
	}{{api.Categories, &l.query.Categories}, {api.Tags, &l.query.Tags}} {
		v := c.req.Get(f.tax.Collection)
		if v == nil {
			continue
		}
		ids, err := c.filterTerms(f.tax, api.SplitList(v), language)
		if err != nil {
			return err
		}
		*f.ids = ids
		l.nothing = l.nothing || len(ids) == 0
	}
	return nil
}
