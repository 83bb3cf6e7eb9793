package rest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"calbridge/rest/api"
)

// What a request may cost in statements, whatever it says.
const (
	refusedStatements = 20
	readStatements    = 100
	writeStatements   = 100 // and rowStatements for each row that the write inserts, changes or deletes
	rowStatements     = 3
)

// hostileValues returns JSON values of arguments whose entries could each cost a statement.
func hostileValues() map[string]string {
	list := func(n int, entry func(i int) string) string {
		all := make([]string, n)
		for i := range all {
			all[i] = entry(i)
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	inline := func(more string) func(int) string {
		return func(i int) string {
			return fmt.Sprintf(`{"organizer":"o%d","venue":"v%d","email":"e%d"%s}`, i, i, i, strings.ReplaceAll(more, "#", fmt.Sprint(i)))
		}
	}
	values := map[string]string{
		"one id again and again": list(100_000, func(int) string { return "201" }),
		"ids":                    list(10_000, func(i int) string { return fmt.Sprint(i + 1) }),
		"ids as text":            `"` + strings.Trim(list(10_000, func(i int) string { return fmt.Sprint(i + 1) }), "[]") + `"`,
		"existing ids":           list(9000, func(i int) string { return fmt.Sprint(201 + i%2) }),
		"existing organizers":    list(9000, func(i int) string { return fmt.Sprint(301 + i%2) }),
		"names":                  list(1000, func(i int) string { return fmt.Sprintf(`"name %d"`, i) }),
		"some names":             list(100, func(i int) string { return fmt.Sprintf(`"name %d"`, i) }),
		"names of one term":      list(100, func(i int) string { return `"Mus` + strings.Repeat(`\\`, i) + `ic"` }),
		"texts":                  `"` + strings.Repeat("a b,", 5000) + `"`,
		"new ones":               list(50, inline("")),
		"too many new ones":      list(60, inline("")),
		"new ones of authors":    list(50, inline(`,"author":#`)),
		"new ones with pictures": list(50, inline(`,"image":"40#"`)),
		"equal new ones":         list(50, func(int) string { return inline("")(0) }),
		"equal names":            list(50, func(i int) string { return fmt.Sprintf(`{"organizer":"Same","venue":"Same","phone":"%d"}`, i) }),
		"refused at the end":     strings.TrimSuffix(list(49, inline("")), "]") + `,{"organizer":"z","venue":"z","status":"private"}]`,
		"empty at the end":       strings.TrimSuffix(list(49, inline("")), "]") + `,{"organizer":"<script></script>"}]`,
		"one with data":          `{"venue":"x","organizer":"y","image":"401"}`,
		"deep":                   strings.Repeat("[", 60) + strings.Repeat("]", 60),
	}
	values["new and existing"] = strings.TrimSuffix(values["new ones"], "]") + "," + strings.TrimPrefix(values["existing ids"], "[")
	return values
}

// indexEndpoint is an endpoint of a route as the index describes it.
type indexEndpoint struct {
	Methods []string
	Args    json.RawMessage
}

// arguments returns the descriptions of the endpoint's arguments by their names.
func (e *indexEndpoint) arguments() (args map[string]any) {
	_ = json.Unmarshal(e.Args, &args) // [] without any
	return args
}

// indexRoutes returns the endpoints of the index by the patterns of their routes.
func (s *testSite) indexRoutes() map[string][]indexEndpoint {
	s.t.Helper()
	var index struct {
		Routes map[string]struct{ Endpoints []indexEndpoint }
	}
	if err := json.Unmarshal([]byte(s.get("").body), &index); err != nil {
		s.t.Fatal(err)
	}
	routes := map[string][]indexEndpoint{}
	for pattern, route := range index.Routes {
		routes[pattern] = route.Endpoints
	}
	return routes
}

// hostileEndpoint is a method of a route with the names of its arguments.
type hostileEndpoint struct {
	method, target string
	args           []string
}

// hostileEndpoints returns those of the index: all that write nothing first, all that delete
// last.
func (s *testSite) hostileEndpoints() []hostileEndpoint {
	s.t.Helper()
	items := map[string]string{"events": "101", "venues": "201", "organizers": "301", "categories": "34", "tags": "41"}
	slugs := map[string]string{"events": "dance", "venues": "old-mill", "organizers": "friends"}
	var out []hostileEndpoint
	for pattern, endpoints := range s.indexRoutes() {
		target := strings.TrimPrefix(strings.TrimPrefix(pattern, "/calendar/events/v1"), "/")
		collection, rest, _ := strings.Cut(target, "/")
		switch {
		case strings.HasPrefix(rest, "by-slug"):
			target = collection + "/by-slug/" + slugs[collection]
		case rest != "":
			target = collection + "/" + items[collection]
		}
		for _, endpoint := range endpoints {
			e := hostileEndpoint{method: endpoint.Methods[0], target: target}
			for name := range endpoint.arguments() {
				e.args = append(e.args, name)
			}
			slices.Sort(e.args)
			out = append(out, e)
		}
	}
	order := func(e hostileEndpoint) string {
		return fmt.Sprint(slices.Index([]string{"GET", "POST", "PUT", "DELETE"}, e.method), e.target)
	}
	slices.SortFunc(out, func(a, b hostileEndpoint) int { return strings.Compare(order(a), order(b)) })
	return out
}

// acceptable is a body with what each endpoint that makes something requires.
const acceptable = `"title":"x","start_date":"2027-03-01 10:00","end_date":"2027-03-01 11:00"`

// TestStatementsOfHostileRequests: on every route, with every argument and role, a refused
// request, a read and a write run no more statements than the bounds above.
func TestStatementsOfHostileRequests(t *testing.T) {
	oneAtATime(t)
	values := hostileValues()
	if testing.Short() {
		few := []string{"existing ids", "ids", "some names", "new and existing", "refused at the end"}
		maps.DeleteFunc(values, func(name, _ string) bool { return !slices.Contains(few, name) })
	}
	requests, refused, reads, writes, perRow := 0, 0, 0, 0, 0.0
	for _, level := range []api.Compat{api.Exact, api.Safe} {
		s := newTestSite(t, atLevel(level), func(c *Config) { c.SiteRefresh = 1 << 60 })
		send := func(e hostileEndpoint, as, what string, a ask) {
			before := s.rowChanges()
			a.method, a.target, a.as, a.contentType = e.method, e.target, as, jsonType
			got := s.do(a)
			requests++
			switch n := s.seen.Queries; {
			case got.status >= 500 && !known500[s.seen.Code]:
				t.Fatalf("%v %s /%s as %q, %s: %s %v", level, e.method, e.target, as, what, got.outcome(), s.seen.Err)
			case got.status >= 400:
				refused = max(refused, n)
				if n > refusedStatements {
					t.Errorf("%v %s /%s as %q, %s: %s after %d statements", level, e.method, e.target, as, what, got.outcome(), n)
				}
			case e.method == "GET":
				reads = max(reads, n)
				if n > readStatements {
					t.Errorf("%v %s /%s as %q, %s: %d statements", level, e.method, e.target, as, what, n)
				}
			default:
				writes = max(writes, n)
				rows := s.rowChanges() - before
				perRow = max(perRow, float64(n-writeStatements)/float64(max(rows, 1)))
				if n > writeStatements+rowStatements*rows {
					t.Errorf("%v %s /%s as %q, %s: %d statements for %d rows", level, e.method, e.target, as, what, n, rows)
				}
			}
		}
		for _, e := range s.hostileEndpoints() {
			for _, as := range []string{"", "karel", "edita"} {
				send(e, as, "nothing", ask{})
				for _, arg := range e.args {
					for name, value := range values {
						body := `{` + acceptable + `,"venue":"v","organizer":"o","name":"n","` + arg + `":` + value + `}`
						if e.target == "events" || strings.HasPrefix(e.target, "events/") {
							body = `{` + acceptable + `,"` + arg + `":` + value + `}`
						}
						send(e, as, arg+": "+name, ask{body: body})
					}
				}
				for name, value := range values { // in several arguments at once
					body := `{` + acceptable + `,"venue":` + value + `,"organizer":` + value + `,"categories":` + value + `,"tags":` + value + `,"include":` + value + `,"exclude":` + value + `}`
					send(e, as, "all: "+name, ask{body: body})
				}
			}
		}
	}
	t.Logf("%d requests; at most %d statements refused, %d read, %d written, %.1f for each row beyond the first %d", requests, refused, reads, writes, perRow, writeStatements)
}

// rowChanges returns the number of rows that have been inserted, changed and deleted so far.
func (s *testSite) rowChanges() (n int) {
	s.t.Helper()
	fmt.Sscan(s.column("SELECT total_changes()"), &n)
	return n
}
