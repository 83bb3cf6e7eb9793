package sitecompare

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
)

// contents are values of a site by the placeholder that they stand for.
type contents map[string][]string

// maxProbes bounds the ids of a collection that are probed in our own handler.
const maxProbes = 60

// collection is a list of the API, and the placeholder of its items.
type collection struct{ route, query, item, title string }

func collections() []collection {
	return []collection{
		{"/events", "per_page=50&start_date=1970-01-02&end_date=2100-01-01", "event", "title"},
		{"/venues", "per_page=50", "venue", "venue"},
		{"/organizers", "per_page=50", "organizer", "organizer"},
		{"/categories", "per_page=50", "category", "name"},
		{"/tags", "per_page=50", "tag", "name"},
	}
}

// telling returns texts of events that depend on versions, theme, locale and plugins. An event
// with each of them is among the first that are compared.
func telling() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`<figure|wp-caption`), regexp.MustCompile(`gallery`), regexp.MustCompile(`wp-container|is-layout`), regexp.MustCompile(`sizes=`),
		regexp.MustCompile(`&#82[12]\d;`), regexp.MustCompile(`"image":\{`), regexp.MustCompile(`"cost":"[^"]*\d`), regexp.MustCompile(`hellip`),
		regexp.MustCompile(`wp-smiley|1f[36]`), regexp.MustCompile(`"all_day":true`), regexp.MustCompile(`"organizer":\[\{`), regexp.MustCompile(`"protected"|"post_password"`),
	}
}

// read reads the contents of the site through our handler.
func read(ctx context.Context, ours side, site *Site, login *Login) (contents, error) {
	c := contents{}
	get := func(route, query string, as *Login) (recording.Response, *jsontree.Node, error) {
		answer, err := ours.answer(ctx, &request{method: http.MethodGet, target: site.target("", route, query), login: as})
		if err != nil {
			return answer, nil, err
		}
		root, err := jsontree.Parse(answer.Body)
		if err != nil {
			return answer, nil, fmt.Errorf("calbridge's own answer to %s is not JSON (status %d)", route, answer.Status)
		}
		return answer, root, nil
	}
	for _, list := range collections() {
		_, root, err := get(list.route, list.query, nil)
		if err != nil {
			return nil, err
		}
		items := itemsOf(root)
		for _, item := range tellingFirst(items) {
			c.add(list.item, item.Member("id"))
			c.add(list.item+" slug", item.Member("slug"))
			c.addWord(list.item+" word", item.Member(list.title).Text())
		}
		if list.item == "event" {
			c.addDays(items)
		}
		if slices.Contains([]string{"/events", "/venues", "/organizers"}, list.route) {
			if err := c.probe(list, func(id string) (recording.Response, error) {
				answer, _, err := get(list.route+"/"+id, "", nil)
				return answer, err
			}); err != nil {
				return nil, err
			}
		}
	}
	if login != nil {
		_, root, err := get("/events", "status=trash,draft,private&per_page=50&start_date=1970-01-02", login)
		if err != nil {
			return nil, err
		}
		for _, item := range itemsOf(root) {
			if len(c["refused event"]) < 8 {
				c.add("refused event", item.Member("id"))
			}
		}
	}
	c["word"] = c["event word"]
	if ids := c["event"]; len(ids) > 1 {
		c["last event"] = ids[len(ids)-1:]
	}
	return c, nil
}

// probe finds ids that a single read refuses, one for each code of error: entries in the
// trash, drafts, entries with a password, entries of another kind, and unknown ones.
func (c contents) probe(list collection, get func(id string) (recording.Response, error)) error {
	ids := slices.Clone(c[list.item])
	highest := 0
	for _, values := range c {
		for _, value := range values {
			if id, err := strconv.Atoi(value); err == nil {
				highest = max(highest, id)
			}
		}
	}
	for i := range maxProbes { // evenly over all ids
		ids = append(ids, strconv.Itoa(max(1, highest+5-i*max(1, highest/maxProbes))))
	}
	seen := map[string]bool{}
	for _, id := range append(ids, "999999999") {
		answer, err := get(id)
		if err != nil {
			return err
		}
		code := statusText(answer)
		if answer.Status != http.StatusOK && !seen[code] {
			seen[code] = true
			c["refused "+list.item] = append(c["refused "+list.item], id)
		}
	}
	return nil
}

// itemsOf returns the items of a list, of events, venues, organizers, categories or tags.
func itemsOf(root *jsontree.Node) []*jsontree.Node {
	if body := root.Member("body"); body != nil { // _envelope
		root = body
	}
	for _, name := range listNames() {
		if list := root.Member(name); list.Is(jsontree.Array) && root.Member("id") == nil {
			return list.Items
		}
	}
	return nil
}

// listNames returns the members of an answer that hold its items.
func listNames() []string { return []string{"events", "venues", "organizers", "categories", "tags"} }

// tellingFirst puts one item with each telling text first, then some of all the others.
func tellingFirst(items []*jsontree.Node) []*jsontree.Node {
	var first []*jsontree.Node
	for _, text := range telling() {
		for _, item := range items {
			if text.MatchString(item.Raw()) {
				if !slices.Contains(first, item) {
					first = append(first, item)
				}
				break
			}
		}
	}
	for _, item := range items {
		if !slices.Contains(first, item) {
			first = append(first, item)
		}
	}
	return first
}

func (c contents) add(name string, value *jsontree.Node) {
	if !value.Is(jsontree.Number) && value.Text() == "" {
		return
	}
	if text := value.Plain(); !slices.Contains(c[name], text) && !strings.ContainsAny(text, " ?#&\"\\/\r\n") {
		c[name] = append(c[name], text)
	}
}

// addWord adds the first word of a title that is worth a search.
func (c contents) addWord(name, title string) {
	for word := range strings.FieldsFuncSeq(title, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if utf8.RuneCountInString(word) > 3 && !slices.Contains(c[name], word) {
			c[name] = append(c[name], word)
			return
		}
	}
}

// addDays adds the days of the first event, of one in the middle, and of the last.
func (c contents) addDays(events []*jsontree.Node) {
	var days []string
	for _, event := range events {
		if day, _, _ := strings.Cut(event.Member("start_date").Text(), " "); day != "" {
			days = append(days, day)
		}
	}
	slices.Sort(days)
	if len(days) > 0 {
		c["first day"], c["day"], c["later day"] = days[:1], days[len(days)/2:], days[len(days)-1:]
	}
}
