package warmup

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"calbridge/compat/jsontree"
)

// Bounds of what is read of a site's contents.
const (
	maxPages  = 20 // of a list, of pageSize items each
	pageSize  = 50
	maxMonths = 24
	maxWords  = 40
)

// item is an event, venue, organizer, category or tag.
type item struct{ id, slug, title, day string }

// collection is a list of the API, and what its items are requested by.
type collection struct {
	route, name string
	bySlug      bool
	argument    string // of lists of events that filters by an item; "" for none
}

func collections() []collection {
	return []collection{
		{"/events", "events", true, ""},
		{"/venues", "venues", true, "venue"},
		{"/organizers", "organizers", true, "organizer"},
		{"/categories", "categories", false, "categories"},
		{"/tags", "tags", false, "tags"},
	}
}

// addContents adds the requests that follow from the contents of the site in one language.
func (r *run) addContents(ctx context.Context, v view) error {
	c, g := r.client, r.groups
	g.add(c.target(v, "", ""))
	for _, list := range collections() {
		g.add(c.target(v, list.route, ""))
		queries := []string{"per_page=" + strconv.Itoa(pageSize)}
		if list.name == "events" { // without dates, only those to come are listed
			queries = append(queries, queries[0]+"&start_date="+r.Now().AddDate(-1, 0, 0).Format(time.DateOnly))
		}
		var items []item
		for _, query := range queries {
			found, err := r.read(ctx, v, list, query)
			if err != nil {
				return err
			}
			for _, i := range found {
				if !slices.ContainsFunc(items, func(have item) bool { return have.id == i.id }) {
					items = append(items, i)
				}
			}
			for page := range (len(found) + pageSize - 1) / pageSize {
				g.add(c.target(v, list.route, query+"&page="+strconv.Itoa(page+1)))
			}
			g.add(c.target(v, list.route, query))
		}
		r.addItems(v, list, items)
	}
	return nil
}

// addItems adds the requests for items of a collection: one by one, by what they are found by, and as
// filters of events.
func (r *run) addItems(v view, list collection, items []item) {
	c, g := r.client, r.groups
	words := 0
	for _, i := range items {
		g.add(c.target(v, list.route+"/"+i.id, ""))
		if list.bySlug && i.slug != "" {
			g.add(c.target(v, list.route+"/by-slug/"+i.slug, ""))
		}
		if list.argument != "" {
			g.add(c.target(v, "/events", list.argument+"="+i.id))
			if !list.bySlug && i.slug != "" {
				g.add(c.target(v, "/events", list.argument+"="+i.slug))
			}
		}
		if word := wordOf(i.title); word != "" && words < maxWords && list.name == "events" {
			words++
			g.add(c.target(v, "/events", "search="+url.QueryEscape(word)))
		}
	}
	for i := range (len(items) + 9) / 10 {
		g.add(c.target(v, list.route, "page="+strconv.Itoa(i+1)))
	}
	if list.name == "events" {
		for _, month := range months(items) {
			for _, query := range []string{"start_date=%s&end_date=%s", "start_date=%s&end_date=%s&per_page=50", "starts_after=%s&ends_before=%s", "starts_before=%[2]s&ends_after=%[1]s"} {
				g.add(c.target(v, "/events", fmt.Sprintf(query, month+"-01", lastDay(month))))
			}
			g.add(c.target(v, "/events", "start_date="+month+"-01"))
		}
		g.add(c.target(v, "/events", "featured=true"))
	}
}

// read returns the items of a list, page by page.
func (r *run) read(ctx context.Context, v view, list collection, query string) (items []item, err error) {
	for page := 1; page <= maxPages; page++ {
		began := r.Now()
		status, body, err := r.client.get(ctx, r.client.target(v, list.route, query+"&page="+strconv.Itoa(page)))
		if err != nil {
			return nil, err
		}
		if err := r.wait(ctx, r.Now().Sub(began)); err != nil {
			return nil, err
		}
		root, err := jsontree.Parse(body)
		if err != nil || status != http.StatusOK {
			return items, nil // the site doesn't have the list, or closes it
		}
		found := root.Member(list.name)
		if !found.Is(jsontree.Array) {
			return items, nil
		}
		for _, node := range found.Items {
			i := item{id: node.Member("id").Plain(), slug: node.Member("slug").Text(), title: node.Member("title").Text()}
			i.day, _, _ = strings.Cut(node.Member("start_date").Text(), " ")
			if _, err := strconv.ParseInt(i.id, 10, 64); err == nil && !strings.ContainsAny(i.slug, "/?#&\r\n ") {
				items = append(items, i)
			}
		}
		if pages, err := strconv.Atoi(root.Member("total_pages").Plain()); err != nil || page >= pages {
			return items, nil
		}
	}
	return items, nil
}

// wordOf returns the first word of a title that is worth a search.
func wordOf(title string) string {
	for word := range strings.FieldsFuncSeq(title, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if utf8.RuneCountInString(word) > 3 {
			return word
		}
	}
	return ""
}

// months returns the months of events, "2026-11", in the order of the events.
func months(items []item) (all []string) {
	for _, i := range items {
		if len(i.day) == len(time.DateOnly) && !slices.Contains(all, i.day[:7]) && len(all) < maxMonths {
			all = append(all, i.day[:7])
		}
	}
	return all
}

// lastDay returns the last day of a month.
func lastDay(month string) string {
	first, err := time.Parse("2006-01", month)
	if err != nil {
		return month + "-28"
	}
	return first.AddDate(0, 1, -1).Format(time.DateOnly)
}
