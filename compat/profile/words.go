package profile

import (
	"html"
	"net/url"
	"strings"

	"calbridge/compat/jsontree"
)

// voteWords searches every item of an answer for words inside values.
func voteWords(v *votes, from source, root *jsontree.Node) {
	root.Walk(func(node *jsontree.Node) {
		if node.Kind != jsontree.Object {
			return
		}
		voteCostWords(v, from, node)
		voteTitleWords(v, from, node)
		voteURLWords(v, from, node)
		voteExcerpts(v, from, node)
	})
}

func (v *votes) word(from source, name, text string) {
	v.add(from, slot{section: sectionWords, key: name}, text, 1)
}

// voteCostWords finds the word for a cost of zero, and the separator between two costs. The word is
// the cost where zero is the only one, or where structured data has zero in the word's place.
func voteCostWords(v *votes, from source, event *jsontree.Node) {
	cost := html.UnescapeString(event.Member("cost").Text())
	values := jsontree.Texts(event.Member("cost_details").Member("values"))
	if cost == "" || len(values) == 0 {
		return
	}
	if strings.Trim(strings.Join(values, ""), "0.,") == "" || event.Member("json_ld").Member("offers").Member("price").Text() == "0" {
		if strings.Trim(cost, "0123456789.,") != "" {
			v.word(from, "free", cost)
		}
		return
	}
	if separator, found := rangeSeparator(cost, values[0], values[len(values)-1]); found {
		v.word(from, "range_separator", separator)
	}
}

// rangeSeparator finds the separator in "<low><currency><separator><high><currency>", or
// in the form with the currency before the numbers.
func rangeSeparator(cost, low, high string) (string, bool) {
	if low == high || strings.Trim(low+high, "0123456789.") != "" {
		return "", false
	}
	before, rest, foundLow := strings.Cut(cost, low)
	at := strings.LastIndex(rest, high)
	if !foundLow || at < 0 || before != "" && rest[at:] != high {
		return "", false
	}
	between, behind := strings.CutPrefix(rest[:at], rest[at+len(high):])
	between, ahead := strings.CutSuffix(between, before)
	return between, behind && ahead && between != "" && !strings.ContainsAny(between, "0123456789")
}

// voteTitleWords finds what WordPress puts around the title of a private or protected
// post in JSON-LD.
func voteTitleWords(v *votes, from source, item *jsontree.Node) {
	name := item.Member("json_ld").Member("name").Text()
	if name == "" {
		return
	}
	// A published post whose title differs has a password.
	word := map[string]string{"private": "private_title", "publish": "protected_title"}[item.Member("status").Text()]
	if word == "" {
		return
	}
	for _, member := range []string{"title", "venue", "organizer"} {
		title := item.Member(member).Text()
		if len(title) < 3 || title == name || strings.Count(name, title) != 1 {
			continue
		}
		before, after, _ := strings.Cut(name, title)
		if !strings.Contains(before+after, "%") { // "%" would look like the placeholder
			v.word(from, word, before+"%s"+after)
		}
	}
}

// voteURLWords finds the URL segment before the slug of a published item.
func voteURLWords(v *votes, from source, item *jsontree.Node) {
	slug, link := item.Member("slug").Text(), item.Member("url").Text()
	if slug == "" || link == "" {
		return
	}
	word := ""
	switch published := item.Member("status").Text() == "publish"; {
	case published && item.Member("start_date") != nil:
		word = "event_base"
	case published && item.Member("venue").Is(jsontree.String):
		word = "venue_base"
	case published && item.Member("organizer").Is(jsontree.String):
		word = "organizer_base"
	case item.Member("taxonomy").Text() == "tribe_events_cat" && item.Member("parent") != nil && item.Member("parent").Raw() == "0":
		word = "category_base"
	default:
		return
	}
	u, err := url.Parse(link)
	if err != nil || u.RawQuery != "" {
		return
	}
	path, found := strings.CutSuffix(strings.TrimSuffix(u.EscapedPath(), "/"), "/"+slug)
	if !found {
		return
	}
	if segment := path[strings.LastIndex(path, "/")+1:]; segment != "" {
		v.word(from, word, segment)
	}
}
