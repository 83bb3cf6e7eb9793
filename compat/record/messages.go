package record

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
)

// refusal is a request that the site refuses with a message. It changes nothing, even on a
// site that does not refuse it for the expected reason.
type refusal struct {
	key           string // of the message among the profile's errors
	as            string
	method, route string
	query, body   string
	headers       map[string]string
}

var asJSON = map[string]string{"Content-Type": "application/json"}

// unknownID is an id that no post has.
const unknownID = "999999999"

// messageRecorder records the messages that the site sends without being changed.
type messageRecorder struct {
	s       *session
	p       *planner
	user    string          // login that is sent only where a message needs it; "" for none
	lacks   map[string]bool // keys of messages that the recording lacks
	plugins []string        // REST namespaces of the site
	posts   hiddenPosts
}

// recordMessages requests the messages of the reference that the recording lacks, and under
// each language's directory all of them, since their wording differs.
func recordMessages(ctx context.Context, o Options, s *session, p *planner, views []view) error {
	m := &messageRecorder{s: s, p: p, user: o.User, plugins: s.result.Header.Plugins, lacks: map[string]bool{}}
	if err := s.out.complete(); err != nil {
		return err
	}
	have, err := profileOf(o)
	if err != nil {
		return err
	}
	for _, message := range have.Missing() {
		m.lacks[message.Key] = true
	}
	if m.posts, err = m.findPosts(ctx); err != nil {
		return err
	}
	for _, v := range views {
		if v.as != recording.Anonymous || v.language != "" && v.dir == "" {
			continue // an argument selects the content, not the wording
		}
		if err := m.record(ctx, v); err != nil {
			return err
		}
	}
	return m.recordFailedLogins(ctx)
}

// wants reports whether a message is to be recorded in a view.
func (m *messageRecorder) wants(v view, key string) bool {
	if v.language == "" {
		return m.lacks[key]
	}
	return !slices.Contains([]string{"wp_die", "rest_path_invalid_type"}, key) // their answers don't name the language
}

// record records the messages in one view.
func (m *messageRecorder) record(ctx context.Context, v view) error {
	var cases []refusal
	refusals := append(m.reads(), m.refusedToVisitors()...)
	if m.user != "" {
		more, err := m.refusedToUser(ctx, v)
		if err != nil {
			return err
		}
		refusals = append(refusals, more...)
	}
	for _, r := range refusals {
		if !m.wants(v, r.key) {
			continue
		}
		if r.method != http.MethodGet || r.headers["X-WP-Nonce"] != "" {
			cases = append(cases, r)
			continue
		}
		m.p.batch = append(m.p.batch, planned{group: "messages", as: recording.Anonymous, request: m.request(v, r)})
	}
	if _, err := m.s.ask(ctx, m.p.take()); err != nil {
		return err
	}
	for _, r := range cases {
		if len(m.s.result.Unrefused) > 0 {
			break // another site than was expected
		}
		if err := m.recordCase(ctx, v, r, 2); err != nil {
			return err
		}
	}
	return nil
}

func (m *messageRecorder) request(v view, r refusal) recording.Request {
	request := recording.Request{Method: r.method, Path: m.p.site.path(v, r.route, r.query), Headers: map[string]string{}}
	for name, value := range r.headers {
		request.Headers[name] = value
	}
	if r.body != "" {
		request.Body = &r.body
	}
	return request
}

// reads returns requests with GET. Further messages come from planWrong and planParameters.
func (m *messageRecorder) reads() []refusal {
	list := []refusal{
		{key: "rest_invalid_namespace", query: "namespace=none"},
		{key: "rest_callback_invalid", query: "_jsonp=bad-name()"},
		{key: "rest_path_invalid_type", query: "rest_route[]=none"},
		{key: "rest_cookie_invalid_nonce", headers: map[string]string{"X-WP-Nonce": "0000000000"}},
		{key: "rest_invalid_json", route: "/events", headers: asJSON, body: "{"},
		{key: "rest-event-not-found", route: "/events/" + unknownID},
	}
	for _, kind := range postKinds {
		list = append(list, refusal{key: kind + "-archive-page-not-found", route: "/" + kind + "s", query: "page=99999"})
	}
	for key, route := range m.posts.routes {
		list = append(list, refusal{key: key, route: route})
	}
	for i := range list {
		list[i].method, list[i].as = http.MethodGet, recording.Anonymous
	}
	slices.SortFunc(list, func(a, b refusal) int { return strings.Compare(a.key, b.key) })
	return list
}

// refusedToVisitors returns requests that would write if they were complete.
func (m *messageRecorder) refusedToVisitors() []refusal {
	namespace := string(m.p.site.namespace)
	return []refusal{
		{"rest_missing_callback_param", recording.Anonymous, http.MethodPost, "/events", "", "{}", asJSON},
		{"rest_forbidden", recording.Anonymous, http.MethodDelete, "/events/" + unknownID, "", "", nil},
		{"wp_die", recording.Anonymous, http.MethodPost, "", "rest_route=" + namespace, "rest_route=" + namespace + "/events",
			map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}},
	}
}

// refusedToUser returns requests that a user with all rights may send, and that the site
// refuses before it writes.
func (m *messageRecorder) refusedToUser(ctx context.Context, v view) ([]refusal, error) {
	var list []refusal
	add := func(key, method, route string, body map[string]any) {
		r := refusal{key: key, as: m.user, method: method, route: route}
		if body != nil {
			data, _ := json.Marshal(body) // strings, numbers and lists always marshal
			r.body, r.headers = string(data), asJSON
		}
		list = append(list, r)
	}
	// An event with a blank title is never made, whatever becomes of its venue.
	event := func(name string, value any) map[string]any {
		return map[string]any{"title": " ", "start_date": "2030-05-01 10:00:00", "end_date": "2030-05-01 12:00:00", name: value}
	}
	add("empty_content", http.MethodPost, "/events", event("timezone", ""))
	add("could-not-create-venue", http.MethodPost, "/events", event("venue", []int{0}))
	if c := m.p.values.collections["/organizers"]; c != nil && len(c.ids) > 0 {
		add("could-not-create-organizer", http.MethodPost, "/events", event("organizer", c.ids[0]+","+c.ids[0]))
	}
	for _, kind := range postKinds {
		// The slug changes when somebody takes the post out of the trash: then none has it.
		if slug := m.posts.trashed[kind]; slug != "" {
			add(kind+"-is-in-trash", http.MethodDelete, "/"+kind+"s/by-slug/"+url.PathEscape(slug), nil)
		}
	}
	add("empty_term_name", http.MethodPost, "/tags", map[string]any{"name": " "})
	add("invalid_term_name", http.MethodPost, "/tags", map[string]any{"name": "<b></b>"})
	tooLong := strings.Repeat("x", 300) // the column has 200 characters
	add("db_insert_error", http.MethodPost, "/tags", map[string]any{"name": tooLong})
	add("rest_taxonomy_not_hierarchical", http.MethodPost, "/tags", map[string]any{"name": tooLong, "parent": 0})
	for _, route := range []string{"/tags", "/categories"} {
		terms, err := m.list(ctx, recording.Anonymous, v, route, "per_page=50&hide_empty=false")
		if err != nil {
			return nil, err
		}
		if len(terms) >= 2 {
			// WordPress looks for the slug first. A name that doesn't fit its column is never stored.
			add("duplicate_term_slug", http.MethodPut, route+"/"+terms[0].id, map[string]any{"slug": terms[1].slug, "name": tooLong})
		}
		if route == "/tags" && !m.polylang() {
			if i := slices.IndexFunc(terms, func(t listed) bool { return t.name != "" && !strings.ContainsAny(t.name, `&<>"'\`) }); i >= 0 {
				add("term_exists", http.MethodPost, route, map[string]any{"name": terms[i].name})
			}
		}
	}
	return list, nil
}

// polylang reports whether the site has Polylang, which makes a term whose name another
// language has.
func (m *messageRecorder) polylang() bool {
	return slices.ContainsFunc(m.plugins, func(namespace string) bool { return strings.HasPrefix(namespace, "pll/") })
}

// recordCase sends a request several times and records it as a case of one step, which
// comparisons don't send: it is a write, or has credentials that are not recorded.
func (m *messageRecorder) recordCase(ctx context.Context, v view, r refusal, times int) error {
	request := m.request(v, r)
	id := "messages-" + recording.RequestID(r.as, request)
	if m.s.out.cases[id] {
		return nil
	}
	var x *recording.Exchange
	for range times {
		answer, _, err := m.s.client.ask(ctx, r.as, request)
		switch {
		case err != nil:
			return fmt.Errorf("%s %s: %w", request.Method, request.Path, err)
		case answer.Status < 300 && request.Method != http.MethodGet:
			m.s.result.Unrefused = append(m.s.result.Unrefused, request.Method+" "+request.Path)
			return nil
		case x == nil:
			x = &recording.Exchange{ID: id, As: r.as, Request: request, Response: answer}
		default:
			x.Noise = noiseBetween(x, answer)
		}
	}
	x = recording.Redact(x, m.s.secrets)
	c := &recording.Case{ID: id, As: r.as, Steps: []recording.Step{{Request: x.Request, Response: x.Response, Noise: x.Noise}}, Rows: map[string]recording.TableChange{}}
	if err := m.s.out.write(c); err != nil {
		return err
	}
	m.s.out.cases[id] = true
	m.s.result.Refused++
	return nil
}

// recordFailedLogins records the messages about logins that fail. It sends each request
// once, so that no protection against guessed passwords shuts the client out.
func (m *messageRecorder) recordFailedLogins(ctx context.Context) error {
	for _, f := range []struct{ key, login string }{
		{"invalid_username", "calbridge-no-such-user"}, {"invalid_email", "calbridge-no-such-user@example.org"}, {"incorrect_password", m.user},
	} {
		if !m.lacks[f.key] || f.login == "" {
			continue
		}
		r := refusal{key: f.key, as: recording.Anonymous, method: http.MethodGet, headers: map[string]string{"Authorization": recording.BasicAuthorization(f.login, "wrong")}}
		if err := m.recordCase(ctx, view{}, r, 1); err != nil {
			return err
		}
	}
	return nil
}

// listed is an item of a list: a post or a term.
type listed struct{ id, slug, name string }

// list returns the first items of a list. It is empty if the site refuses the request.
func (m *messageRecorder) list(ctx context.Context, as string, v view, route, query string) ([]listed, error) {
	answer, _, err := m.s.client.ask(ctx, as, recording.Request{Method: http.MethodGet, Path: m.p.site.path(v, route, query)})
	if err != nil {
		return nil, err
	}
	root, err := jsontree.Parse(answer.Body)
	if err != nil || answer.Status != http.StatusOK {
		return nil, nil
	}
	var items []listed
	if list := listIn(root); list != nil {
		for _, item := range list.Items {
			if id := item.Member("id"); id.Is(jsontree.Number) {
				items = append(items, listed{id.Raw(), item.Member("slug").Text(), item.Member("name").Text()})
			}
		}
	}
	return items, nil
}

var postKinds = []string{"event", "venue", "organizer"}

// hiddenPosts holds posts that lists don't show.
type hiddenPosts struct {
	routes  map[string]string // routes of posts, by the message that they are refused with
	trashed map[string]string // slugs of posts in the trash, by kind
}

// The limits of the search for posts that lists don't show.
const (
	maxProbes = 150
	// probesAbove is the number of ids above the highest known one.
	probesAbove = 20
)

// findPosts finds posts that are refused with the messages that the recording lacks: in
// the lists, in those that the user sees, and by their ids.
func (m *messageRecorder) findPosts(ctx context.Context) (hiddenPosts, error) {
	found := hiddenPosts{routes: map[string]string{}, trashed: map[string]string{}}
	if c := m.p.values.collections["/events"]; c != nil && c.protected != "" {
		found.routes["event-password-protected"] = "/events/" + c.protected
	}
	for _, kind := range postKinds[1:] {
		if c := m.p.values.collections["/"+kind+"s"]; c != nil && len(c.ids) > 0 {
			found.routes["rest-invalid-event-id"] = "/events/" + c.ids[0]
		}
	}
	if m.user != "" {
		if err := m.findAsUser(ctx, found); err != nil {
			return found, err
		}
	}
	return found, m.probe(ctx, found)
}

// findAsUser searches the lists of drafts, of private posts and of the trash.
func (m *messageRecorder) findAsUser(ctx context.Context, found hiddenPosts) error {
	for _, kind := range postKinds {
		route, query := "/"+kind+"s", "per_page=1&status="
		if kind == "event" {
			query = "start_date=1970-01-02&end_date=2100-01-01&" + query
		}
		for _, status := range []string{"draft", "private", "trash"} {
			key := kind + "-not-accessible"
			if kind == "event" && status == "trash" {
				key = "event-no-longer-available"
			}
			if status == "private" && found.routes[key] != "" {
				continue
			}
			items, err := m.list(ctx, m.user, view{}, route, query+status)
			if err != nil {
				return err
			}
			if len(items) == 0 {
				continue
			}
			if found.routes[key] == "" {
				found.routes[key] = route + "/" + items[0].id
			}
			if status == "trash" && strings.HasSuffix(items[0].slug, "__trashed") {
				found.trashed[kind] = items[0].slug
			}
		}
	}
	return nil
}

// probe requests ids that no list has, from the highest one down: drafts and the trash are
// mostly recent. It tries those of other posts as venues and organizers too.
func (m *messageRecorder) probe(ctx context.Context, found hiddenPosts) error {
	lacks := func(keys ...string) bool {
		return slices.ContainsFunc(keys, func(key string) bool { return m.lacks[key] && found.routes[key] == "" })
	}
	left := maxProbes
	try := func(route string) (code string, err error) {
		left--
		answer, _, err := m.s.client.ask(ctx, recording.Anonymous, recording.Request{Method: http.MethodGet, Path: m.p.site.path(view{}, route, "")})
		if err != nil {
			return "", err
		}
		root, err := jsontree.Parse(answer.Body)
		if err != nil {
			return "", nil
		}
		if code = root.Member("code").Text(); lacks(code) {
			found.routes[code] = route
		}
		return code, nil
	}
	linked := []string{"venue-not-accessible", "organizer-not-accessible"}
	keys := append([]string{"rest-invalid-event-id", "event-no-longer-available", "event-not-accessible", "event-password-protected"}, linked...)
	for _, id := range m.unlisted() {
		if left <= 0 || !lacks(keys...) {
			break
		}
		code, err := try("/events/" + id)
		if err != nil {
			return err
		}
		for _, key := range linked {
			if kind, _, _ := strings.Cut(key, "-"); code == "rest-invalid-event-id" && lacks(key) {
				if _, err := try("/" + kind + "s/" + id); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// unlisted returns ids of posts that no list has, the highest first.
func (m *messageRecorder) unlisted() (ids []string) {
	listed, highest := map[int]bool{}, 0
	for _, kind := range postKinds {
		if c := m.p.values.collections["/"+kind+"s"]; c != nil {
			for _, text := range c.ids {
				if id, err := strconv.Atoi(text); err == nil {
					listed[id], highest = true, max(highest, id)
				}
			}
		}
	}
	for id := highest + probesAbove; id > 0 && len(ids) < maxProbes; id-- {
		if !listed[id] {
			ids = append(ids, strconv.Itoa(id))
		}
	}
	return ids
}
