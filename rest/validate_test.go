package rest

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/wpstore/php"
)

func escaped(s string) string { return url.QueryEscape(s) }

// value reads JSON as PHP would hold it.
func value(t testing.TB, json string) php.Value {
	t.Helper()
	v, err := phpjson.Decode([]byte(json))
	if err != nil {
		t.Fatalf("%s: %v", json, err)
	}
	return v
}

// verdict reports whether the validator of an argument accepts a value, whatever the type
// check behind it does.
func verdict(t *testing.T, s *testSite, route, name, in string) bool {
	t.Helper()
	x := s.exchange("")
	method, path, _ := strings.Cut(route, " ")
	rt, _, _ := x.req.Table.Find(path)
	x.req.Endpoint = rt.Endpoint(method)
	x.req.Captures = api.Object("id", int64(101), "title", "x", "start_date", "2026-01-01", "end_date", "2026-01-02", "venue", "x") // what is required
	x.req.Captures.Delete(php.KeyOf(name))
	x.req.JSON = api.Object(name, value(t, in))
	var e *api.Error
	if err := x.req.CheckArgs(t.Context()); !errors.As(err, &e) && err != nil {
		t.Fatalf("%s: %v", in, err)
	}
	if e == nil {
		return true
	}
	refused, _ := e.Data.At("params").(*php.Array)
	details, _ := e.Data.At("details").(*php.Array)
	return refused.At(name) == nil || details.At(name) != nil
}

// TestOrderOfRefusedArguments: validators name arguments in the order of the declarations, type
// checks in that of the request: JSON, form, query, and the first occurrence.
func TestOrderOfRefusedArguments(t *testing.T) {
	s := newTestSite(t)
	for _, c := range []struct{ name, query, body, contentType, want string }{
		{"types in JSON", "", `{"venue":"V","state":null,"province":null,"city":null}`, "application/json", "state, province, city"},
		{"types in JSON, reversed", "", `{"city":null,"province":null,"state":null,"venue":"V"}`, "application/json", "city, province, state"},
		{"types in two sources", "?show_map[]=a&zip=1", `{"zip":null,"venue":"V","city":null}`, "application/json", "zip, city, show_map"},
		{"types in a form", "", "venue=V&show_map_link[]=1&show_map[]=1", "application/x-www-form-urlencoded", "show_map_link, show_map"},
		{"validators", "", `{"website":"x","status":"x","venue":"V","author":"x"}`, "application/json", "author, status, website"},
		{"validators before types", "", `{"state":null,"website":"x","venue":"V","author":"x"}`, "application/json", "author, website"},
		{"required", "", `{"state":null}`, "application/json", "venue"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := s.do(ask{method: "POST", target: "venues" + c.query, as: "edita", body: c.body, contentType: c.contentType})
			_, got, _ := strings.Cut(strings.Trim(a.json("message"), `"`), ": ")
			if a.status != 400 || got != c.want {
				t.Errorf("%d %s, want %s", a.status, a.body, c.want)
			}
		})
	}
}

func TestValidatorsThatAskTheSite(t *testing.T) {
	s := newTestSite(t)
	for _, v := range []struct {
		name     string
		route    string
		argument string
		accepted []string
		refused  []string
	}{
		{"time", "POST /events", "start_date",
			[]string{`"2026-12-24"`, `"2026-12-24T10:00:00+01:00"`, `"tomorrow"`, `"+2 days"`, `0`, `"0"`, `"-5"`, `"1.5"`, `2027`, `" 5"`, `"1969-12-31"`},
			[]string{`""`, `"yesterdayish"`, `"1970-01-01"`, `"1970-01-01 00:00 UTC"`, `["2026-12-24"]`, `true`, `"2026-13-45"`}},
		{"zone", "POST /events", "timezone",
			[]string{`""`, `null`, `"UTC"`, `"GMT"`, `"Z"`, `"EST"`, `"+05:30"`, `"Europe/prague"`, `"UTC+0"`, `"UTC+5.5"`, `"UTC 5"`, `"UTC+99"`},
			[]string{`"Moon/Base"`, `"utc+5:30"`, `5`, `["UTC"]`}},
		{"user", "POST /events", "author", []string{`1`, `"2"`, `"3.0"`}, []string{`999`, `"adela"`, `""`, `0`, `-1`}},
		{"event", "GET /tags", "event", []string{`101`, `"111"`, `"101abc"`}, []string{`0`, `""`, `201`, `999`, `"abc"`}},
		{"venue", "GET /venues/1", "id", []string{`201`, `"205"`, `"203"`, `"201.0"`}, []string{`101`, `""`, `"old-mill"`, `999`}},
		{"venues", "GET /events", "venue", []string{`"201,202"`, `[201,""]`, `201`}, []string{`""`, `[]`, `"201,x"`, `"201,301"`, `[""]`}},
		{"slug", "GET /events/by-slug/x", "slug", []string{`"dance"`, `"DANCE"`, `" dance "`, `"plan__trashed"`, `"danc%65"`}, []string{`""`, `"0"`, `"plan"`, `5`, `["dance"]`, `"old-mill"`}},
		{"category", "GET /categories/1", "id",
			[]string{`31`, `"31"`, `"music"`, `"Music"`, `"31,jazz"`, `[31,"talks"]`, `"Never used"`, `"[]"`},
			[]string{`""`, `"0"`, `0`, `41`, `"outdoors"`, `"31,nothing"`, `"31.5"`, `[0]`}},
		{"image", "POST /events", "image", []string{`401`, `"401"`}, []string{`402`, `101`, `""`, `"x"`, `999`}},
		{"image or nothing", "POST /venues", "image", []string{`""`, `null`, `"401"`}, []string{`402`}},
		{"status", "POST /events", "status", []string{`"publish"`, `"tribe-ignored"`}, []string{`"any"`, `""`, `["publish"]`, `1`, `"PUBLISH"`}},
		{"linked venue", "POST /events", "venue",
			[]string{`""`, `null`, `[]`, `["",0]`, `{"venue":""}`, `201`, `"201,202"`, `[201,202]`, `{"id":201}`, `[{"id":"201"},{"venue":"New hall"}]`, `{"venue":"New hall","website":"https://hall.example"}`},
			[]string{`"201,x"`, `{"city":"Lhota"}`, `{"id":301}`, `[201,301]`, `{"venue":"Hall","website":"hall"}`, `"x"`}},
	} {
		for _, in := range v.accepted {
			if !verdict(t, s, v.route, v.argument, in) {
				t.Errorf("%s: %s must be accepted", v.name, in)
			}
		}
		for _, in := range v.refused {
			if verdict(t, s, v.route, v.argument, in) {
				t.Errorf("%s: %s must be refused", v.name, in)
			}
		}
	}
}
