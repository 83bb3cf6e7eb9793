package explain

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"calbridge/compat/diff"
	"calbridge/compat/recording"
)

// origins matches scheme and host of the URLs in a text, plain and as in JSON.
var origins = regexp.MustCompile(`https?:(?:\\?/){2}[A-Za-z0-9.\-]+(?::\d+)?`)

// address names the cause of differences that all vanish when one address takes the place of
// another, and puts one difference in their place.
func (x *explaining) address() {
	if !x.left() || x.Recorded.Status != x.Got.Status {
		return
	}
	from, to := onlyIn(x.Recorded, x.Got), onlyIn(x.Got, x.Recorded)
	if len(from) != 1 || len(to) != 1 {
		return
	}
	replacer := recording.Replacer(from[0], to[0])
	change := func(text string) string {
		return strings.ReplaceAll(replacer.Replace(text), host(from[0]), host(to[0]))
	}
	rest, err := x.Compare(x.Recorded.Map(change), x.Got)
	if err != nil {
		return
	}
	found := slices.DeleteFunc(slices.Clone(x.found), open)
	for _, d := range rest {
		if d.Part == diff.PartHeaders {
			d.Cause = header(d.Where, x.Recorded.Headers[d.Where], x.Got.Headers[d.Where], x.Level)
		}
		if open(d) && !(x.fewer != "" && strings.HasPrefix(d.Where, "x-tec-total")) {
			return
		}
	}
	x.found = append(found, diff.Difference{Part: diff.PartBody, Level: diff.LevelSemantic, Where: "address", Recorded: from[0], Got: to[0], Cause: causeOf(Address)})
}

// onlyIn returns the addresses that one answer has and the other lacks.
func onlyIn(a, b recording.Response) []string {
	have := originsOf(b)
	return slices.DeleteFunc(originsOf(a), func(origin string) bool { return slices.Contains(have, origin) })
}

func originsOf(r recording.Response) []string {
	var all []string
	add := func(text string) string {
		for _, found := range origins.FindAllString(text, -1) {
			if found = strings.ReplaceAll(found, `\`, ""); !slices.Contains(all, found) {
				all = append(all, found)
			}
		}
		return text
	}
	r.Map(add)
	return all
}

func host(origin string) string {
	if u, err := url.Parse(origin); err == nil {
		return u.Host
	}
	return origin
}
