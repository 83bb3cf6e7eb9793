package explain

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// Lists of entries that can be read by themselves, and of terms.
var (
	entryKinds = []string{"events", "venues", "organizers"}
	listKinds  = []string{"events", "venues", "organizers", "categories", "tags"}
)

// Listed holds what the recordings show of entries. It is safe for concurrent use once it is
// complete.
type Listed struct {
	ids  map[string][]string // by kind, in the order of the recordings
	seen map[[2]string]bool  // kind and id
	// readable are the single reads that the reference answered: kind, id and login.
	readable map[[3]string]bool
	links    map[link]bool
	places   map[string]place // of events
	pages    pages
	refused  sync.Map // kind, id, login and credentials → refusal
}

// link is a venue or an organizer of an event that the reference shows.
type link struct{ event, kind, id string }

// NewListed returns an empty Listed.
func NewListed() *Listed {
	return &Listed{ids: map[string][]string{}, seen: map[[2]string]bool{}, readable: map[[3]string]bool{}, links: map[link]bool{}, places: map[string]place{}, pages: pages{bases: map[string]string{}, seen: map[string]bool{}}}
}

// Read adds what an exchange shows.
func (l *Listed) Read(x *recording.Exchange, namespace wprest.Namespace) {
	request, root, ok := wprest.ReadAnswer(x, namespace)
	if !ok {
		return
	}
	l.pages.read(root)
	for _, kind := range entryKinds {
		if root.Member("id") == nil {
			for _, id := range idsOf(root.Member(kind)) {
				l.see(kind, id)
			}
		}
		if namespace.Below(request.Route) != "/"+kind+"/"+request.ID() {
			continue
		}
		id := root.Member("id") // neither an error in an envelope nor the answer to OPTIONS has it
		read := id != nil && id.Plain() == request.ID()
		if read || slices.Contains(refusals, root.Member("code").Text()) {
			l.see(kind, request.ID())
		}
		// A password and the context edit open what a plain read does not.
		if read && !hasCredentials(x.Request) && !request.Query.Has("password") && !request.Query.Has("context") {
			l.readable[[3]string{kind, request.ID(), x.As}] = true
		}
	}
	for _, event := range append(itemsOf(root.Member("events")), root) {
		if at := placeOf(event); at.id != "" && at.start != "" {
			l.places[at.id] = at
		}
		for _, one := range linkedKinds {
			for _, linked := range linkedItems(event.Member(one.member)) {
				if event.Member("id") != nil && linked.Member("id") != nil {
					l.links[link{event.Member("id").Plain(), one.kind, linked.Member("id").Plain()}] = true
				}
			}
		}
	}
}

// refusals are the codes of refused entries that exist.
var refusals = []string{"event-password-protected", "event-not-accessible", "venue-not-accessible", "organizer-not-accessible"}

// see adds an entry.
func (l *Listed) see(kind, id string) {
	if !l.seen[[2]string{kind, id}] {
		l.seen[[2]string{kind, id}] = true
		l.ids[kind] = append(l.ids[kind], id)
	}
}

// linked returns the venues or organizers of an event that the recordings show.
func (l *Listed) linked(event, kind string) (ids []string) {
	for of := range l.links {
		if of.event == event && of.kind == kind {
			ids = append(ids, of.id)
		}
	}
	return ids
}

// linking returns the events with a venue or an organizer, as the recordings show them.
func (l *Listed) linking(kind, id string) (events []string) {
	for of := range l.links {
		if of.kind == kind && of.id == id {
			events = append(events, of.event)
		}
	}
	return events
}

// credentialHeaders carry the credentials of a request.
var credentialHeaders = []string{"Authorization", "Cookie", "X-WP-Nonce"}

// credentialCookie matches the cookies of a login, and of a password of a post.
var credentialCookie = regexp.MustCompile(`(?:^|; ?)(?:wordpress_|wp-postpass_)`)

// hasCredentials reports whether a request has credentials besides those of its exchange's
// login.
func hasCredentials(r recording.Request) bool {
	for _, name := range credentialHeaders {
		if value, sent := r.Header(name); sent && (name != "Cookie" || credentialCookie.MatchString(value)) {
			return true
		}
	}
	return false
}

// idsOf returns the ids of a list's items, nil unless all have one.
func idsOf(list *jsontree.Node) []string {
	if !list.Is(jsontree.Array) {
		return nil
	}
	var ids []string
	for _, item := range list.Items {
		id := item.Member("id")
		if id == nil {
			return nil
		}
		ids = append(ids, id.Plain())
	}
	return ids
}

// refusal is the answer of the target to the single read of an entry.
type refusal struct {
	refused bool
	// missing reports that the target has no such entry, for any login.
	missing bool
	code    string
	// locked reports that the entry is shown without its name, since it is behind a password.
	locked bool
}

// refuses returns whether the target refuses an entry by itself to the login of the case. An
// entry that the reference gave to the same login is not meant to be refused.
func (x *explaining) refuses(ctx context.Context, kind, id string) refusal {
	if x.Ask == nil || !slices.Contains(entryKinds, kind) || id == "" || strings.Trim(id, "0123456789") != "" {
		return refusal{}
	}
	var listed *Listed
	if x.Listed != nil {
		listed = x.Listed()
	}
	r := x.ofTarget(ctx, listed, kind, id)
	if listed != nil && !hasCredentials(x.Sent) && listed.readable[[3]string{kind, id, x.As}] {
		r.refused = false
	}
	return r
}

// ofTarget asks the target for an entry, once for each login.
func (x *explaining) ofTarget(ctx context.Context, listed *Listed, kind, id string) (r refusal) {
	key := fmt.Sprint(kind, " ", id, " ", x.As)
	for _, name := range credentialHeaders {
		value, _ := x.Sent.Header(name)
		key += " " + value
	}
	key += " " + x.nonce()
	if listed != nil {
		if known, found := listed.refused.Load(key); found {
			return known.(refusal)
		}
	}
	answer, err := x.get(ctx, "/"+kind+"/"+id)
	if err != nil {
		return r
	}
	if root, err := jsontree.Parse(answer.Body); err == nil { // a page instead of the API's answer proves nothing
		r = refusal{slices.Contains([]int{400, 401, 403, 404}, answer.Status), answer.Status == 404, root.Member("code").Text(), hiddenName(root, strings.TrimSuffix(kind, "s"))}
	}
	if listed != nil {
		listed.refused.Store(key, r)
	}
	return r
}

// get reads a route below the namespace from the target, as the login of the case.
func (x *explaining) get(ctx context.Context, route string) (recording.Response, error) {
	headers := map[string]string{}
	for name, value := range x.Sent.Headers {
		if !strings.EqualFold(name, "Content-Type") {
			headers[name] = value
		}
	}
	return x.Ask(ctx, recording.Request{Method: "GET", Path: x.under(route), Headers: headers})
}

// nonce returns the nonce in the query of the request, "" for none.
func (x *explaining) nonce() string {
	_, query, _ := strings.Cut(x.Sent.Path, "?")
	return recording.ParsePairs(query).Get("_wpnonce")
}

// under returns the path of a route below the namespace, which may have a query, under the same
// root as the request.
func (x *explaining) under(route string) string {
	path, query, _ := strings.Cut(x.Sent.Path, "?")
	route, more, _ := strings.Cut(string(x.Namespace)+route, "?")
	if x.nonce() != "" {
		more += "&_wpnonce=" + url.QueryEscape(x.nonce())
	}
	if recording.ParsePairs(query).Get("rest_route") != "" {
		return strings.TrimSuffix(path+"?rest_route="+route+"&"+strings.TrimPrefix(more, "&"), "&")
	}
	before, _, found := strings.Cut(path, recording.RESTRoot)
	if !found {
		before = "" // an iCalendar export
	}
	return strings.TrimSuffix(before+recording.RESTRoot+route+"?"+strings.TrimPrefix(more, "&"), "?")
}

// number returns the known difference that hides an entry from a list.
func (r refusal) number(kind string) string {
	if kind == "events" && strings.Contains(r.code, "password") {
		return "S2"
	}
	return "S1"
}

// hidden removes from the recorded body what the target refuses by itself.
func (x *explaining) hidden(ctx context.Context, p *pair) {
	route := x.kind()
	kind, _, _ := strings.Cut(route, "/")
	if slices.Contains(listKinds, kind) && kind == route {
		if !x.used(ctx, p, kind) && !x.upcoming(ctx, p, kind) {
			x.list(ctx, p, kind)
		}
		return
	}
	if kind == "events" {
		x.linked(ctx, p, p.recorded.inner, p.got.inner)
	}
}

// hiddenFilter returns an entry that the request filters by and that the target refuses.
func (x *explaining) hiddenFilter(ctx context.Context) (id string) {
	for _, one := range []struct{ argument, kind string }{{"event", "events"}, {"post", "events"}, {"post_parent", "events"}, {"include", "events"}, {"venue", "venues"}, {"organizer", "organizers"}} {
		for name, values := range x.request.Query {
			if base, _, _ := strings.Cut(name, "["); base != one.argument {
				continue
			}
			for _, value := range values {
				for id := range strings.FieldsFuncSeq(value, func(c rune) bool { return c == ',' || c == ' ' }) {
					if x.refuses(ctx, one.kind, id).refused {
						return id
					}
				}
			}
		}
	}
	return ""
}

// fewerBy returns by how much the totals of the target are smaller; ok is false where they
// cannot be read, or are larger.
func (x *explaining) fewerBy(p *pair) (n int, ok bool) {
	want, have, ok := x.totalsOf(p)
	return want - have, ok && want >= have
}

// totalsOf returns the recorded total and the target's; ok is false where they cannot be read.
func (x *explaining) totalsOf(p *pair) (want, have int, ok bool) {
	read := func(d *document, r recording.Response) (int, bool) {
		text := r.Header("x-tec-total")
		if total := d.inner.Member("total"); total.Is(jsontree.Number) {
			text = total.Raw()
		} else if text == "" {
			if total := d.root.Member("headers").Member("X-TEC-Total"); total != nil {
				text = total.Plain()
			}
		}
		n, err := strconv.Atoi(text)
		return n, err == nil
	}
	want, okWant := read(p.recorded, x.Recorded)
	have, okHave := read(p.got, x.Got)
	return want, have, okWant && okHave
}
