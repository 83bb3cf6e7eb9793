package systemtest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"calbridge/rest"
	"calbridge/rest/api"
)

// refusal is a value that a field does not accept.
type refusal struct {
	value any
	want  string // status and code; "" for 400 rest_invalid_param
	// late refusals follow the check of permissions, so only users who may write get them.
	late bool
	only string // "create" or "update", "" for both
}

const badParam = "400 rest_invalid_param"

func invalid(values ...any) []refusal {
	out := make([]refusal, len(values))
	for i, v := range values {
		out[i] = refusal{value: v}
	}
	return out
}

func late(want string, values ...any) []refusal {
	var out []refusal
	for _, v := range values {
		out = append(out, refusal{value: v, want: want, late: true})
	}
	return out
}

func both(lists ...[]refusal) (out []refusal) {
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

type object = map[string]any

var (
	long = strings.Repeat("x", 201)
	// notText lists values that a field of type string does not accept.
	notText = invalid(5, 1.5, true, false, []any{}, object{}, []any{"a"}, object{"a": "b"})
	notSet  = []refusal{{value: nil, only: "update"}} // on creation a required field is missing
	unset   = invalid(nil)
	notBool = invalid("yes", "no", "on", "off", "", nil, []any{}, object{}, "enabled", 2, -1, "2", 1.5, []any{true}, " true")
	notTime = invalid("", "garbage", "25:00", "2027-13-01 10:00", "2027-06-05 25:00", "1970-01-01", "@0", "12 parsecs", 1814436900, 0, 1.5, true, false,
		[]any{}, []any{"now"}, object{"a": "now"})
	notUser   = invalid("", "abc", "0", 0, -1, 99999, "1.5", 1.5, true, false, []any{}, []any{1}, object{"id": 1}, nil)
	notStatus = both(invalid("published", "", "any", "PUBLISH", " publish", "publish,draft", "trash "), notText, unset)
	notZone   = both(invalid("Mars/Phobos", "5", "utc+2", "Europe/Nowhere", "+99:99:99"), notText, unset)
	notURL    = invalid("foo", "example.org", "http://", "https://exämple.org", "https://a b.example", "//example.org", "javascript:alert(1)", "https://exa_mple.org",
		5, true, 1.5, []any{"https://example.org"}, object{"a": "https://example.org"})
	notImage = both(invalid("999999", "45", "18", "abc", "-1", "1e9", 5, true, 1.5, []any{"120"}, object{"id": "120"}), unset)
)

// refusals lists the refused values of every field for every kind of object.
var refusals = map[string]map[string][]refusal{
	"/events": {
		"title":       both(invalid("", "0"), notText, notSet, []refusal{{value: " \t\n", want: "500 empty_content", late: true, only: "create"}}),
		"description": both(invalid("", "0"), notText, unset),
		"excerpt":     both(invalid("", "0"), notText, unset),
		"slug":        both(invalid("", "0"), notText, unset),
		"author":      notUser,
		"date":        both(notTime, unset),
		"date_utc":    both(notTime, unset),
		"start_date":  both(notTime, notSet),
		"end_date":    both(notTime, notSet),
		"status":      notStatus,
		"timezone":    both(notZone, late("500 internal_server_error", "UTCfoo")),
		"all_day":     notBool, "show_map": notBool, "show_map_link": notBool, "hide_from_listings": notBool, "sticky": notBool, "featured": notBool,
		"image":      both(notImage, invalid("", "0", false, []any{})),
		"website":    notURL,
		"categories": late("500 internal_server_error", []any{object{"a": 1}}, []any{[]any{3}}, object{"a": []any{"b"}}),
		"tags":       late("500 internal_server_error", []any{object{"a": 1}}, []any{[]any{15}}),
		"venue": both(invalid(999999, "999999", "abc", "45", 45, 33, true, -1, 1.5, "18,999999", []any{999999}, []any{18, "x"}, object{"id": 999999}, object{"city": "x"},
			object{"venue": 5}, object{"venue": "x", "city": 5}, object{"venue": "x", "website": "foo"}, object{"venue": "x", "status": "nope"},
			object{"venue": "x", "author": 99999}, object{"venue": "x", "date": "garbage"}, object{"venue": "x", "image": "999999"}),
			late("400 could-not-create-venue", object{"venue": ""}, []any{0}, "18,18", []any{18}, []any{object{"venue": "x"}})),
		"organizer": both(invalid(999999, "abc", "45", 45, 18, true, -1, "33,999999", []any{999999}, []any{33, "x"}, object{"id": 999999}, object{"phone": "x"},
			object{"organizer": 5}, object{"organizer": "x", "phone": 5}, []any{object{"organizer": "x", "website": "foo"}}, []any{object{"organizer": "x", "email": 7}},
			[]any{object{"organizer": "x", "status": "nope"}}, []any{object{"organizer": "x", "author": "abc"}}, []any{object{"organizer": ""}, 33}),
			late("400 could-not-create-organizer", "33,34", object{"organizer": "x"}, object{"id": 33, "x": 1})),
	},
	"/venues": {
		"venue":       both(invalid("", "0"), notText, notSet),
		"description": both(notText, unset),
		"address":     both(notText, unset), "city": both(notText, unset), "country": both(notText, unset), "province": both(notText, unset),
		"state": both(notText, unset), "zip": both(notText, unset), "phone": both(notText, unset), "stateprovince": both(notText, unset),
		"show_map": both(notText, unset), "show_map_link": both(notText, unset),
		"website": both(notURL, unset, invalid(false, []any{}, object{})),
		"image":   both(notImage, invalid(false, []any{})),
		"author":  notUser, "date": both(notTime, unset), "date_utc": both(notTime, unset), "status": notStatus,
	},
	"/organizers": {
		"organizer":   both(invalid("", "0"), notText, notSet),
		"description": both(notText, unset), "phone": both(notText, unset), "email": both(notText, unset),
		"website": both(notURL, unset, invalid(false, []any{}, object{})),
		"image":   both(notImage, invalid(false, []any{})),
		"author":  notUser, "date": both(notTime, unset), "date_utc": both(notTime, unset), "status": notStatus,
	},
	"/categories": {
		"name": both(invalid(""), notText, notSet, late("500 empty_term_name", "  ", "\n"), late("500 invalid_term_name", "<b></b>", "<i> </i>"),
			late("500 db_insert_error", long)),
		"description": both(invalid("", "0"), notText, unset),
		"slug":        both(invalid("", "0"), notText, unset),
		"parent":      invalid(0, "", "0", "abc", 99999, -1, 15, 1.5, true, []any{}, []any{"a"}, object{"a": 3}, nil),
	},
	"/tags": {
		"name": both(invalid(""), notText, notSet, late("500 empty_term_name", "  "), late("500 invalid_term_name", "<b></b>"),
			late("500 db_insert_error", long)),
		"description": both(invalid("", "0"), notText, unset),
		"slug":        both(invalid("", "0"), notText, unset),
		"parent":      late("400 rest_taxonomy_not_hierarchical", 3, 0, "x", []any{}),
	},
}

// complete holds the smallest body that creates an object of a kind.
var complete = map[string]object{
	"/events":     {"title": "x", "start_date": "2027-06-05 19:00", "end_date": "2027-06-05 21:00"},
	"/venues":     {"venue": "x"},
	"/organizers": {"organizer": "x"},
	"/categories": {"name": "x"},
	"/tags":       {"name": "x"},
}

// TestInvalidValues sends every kind of value that a field does not take, to every
// endpoint that has the field, as users who may write, users who may not and
// anonymous clients, and compares the whole database before and after.
func TestInvalidValues(t *testing.T) {
	if testing.Short() {
		t.Skip("13,000 requests on the embedded engine")
	}
	items := map[string]string{"/events": "/events/45", "/venues": "/venues/18", "/organizers": "/organizers/33", "/categories": "/categories/3", "/tags": "/tags/15"}
	for _, mode := range []api.Compat{api.Exact, api.Safe} {
		t.Run(string(mode), func(t *testing.T) {
			s := newWriteSite(t, "sqlite", func(c *rest.Config) { c.Compat = mode })
			requests := 0
			bySlug := map[string]string{}
			for _, kind := range []string{"/events", "/venues", "/organizers"} {
				_, item := s.send("admin", "GET", items[kind], "")
				bySlug[kind] = fmt.Sprint(kind, "/by-slug/", item["slug"])
			}
			for kind, fields := range refusals {
				for field, list := range fields {
					for _, r := range list {
						for _, method := range []string{"POST", "PUT", "PATCH"} {
							path, action := kind, "create"
							if method != "POST" {
								path, action = items[kind], "update"
							}
							if method == "PATCH" && bySlug[kind] != "" {
								path = bySlug[kind]
							}
							if r.only != "" && r.only != action {
								continue
							}
							body := object{}
							for name, v := range complete[kind] {
								if action == "create" || r.late && strings.HasSuffix(name, "_date") {
									body[name] = v
								}
							}
							body[field] = r.value
							text, _ := json.Marshal(body)
							want := r.want
							if want == "" {
								want = badParam
							}
							for _, as := range []string{"admin", "contributor1", ""} {
								if r.late && as != "admin" {
									continue
								}
								status, answer := s.send(as, method, path, string(text))
								requests++
								got := fmt.Sprintf("%d %v", status, answer["code"])
								if got != want {
									t.Errorf("%s %s as %q: %s: %s, want %s", method, path, as, text, got, want)
									continue
								}
								data, _ := answer["data"].(map[string]any)
								if params, _ := data["params"].(map[string]any); want == badParam && (len(params) != 1 || params[field] == nil) {
									t.Errorf("%s %s as %q: %s: names %v", method, path, as, text, params)
								}
							}
						}
					}
					s.unchanged(t, kind+" "+field)
				}
			}
			t.Logf("%d requests", requests)
		})
	}
}

// unchanged checks that the whole database has not changed.
func (s *writeSite) unchanged(t *testing.T, what string) {
	t.Helper()
	if changes := s.snapshot.Changes(t); len(changes) > 0 {
		t.Errorf("%s: rows have changed: %.2000s", what, fmt.Sprint(changes))
		s.snapshot.Restore(t)
	}
}

// TestRefusedRequests checks requests with several wrong values.
func TestRefusedRequests(t *testing.T) {
	oneAtATime(t)
	for _, mode := range []api.Compat{api.Exact, api.Safe} {
		t.Run(string(mode), func(t *testing.T) {
			s := newWriteSite(t, "sqlite", func(c *rest.Config) { c.Compat = mode })
			event := `{` + testEvent + `}`
			// The objects in the trash must exist before the comparison begins.
			for _, path := range []string{"/events/48", "/venues/18", "/organizers/34"} {
				if status, answer := s.send("admin", "DELETE", path, ""); status != 200 {
					t.Fatalf("DELETE %s: %d %v", path, status, answer)
				}
			}
			s.snapshot = takeSnapshot(t, s.db, notCompared...)
			for _, tt := range []struct{ as, method, path, body, want string }{
				{"admin", "POST", "/events", `{"title": "x"}`, "400 rest_missing_callback_param"},
				{"admin", "POST", "/events", `{"title": null, "start_date": "now", "end_date": "now"}`, "400 rest_missing_callback_param"},
				{"", "POST", "/venues", `{}`, "400 rest_missing_callback_param"},
				{"admin", "POST", "/organizers", `{"organizer": null}`, "400 rest_missing_callback_param"},
				{"admin", "POST", "/categories", `{}`, "400 rest_missing_callback_param"},
				{"admin", "POST", "/tags", `{"slug": "x"}`, "400 rest_missing_callback_param"},
				{"admin", "POST", "/events", `{"title": `, "400 rest_invalid_json"},
				{"", "PUT", "/events/45", `nonsense`, "400 rest_invalid_json"},
				{"author1", "POST", "/events", `{"title": "<script></script>", "start_date": "2027-06-05", "end_date": "2027-06-05"}`, "500 empty_content"},
				{"author1", "POST", "/events", `{"title": "<script></script>", "start_date": "2027-06-05", "end_date": "2027-06-05", "tags": ["in vain"], "categories": ["in vain"], "venue": {"venue": "in vain"}, "organizer": [{"organizer": "in vain"}]}`, "500 empty_content"},
				{"", "POST", "/events", event, "401 rest_forbidden"},
				{"subscriber1", "POST", "/events", event, "403 rest_forbidden"},
				{"", "POST", "/venues", `{"venue": "x"}`, "401 rest_forbidden"},
				{"subscriber1", "POST", "/organizers", `{"organizer": "x"}`, "403 rest_forbidden"},
				{"contributor1", "POST", "/categories", `{"name": "x"}`, "403 rest_forbidden"},
				{"author1", "POST", "/tags", `{"name": "x"}`, "403 rest_forbidden"},
				{"author1", "PUT", "/tags/15", `{"name": "x"}`, "403 rest_forbidden"},
				{"author1", "PUT", "/events/45", `{"title": "x"}`, "403 rest_forbidden"},
				{"subscriber1", "DELETE", "/categories/3", "", "403 rest_forbidden"},
				{"", "DELETE", "/tags/15", "", "401 rest_forbidden"},
				{"contributor1", "PUT", "/events/45", `{"title": "x"}`, "403 rest_forbidden"},
				{"contributor1", "DELETE", "/events/45", "", "403 rest_forbidden"},
				{"contributor1", "DELETE", "/venues/18", "", "403 rest_forbidden"},
				{"", "PUT", "/venues/18", `{}`, "401 rest_forbidden"},
				{"admin", "PUT", "/events/999999", `{}`, "404 rest-event-not-found"},
				{"admin", "DELETE", "/events/0", "", "404 rest-event-not-found"},
				{"admin", "PUT", "/events/18", `{}`, "400 rest-invalid-event-id"},
				{"admin", "DELETE", "/events/18", "", "400 rest-invalid-event-id"},
				{"admin", "PUT", "/events/by-slug/nowhere", `{}`, "404 rest-event-not-found"},
				{"admin", "DELETE", "/events/by-slug/nowhere", "", badParam},
				{"admin", "PUT", "/events/45", `{"id": 999999}`, "404 rest-event-not-found"},
				{"admin", "PUT", "/venues/45", `{}`, badParam},
				{"admin", "DELETE", "/venues/999999", "", badParam},
				{"admin", "PUT", "/organizers/18", `{}`, badParam},
				{"admin", "DELETE", "/organizers/by-slug/nowhere", "", badParam},
				{"admin", "PUT", "/venues/by-slug/nowhere", `{}`, badParam},
				{"admin", "PUT", "/categories/15", `{}`, badParam},
				{"admin", "DELETE", "/categories/999999", "", badParam},
				{"admin", "DELETE", "/tags/3", "", badParam},
				{"admin", "DELETE", "/events/48", "", "410 event-is-in-trash"},
				{"editor1", "DELETE", "/venues/18?force=1", "", "410 venue-is-in-trash"},
				{"admin", "DELETE", "/organizers/34", "", "410 organizer-is-in-trash"},
				{"admin", "PUT", "/events", event, "404 rest_no_route"},
				{"admin", "DELETE", "/events", "", "404 rest_no_route"},
				{"admin", "DELETE", "/tags", "", "404 rest_no_route"},
				{"admin", "POST", "/events/abc", event, "404 rest_no_route"},
				{"admin", "POST", "/events?title[]=x&start_date=now&end_date=now", "", badParam},
				{"admin", "POST", "/events?title=x&start_date=now&end_date=now&all_day=yes", "", badParam},
				{"admin", "POST", "/events?title=x&start_date=now&end_date=never&sticky=", "", badParam},
				{"", "POST", "/events?title=x&start_date=now&end_date=now&author=abc", "", badParam},
				{"admin", "PUT", "/venues/18?venue[a]=x&show_map[]=1", "", badParam},
				{"admin", "POST", "/tags?name[]=x", "", badParam},
				{"admin", "POST", "/categories?name=x&parent=0", "", badParam},
				{"admin", "POST", "/events/45?_method=DELETE&id=18", "", "400 rest-invalid-event-id"},
				{"admin", "POST", "/tags", `{"name": "zdarma"}`, "400 term_exists"},
				{"admin", "POST", "/tags", `{"name": "Zdarma", "slug": "zdarma"}`, "400 term_exists"},
				{"admin", "PUT", "/tags/15", `{"name": "x", "parent": 3}`, "400 rest_taxonomy_not_hierarchical"},
			} {
				status, answer := s.send(tt.as, tt.method, tt.path, tt.body)
				if got := fmt.Sprintf("%d %v", status, answer["code"]); got != tt.want {
					t.Errorf("%s %s as %q: %s: %s, want %s", tt.method, tt.path, tt.as, tt.body, got, tt.want)
				}
				s.unchanged(t, tt.method+" "+tt.path+" "+tt.body)
			}
		})
	}
}
