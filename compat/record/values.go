package record

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// harvest holds the values found in the site's own answers. Requests are made from them.
type harvest struct {
	names       map[string][]string // values by member name
	collections map[string]*collection
	words       []string
}

// collection holds what was found under one list route.
type collection struct {
	ids, slugs []string
	// protected is the id of an event with a password, "" for none. Lists show such
	// events without their data.
	protected string
	pages     int
}

const maxValues = 40

func newHarvest() *harvest {
	return &harvest{names: map[string][]string{}, collections: map[string]*collection{}}
}

// add collects the values of an answer to the route.
func (h *harvest) add(route string, x *recording.Exchange) {
	if x == nil || x.Response.Status != 200 {
		return
	}
	root, err := jsontree.Parse(x.Response.Body)
	if err != nil {
		return
	}
	list := listIn(root)
	if list == nil {
		return
	}
	c := h.collections[route]
	if c == nil {
		c = &collection{}
		h.collections[route] = c
	}
	counts := []string{x.Response.Header("x-tec-totalpages"), x.Response.Header("x-wp-totalpages")}
	if pages := root.Member("total_pages"); pages.Is(jsontree.Number) {
		counts = append(counts, pages.Raw())
	}
	for _, count := range counts {
		if pages, err := strconv.Atoi(count); err == nil {
			c.pages = max(c.pages, pages)
		}
	}
	for _, item := range list.Items {
		if id := item.Member("id"); id.Is(jsontree.Number) {
			c.ids = appendNew(c.ids, id.Raw(), 5000)
			if c.protected == "" && item.Member("all_day").Is(jsontree.Null) {
				c.protected = id.Raw()
			}
		}
		c.slugs = appendNew(c.slugs, item.Member("slug").Text(), 5000)
		h.walk("", item)
	}
}

// listIn returns the list of items in an answer.
func listIn(root *jsontree.Node) *jsontree.Node {
	if root.Is(jsontree.Array) {
		return root
	}
	for _, item := range root.Items {
		if root.Is(jsontree.Object) && item.Is(jsontree.Array) && len(item.Items) > 0 && item.Items[0].Member("id") != nil {
			return item
		}
	}
	return nil
}

func (h *harvest) walk(name string, node *jsontree.Node) {
	switch node.Kind {
	case jsontree.Object:
		for i, item := range node.Items {
			h.walk(node.Names[i], item)
		}
	case jsontree.Array:
		for _, item := range node.Items {
			h.walk(name, item)
		}
	case jsontree.Number, jsontree.String:
		text := node.Plain()
		if text == "" || len(text) > 80 || strings.ContainsAny(text, "<>\n") || !utf8.ValidString(text) {
			return
		}
		h.names[name] = appendNew(h.names[name], text, maxValues)
		if name == "title" {
			for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return !unicode.IsLetter(c) }) {
				if utf8.RuneCountInString(word) > 3 {
					h.words = appendNew(h.words, word, maxValues)
				}
			}
		}
	}
}

// appendNew appends a value that is not in the list yet, unless it has grown to most.
func appendNew(list []string, value string, most int) []string {
	if value == "" || len(list) >= most || slices.Contains(list, value) {
		return list
	}
	return append(list, value)
}

// spread picks n of the values, evenly from the first to the last.
func spread(values []string, n int) []string {
	if len(values) <= n {
		return values
	}
	if n == 1 {
		return values[:1]
	}
	out := make([]string, n)
	for i := range out {
		out[i] = values[i*(len(values)-1)/(n-1)]
	}
	return out
}

// candidates returns values for an argument that the site should accept, the most
// informative ones first.
func (h *harvest) candidates(arg wprest.Arg) []string {
	name := wprest.ASCIILower(arg.Name)
	switch {
	case len(arg.Enum) > 0:
		return spread(arg.Enum, 12)
	case name == "page":
		return []string{"2", "1"}
	case name == "per_page":
		return []string{"3", "1", "50"}
	case strings.Contains(arg.Type, "boolean"):
		return []string{"true", "false", "1", "0"}
	case name == "search":
		return append(spread(h.words, 3), "zzzqqq")
	case strings.Contains(name, "date") || strings.HasSuffix(name, "_before") || strings.HasSuffix(name, "_after"):
		return h.dates(name)
	case name == "status":
		return []string{"publish", "draft", "publish,draft"}
	}
	var found []string
	for _, route := range slices.Sorted(maps.Keys(h.collections)) {
		c := h.collections[route]
		last := route[strings.LastIndexByte(route, '/')+1:]
		if name != "" && (strings.HasPrefix(last, strings.TrimSuffix(name, "s")) || name == "include" || name == "exclude") {
			found = append(found, spread(c.ids, 2)...)
			if len(c.slugs) > 0 && !strings.Contains(arg.Type, "integer") {
				found = append(found, c.slugs[0])
			}
			if ids := spread(c.ids, 2); len(ids) == 2 {
				found = append(found, ids[0]+","+ids[1])
			}
			break
		}
	}
	found = append(found, spread(h.names[arg.Name], 3)...)
	if len(found) == 0 {
		found = []string{"1"}
	}
	return spread(found, 6)
}

func (h *harvest) dates(name string) []string {
	values := h.names[name]
	if len(values) == 0 {
		values = h.names["start_date"]
	}
	out := slices.Clone(spread(slices.Sorted(slices.Values(values)), 3))
	if len(out) > 0 {
		day, _, _ := strings.Cut(out[0], " ")
		out = appendNew(out, day, 6)
	}
	return appendNew(out, "2020-01-01", 6)
}

// wrongValues returns values for an argument that the site should refuse, or at
// least survive.
func wrongValues(arg wprest.Arg) []string {
	name := wprest.ASCIILower(arg.Name)
	switch {
	case len(arg.Enum) > 0:
		return []string{"no-such-value", ""}
	case strings.Contains(arg.Type, "integer") || strings.Contains(arg.Type, "number") || name == "page" || name == "per_page":
		return []string{"abc", "-1", "0", "1.5", ""}
	case strings.Contains(arg.Type, "boolean"):
		return []string{"maybe", ""}
	case strings.Contains(name, "date"):
		return []string{"no date", "2026-02-31", ""}
	}
	return []string{"999999999", ""}
}
