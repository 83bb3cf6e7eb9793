package explain

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"calbridge/compat/diff"
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// languageSegment matches the first segment of a URL or a global id, if it names a language.
var languageSegment = regexp.MustCompile(`^((?:https?://)?[^/?]+/)([a-z]{2,3}(?:-[a-z]{2,4})?)/`)

// wanted takes the target's form of what depends on WPML's language parameter, if the target
// answers as it does at the root of that language (known difference F5). It reports whether it did.
func (x *explaining) wanted(ctx context.Context, p *pair) bool {
	if x.Level != Fixed {
		return false
	}
	x.pages(p)
	language := ""
	for _, name := range languageParameters {
		if value := x.request.Query.Get(name); wprest.LanguageLike(value) {
			language = value
		}
	}
	if language == "" || x.Ask == nil || !x.likeRoot(ctx, language) {
		return false
	}
	before := len(p.recorded.changes) + len(p.recorded.drops) + len(p.got.drops)
	x.reword(p, p.recorded.inner, p.got.inner)
	if len(p.recorded.changes)+len(p.recorded.drops)+len(p.got.drops) == before {
		return false
	}
	p.fewer = "F5"
	p.add("F5", "$", "partly in the language of the root", "in the language "+language)
	return true
}

// likeRoot reports whether the target answers as it does at the root of a language, without the
// parameter.
func (x *explaining) likeRoot(ctx context.Context, language string) bool {
	plain := withoutLanguage(x.Sent.Path)
	for _, path := range []string{strings.Replace(plain, recording.RESTRoot, "/"+language+recording.RESTRoot, 1), plain} {
		request := x.Sent
		request.Path = path
		answer, err := x.Ask(ctx, request)
		if err != nil || answer.Status != x.Got.Status {
			continue
		}
		found, err := x.Compare(answer, x.Got)
		return err == nil && !slices.ContainsFunc(found, func(d diff.Difference) bool { return d.Part != diff.PartHeaders })
	}
	return false
}

// reword visits an object of both answers.
func (x *explaining) reword(p *pair, recorded, got *jsontree.Node) {
	for i, item := range itemsOf(recorded) {
		if list := itemsOf(got); len(list) == len(recorded.Items) {
			x.reword(p, item, list[i])
		}
	}
	if !recorded.Is(jsontree.Object) || !got.Is(jsontree.Object) {
		if recorded.Is(jsontree.String) && got.Is(jsontree.String) && recorded.Raw() != got.Raw() && sameAddress(recorded.Text(), got.Text()) {
			p.use(recorded, got)
		}
		return
	}
	for i, name := range recorded.Names {
		want, have := recorded.Items[i], got.Member(name)
		switch {
		case slices.Contains([]string{"total", "total_pages", "next_rest_url", "previous_rest_url"}, name):
			if have == nil {
				p.recorded.drops[want] = true
			} else if have.Raw() != want.Raw() {
				p.use(want, have)
			}
		case otherLinks(name, want, have):
			p.use(want, have)
			for _, one := range linkedKinds {
				data, other := recorded.Member("json_ld").Member(one.data), got.Member("json_ld").Member(one.data)
				if one.member == name && data != nil && other != nil {
					p.use(data, other)
				}
			}
		default:
			x.reword(p, want, have)
		}
	}
	for i, name := range got.Names {
		if recorded.Member(name) == nil && slices.Contains([]string{"next_rest_url", "previous_rest_url", "targetHints"}, name) {
			p.got.drops[got.Items[i]] = true
		}
	}
}

// otherLinks reports whether a member lists the venues or organizers of an event, and the
// target shows as many, but other translations.
func otherLinks(name string, want, have *jsontree.Node) bool {
	return slices.ContainsFunc(linkedKinds, func(one linkedKind) bool { return one.member == name }) &&
		len(linkedItems(want)) == len(linkedItems(have)) && !slices.Equal(linkedIDs(want), linkedIDs(have))
}

// linkedIDs returns the ids of the venues or organizers of an event.
func linkedIDs(node *jsontree.Node) (ids []string) {
	for _, item := range linkedItems(node) {
		if id := item.Member("id"); id != nil {
			ids = append(ids, id.Plain())
		}
	}
	return ids
}

// sameAddress reports whether two URLs or global ids differ only in the root of the language.
func sameAddress(a, b string) bool { return withoutRoot(a) == withoutRoot(b) }

// withoutRoot removes the root of a language from a URL or a global id.
func withoutRoot(address string) string {
	if m := languageSegment.FindStringSubmatch(address); m != nil && m[2] != "wp-json" {
		address = m[1] + address[len(m[0]):]
	}
	return strings.Replace(address, "/?", "?", 1) // of the bare root
}

// pages takes the target's links to other pages of venues and organizers. WPML counts those of
// one language although the list has all, so that some pages lack a link.
func (x *explaining) pages(p *pair) {
	kind := x.kind()
	page, err := strconv.Atoi(x.request.Query.Get("page"))
	if err != nil {
		page = 1
	}
	want, have := p.recorded.inner.Member("total_pages"), p.got.inner.Member("total_pages")
	if kind != "venues" && kind != "organizers" || want == nil || have == nil || want.Raw() != have.Raw() {
		return
	}
	total, err := strconv.Atoi(have.Raw())
	for name, due := range map[string]bool{"next_rest_url": page < total, "previous_rest_url": page > 1} {
		if link := p.got.inner.Member(name); err == nil && due && link != nil && p.recorded.inner.Member(name) == nil {
			p.got.drops[link] = true
			p.add("F5", "$."+name, diff.Absent, "the list has that page")
		}
	}
}

// dashboardCookie reports whether only the reference sets WPML's cookie for the language of the
// dashboard.
func dashboardCookie(recorded, got recording.HeaderValues) bool {
	if len(recorded) != 1 || len(got) > 0 {
		return false
	}
	cookie, err := http.ParseSetCookie(recorded[0])
	return err == nil && strings.HasPrefix(cookie.Name, "wp-wpml_current_admin_language_")
}
