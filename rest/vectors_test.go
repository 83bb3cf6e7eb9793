package rest

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1"
	"calbridge/testdata"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// vectors reads a file of inputs and outputs that were recorded off a reference
// site; they are no part of this repository.
func vectors[T any](t *testing.T, name string) []T {
	t.Helper()
	data, err := os.ReadFile(testdata.Shared(t, "vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	var out []T
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// vectorSite returns the site that the vectors were made on.
func vectorSite(t *testing.T, changes ...func(*Config)) *testSite {
	t.Helper()
	s := emptyTestSite(t, append([]func(*Config){func(c *Config) { c.Namespace = "tribe/events/v1" }}, changes...)...)
	for name, v := range map[string]string{
		"home": "https://cal.example.test", "siteurl": "https://cal.example.test", "permalink_structure": "/%postname%/",
		"use_smilies": "1", "blog_charset": "UTF-8", "date_format": "F j, Y", "timezone_string": "UTC", "db_version": "61833", "posts_per_page": "10",
		"tec_ct1_migration_state": `a:1:{s:5:"phase";s:22:"migration-not-required";}`,
	} {
		s.setOption(name, v)
	}
	s.setOption("wp_user_roles", testRoles())
	s.addUser(1, "admin", "administrator")
	return s
}

const vectorBase = "/wp-json/tribe/events/v1/"

// phpOf turns decoded JSON into PHP's values.
func phpOf(t *testing.T, raw json.RawMessage) php.Value {
	t.Helper()
	if len(raw) == 0 {
		return nil
	}
	return value(t, string(raw))
}

func TestCostVectors(t *testing.T) {
	oneAtATime(t)
	type vector struct {
		Name, Kind, Locale string
		Input              json.RawMessage
		Output             json.RawMessage
	}
	n := 0
	for _, v := range vectors[vector](t, "cost.json") {
		if v.Kind != "read" {
			continue
		}
		var in struct {
			Costs    []string `json:"_EventCost"`
			Symbol   *string  `json:"_EventCurrencySymbol"`
			Position *string  `json:"_EventCurrencyPosition"`
			Code     *string  `json:"_EventCurrencyCode"`
			Options  json.RawMessage
		}
		var want struct {
			Cost    string
			Details json.RawMessage `json:"cost_details"`
		}
		if err := json.Unmarshal(v.Input, &in); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(v.Output, &want); err != nil {
			t.Fatal(err)
		}
		t.Run(v.Name, func(t *testing.T) {
			s := vectorSite(t)
			if v.Locale != "en_US" {
				s.setOption("WPLANG", v.Locale)
			}
			s.setOption("tribe_events_calendar_options", phpOf(t, in.Options))
			s.insert("posts", row{"ID": 114, "post_type": "tribe_events", "post_name": "x"})
			for _, m := range []struct {
				key string
				v   *string
			}{{"_EventCurrencySymbol", in.Symbol}, {"_EventCurrencyPosition", in.Position}, {"_EventCurrencyCode", in.Code}} {
				if m.v != nil {
					s.addMeta(114, m.key, *m.v)
				}
			}
			for _, cost := range in.Costs {
				s.addMeta(114, "_EventCost", cost)
			}
			a := s.get(vectorBase + "events/114")
			got := jsonMembers(t, a.body, "cost", "cost_details")
			expected := string(phpjson.Append(nil, want.Cost)) + string(phpjson.Append(nil, phpOf(t, want.Details)))
			if got != expected {
				t.Errorf("%s\n got %s\nwant %s", v.Input, got, expected)
			}
		})
		n++
	}
	if n < 40 {
		t.Errorf("only %d vectors of costs were read", n)
	}
	t.Logf("%d vectors", n)
}

// jsonMembers returns members of a JSON object as they stand.
func jsonMembers(t *testing.T, body string, names ...string) string {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body), &members); err != nil {
		t.Fatalf("%v: %.300s", err, body)
	}
	var out strings.Builder
	for _, name := range names {
		out.Write(members[name])
	}
	return out.String()
}

func TestPermalinkVectors(t *testing.T) {
	oneAtATime(t)
	type vector struct {
		Name  string
		Input struct {
			Options  map[string]string
			Calendar json.RawMessage `json:"tribe_events_calendar_options"`
			HTTPS    bool            `json:"request_https"`
			User     *string         `json:"current_user"`
			Object   struct {
				ID                                      int64
				Post_type, Post_status, Post_name, Kind string
				Taxonomy, Slug                          string
				Term_id, Parent                         int64
				Parent_slug                             string
			}
		}
		Output map[string]string
	}
	all := vectors[vector](t, "permalinks.json")
	for _, v := range all {
		t.Run(v.Name, func(t *testing.T) {
			s := vectorSite(t)
			for name, option := range v.Input.Options {
				s.setOption(name, option)
			}
			s.setOption("tribe_events_calendar_options", phpOf(t, v.Input.Calendar))
			c := s.exchange("")
			if v.Input.User != nil {
				c = s.exchange("admin")
			}
			c.req.Place.Links = c.req.Place.Site.Place(v.Input.HTTPS).Links
			o := v.Input.Object
			links := tribev1.LinksOf(&c.req, c.req.Place.Links)
			got := map[string]string{}
			if o.Kind == "term" {
				tax := api.Tags
				if o.Taxonomy == api.Categories.Name {
					tax = api.Categories
				}
				var above []string
				if o.Parent_slug != "" {
					above = []string{o.Parent_slug}
				}
				got["url"] = c.req.Place.Links.Term(tax, o.Slug, above)
				got["self"] = links.Item(tribev1.TermCollection(tax), o.Term_id)
				got["collection"] = links.Collection(tribev1.TermCollection(tax))
			} else {
				p := &wpstore.Post{ID: o.ID, Type: o.Post_type, Status: o.Post_status, Name: o.Post_name}
				got["url"] = c.req.Place.Links.Post(p, c.req.Viewer.Viewable(p))
				got["global_id"] = c.req.Place.Links.GlobalID + php.ToString(o.ID)
				if _, ok := v.Output["rest_url"]; ok {
					got["rest_url"] = links.Item(tribev1.Collection(api.Events), o.ID)
				}
			}
			if diff := cmp.Diff(v.Output, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Logf("%d vectors", len(all))
}
