package read

import (
	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/render"
	"calbridge/rest/wpsite"
)

// listPage is one page of ids, with the numbers of all matches.
type listPage struct {
	ids []int64
	// listed is the number of items on all pages, total the number that the list shows.
	listed, total int64
}

// list is a list request: its page and its own URL.
type list struct {
	page, perPage int64
	self          string // rest_url
}

// response returns the response with a page, whose items write writes: the list under key,
// rest_url, the neighbouring pages and the totals.
func (l *list) response(r *render.Renderer, key string, page listPage, write func(w *phpjson.Writer, id int64)) *api.Result {
	w := r.NewWriter()
	w.BeginObject()
	w.Key(key)
	w.BeginList()
	for i, id := range page.ids {
		write(w, id)
		if i == 0 { // the others are about as long
			w.Grow(w.Len() * len(page.ids) * 5 / 4)
		}
	}
	w.EndList()
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
	w.EndObject()
	res := r.Result(w)
	res.Fields = tribev1.Totals(page.total, pages)
	return res
}

// newList reads the page arguments, which every list has.
func newList(params *api.Params) *list {
	var l list
	l.page, l.perPage = tribev1.Page(params)
	return &l
}
