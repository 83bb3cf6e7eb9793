package read

import (
	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

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
		w.KeyString("next_rest_url", wpsite.Page(l.self, l.page+1))
	}
	if l.page > 1 && (l.page-2)*l.perPage < page.listed {
		w.KeyString("previous_rest_url", wpsite.Page(l.self, l.page-1))
	}
	pages := (page.total + l.perPage - 1) / l.perPage
	w.KeyInt("total", page.total)
	w.KeyInt("total_pages", pages)
	return pages
}

// newList reads the page arguments, which every list has.
func newList(params *api.Params) *list {
	l := &list{page: php.ToInt(params.Get("page")), perPage: php.ToInt(params.Get("per_page"))}
	if l.perPage < 1 {
		l.perPage = 1
	}
	return l
}
