package profile

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/compat/compattest"
	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// answered returns an exchange with a body and a Link header that names the root.
func answered(method, path, root, body string) *recording.Exchange {
	x := compattest.Exchange("x", method, path, body)
	x.Response.Headers["link"] = recording.HeaderValues{"<" + root + `>; rel="https://api.w.org/"`}
	return x
}

const (
	townRoot = "https://town.example/wp-json/"
	ns       = "/wp-json/tribe/events/v1"
)

func build(t *testing.T, exchanges ...*recording.Exchange) *Profile {
	t.Helper()
	b := NewBuilder("")
	for _, x := range exchanges {
		b.Add(x)
	}
	return b.Profile()
}

func get(path, body string) *recording.Exchange { return answered("GET", ns+path, townRoot, body) }

func withBody(method, path, contentType, body, answer string) *recording.Exchange {
	x := answered(method, ns+path, townRoot, answer)
	x.Request.Headers["Content-Type"] = contentType
	x.Request.Body = &body
	return x
}

const townIndex = `{"namespace":"tribe\/events\/v1","routes":{
 "\/tribe\/events\/v1\/shows":{"namespace":"tribe\/events\/v1","methods":["GET","POST"],"endpoints":[
  {"methods":["GET"],"args":{"page":{"default":1,"description":"Which page.","type":"integer","required":false},
   "lang":{"type":"string","enum":["a","b","c"],"required":false},"kind":{"type":["boolean","string"],"required":false},"two":{"enum":["x","y"]},"one":{"enum":["z"]}}},
  {"methods":["POST","PUT"],"args":{"page":{"description":"A leaf of \"paper\" & <b>ink</b>."}}}]},
 "\/tribe\/events\/v1\/shows\/(?P<id>\\d+)":{"namespace":"tribe\/events\/v1","methods":["GET"],"endpoints":[{"methods":["GET"],"args":[]}]},
 "\/tribe\/events\/v1":{"namespace":"tribe\/events\/v1","methods":["GET"],"endpoints":[{"methods":["GET"],"args":{"context":{"description":"Scope.","required":false}}}]},
 "\/wp\/v2\/posts":{"namespace":"wp\/v2","methods":["GET"],"endpoints":[{"methods":["GET"],"args":{"x":{"description":"foreign"}}}]}}}`

func TestProfileErrors(t *testing.T) {
	p := build(t,
		get("", townIndex),
		get("/shows/77?x=5", `{"code":"no-show","message":"Show 77 of 5 is off.","data":{"status":404}}`),
		get("/shows/77?id=12.9", `{"code":"no-show","message":"Show 12 of 5 is off.","data":{"status":404}}`),
		withBody("PUT", "/shows/77?id=8", "application/json", `{"id":"99999999999999999999"}`, `{"code":"no-show","message":"Show 9223372036854775807 of 5 is off.","data":null}`),
		withBody("PUT", "/shows/by-slug/2027", "application/x-www-form-urlencoded", `a=1`, `{"code":"no-show","message":"Show 0 of 5 is off.","data":null}`),
		get("/shows?page=x&lang=q", `{"code":"rest_invalid_param","message":"Wrong: page, lang!","data":{"status":400,"params":{"page":"No good.","lang":"lang: a / b or c"},"details":{"lang":{"code":"rest_not_in_enum","message":"lang: a / b or c","data":null}}}}`),
		get("/shows?two=q", `{"code":"rest_invalid_param","message":"Wrong: two!","data":{"status":400,"params":{"two":"two: x | y"},"details":{"two":{"code":"rest_not_in_enum","message":"two: x | y","data":null}}}}`),
		get("/shows?one=q", `{"code":"rest_invalid_param","message":"Wrong: one!","data":{"status":400,"params":{"one":"one must be z"},"details":{"one":{"code":"rest_not_in_enum","message":"one must be z","data":null}}}}`),
		get("/shows?page[]=1", `{"code":"rest_invalid_param","message":"Wrong: page!","data":{"status":400,"params":{"page":"page[0] wants integer"},"details":{"page":{"code":"rest_invalid_type","message":"page[0] wants integer","data":{"param":"page[0]"}}}}}`),
		get("/shows?kind=1", `{"code":"rest_invalid_param","message":"Wrong: kind!","data":{"status":400,"params":{"kind":"kind wants boolean,string"},"details":{"kind":{"code":"rest_invalid_type","message":"kind wants boolean,string","data":{"param":"kind"}}}}}`),
		withBody("POST", "/shows", "application/json", `{}`, `{"code":"rest_missing_callback_param","message":"Lacks title, start","data":{"status":400,"params":["title","start"]}}`),
		get("/shows?shop=1", `{"code":"rest_invalid_param","message":"Wrong: shop!","data":{"status":400,"params":{"shop":"The shop is shut."},"details":{"shop":{"code":"shop-shut","message":"The shop is shut.","data":{"status":400}}}}}`),
		withBody("PUT", "/tags/3", "application/json", `{"name":"x"}`, `{"code":"duplicate_term_slug","message":"&#8222;old-slug&#8220; belongs to another.","data":null}`),
		withBody("POST", "/tags", "application/json", `{"name":"xx","slug":"y"}`, `{"code":"db_insert_error","message":"Not stored.","data":"Database: slug, name refused."}`),
		get("/shows?_envelope=1", `{"body":{"code":"shut","message":"Shut.","data":{"status":410}},"status":410,"headers":[]}`),
		get("/shows?_jsonp=f", `/**/f({"code":"two","message":"First.","data":null,"additional_errors":[{"code":"three","message":"Second.","data":null}]})`),
		get("/shows/1?_locale=user", `{"code":"shut","message":"In my own language.","data":null}`),
		answered("GET", "/wp-json/wp/v2/posts", townRoot, `{"code":"foreign","message":"x","data":null}`),
		answered("GET", "/wp-json/nowhere", townRoot, `{"code":"rest_no_route","message":"Nowhere.","data":{"status":404}}`),
		answered("GET", "/some-page", townRoot, `{"code":"page","message":"x","data":null}`),
	)
	want := map[string]string{
		"no-show": "Show {id} of 5 is off.", "rest_invalid_param": "Wrong: {params}!", "invalid_param": "No good.",
		"rest_not_in_enum": "{param}: {enum}", "rest_not_in_enum.one": "{param} must be {enum}", "rest_invalid_type": "{param} wants {type}",
		"rest_missing_callback_param": "Lacks {params}", "shop-shut": "The shop is shut.",
		"duplicate_term_slug": "&#8222;{slug}&#8220; belongs to another.",
		"db_insert_error":     "Not stored.", "db_insert_error.data": "Database: {fields} refused.",
		"shut": "Shut.", "two": "First.", "three": "Second.", "rest_no_route": "Nowhere.",
	}
	own := p.Languages[wprest.DefaultLanguage]
	if diff := cmp.Diff(want, own.Errors); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"list_separator": " / ", "list_last_separator": " or ", "list_pair_separator": " | "}, own.Words); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
	if len(p.Warnings) > 0 {
		t.Errorf("warnings %v", p.Warnings)
	}
}

func TestProfileLoginPlaceholder(t *testing.T) {
	x := get("/shows", `{"code":"incorrect_password","message":"Wrong for <b>eva</b>.","data":{"status":401}}`)
	x.Response.Status = 401
	x.Request.Headers["authorization"] = "Basic ZXZhOngK"
	if got := build(t, x).Languages[wprest.DefaultLanguage].Errors["incorrect_password"]; got != "Wrong for <b>{login}</b>." {
		t.Errorf("template %q", got)
	}
}

func TestProfileMajorityAndAmbiguity(t *testing.T) {
	p := build(t,
		get("/shows?id=x", `{"code":"rest_invalid_param","message":"Bad id: id","data":{"params":{"id":"No."},"details":[]}}`),
		get("/shows?page=x", `{"code":"rest_invalid_param","message":"Bad id: page","data":{"params":{"page":"No."},"details":[]}}`),
		get("/shows?page=y", `{"code":"rest_invalid_param","message":"Other: page","data":{"params":{"page":"No."},"details":[]}}`),
		get("/shows?lang=x", `{"code":"rest_invalid_param","message":"Bad id: lang","data":{"params":{"lang":"No."},"details":[]}}`),
	)
	if got := p.Languages[wprest.DefaultLanguage].Errors["rest_invalid_param"]; got != "Bad id: {params}" {
		t.Errorf("template %q", got)
	}
	if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "rest_invalid_param") {
		t.Errorf("warnings %v", p.Warnings)
	}
}

func TestProfileSiblings(t *testing.T) {
	p := build(t,
		get("/venues/1", `{"code":"venue-not-accessible","message":"This venue is shut.","data":null}`),
		get("/events/1", `{"code":"event-not-accessible","message":"No such event.","data":null}`),
		get("/events?page=9", `{"code":"event-archive-page-not-found","message":"Stránka akcí neexistuje.","data":null}`),
		get("/events/2", `{"code":"event-is-in-trash","message":"The event is not an event.","data":null}`),
	)
	want := map[string]string{"venue-not-accessible": "This venue is shut.", "event-not-accessible": "No such event.", "organizer-not-accessible": "No such organizer.",
		"event-archive-page-not-found": "Stránka akcí neexistuje.", "event-is-in-trash": "The event is not an event."}
	if diff := cmp.Diff(want, p.Languages[wprest.DefaultLanguage].Errors); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

func TestProfileArgsAndDoc(t *testing.T) {
	options := answered("OPTIONS", ns+"/shows/5", townRoot, `{"namespace":"tribe\/events\/v1","methods":["DELETE"],"endpoints":[{"methods":["DELETE"],"args":{"id":{"description":"Which."}}}]}`)
	unknown := answered("OPTIONS", "/?rest_route=/tribe/events/v1/tags/by-slug/x", townRoot, `{"namespace":"tribe\/events\/v1","methods":["GET"],"endpoints":[{"methods":["GET"],"args":{"slug":{"description":"Its slug."}}}]}`)
	doc := get("/doc", `{"openapi":"3.0.0","info":{"title":"T","version":"1","description":"D"},"paths":{"\/shows\/{id}":{"get":{"parameters":[{"name":"id","description":"P~"}],"responses":{"200":{"description":"R"}}}}},"components":{"schemas":{"S":{"properties":{"description":{"type":"string","description":"of it"}}}}}}`)
	p := build(t, options, unknown, get("", townIndex), doc)
	own := p.Languages[wprest.DefaultLanguage]
	wantArgs := map[string]map[string]map[string]string{
		"/shows":                        {"GET": {"page": "Which page."}, "POST,PUT": {"page": `A leaf of "paper" & <b>ink</b>.`}},
		`/shows/(?P<id>\d+)`:            {"DELETE": {"id": "Which."}},
		`/tags/by-slug/(?P<slug>[^/]+)`: {"GET": {"slug": "Its slug."}},
		"":                              {"GET": {"context": "Scope."}},
	}
	if diff := cmp.Diff(wantArgs, own.Args); diff != "" {
		t.Errorf("args (-want +got):\n%s", diff)
	}
	wantDoc := map[string]string{"/info/title": "T", "/info/description": "D", "/paths/~1shows~1{id}/get/parameters/0/description": "P~",
		"/paths/~1shows~1{id}/get/responses/200/description": "R", "/components/schemas/S/properties/description/description": "of it"}
	if diff := cmp.Diff(wantDoc, own.Doc); diff != "" {
		t.Errorf("doc (-want +got):\n%s", diff)
	}
}

func TestProfileWords(t *testing.T) {
	event := func(cost, values, more string) string {
		return `{"id":1,"start_date":"x","cost":` + cost + `,"cost_details":{"values":` + values + `}` + more + `}`
	}
	p := build(t,
		get("/events/1", event(`"Gratis &amp; froh"`, `["0"]`, ``)),
		get("/events/2", event(`"0"`, `["0"]`, ``)),
		get("/events/3", event(`"10K\u010d bis 20K\u010d"`, `["10","15","20"]`, ``)),
		get("/events/4", event(`"$10 bis $20"`, `["10","20"]`, ``)),
		get("/events/5", event(`"Gratis - $20"`, `["0","20"]`, ``)),
		get("/events/6", event(`"10,50"`, `["10.50"]`, `,"status":"publish","slug":"party","url":"https:\/\/town.example\/fest\/party\/"`)),
		get("/events/7", event(`""`, `[]`, `,"title":"Ball","status":"private","json_ld":{"name":"Privat: Ball"},"venue":{"id":2,"status":"publish","venue":"Hall","slug":"hall","url":"https:\/\/town.example\/en\/ort\/hall","json_ld":{"name":"[secret] Hall"}},"organizer":[{"organizer":"Me","status":"publish","slug":"me","url":"https:\/\/town.example\/wer\/me\/"}],"categories":[{"taxonomy":"tribe_events_cat","parent":0,"slug":"jazz","url":"https:\/\/town.example\/events\/sorte\/jazz\/"},{"taxonomy":"tribe_events_cat","parent":3,"slug":"bebop","url":"https:\/\/town.example\/events\/sorte\/jazz\/bebop\/"}]`)),
		get("/events/8", event(`""`, `[]`, `,"status":"draft","slug":"d","url":"https:\/\/town.example\/?p=8"`)),
	)
	typed := func(price string) string {
		return build(t, get("/events/1", event(`"Umsonst"`, `["umsonst"]`, `,"json_ld":{"offers":{"price":"`+price+`"}}`))).Languages[wprest.DefaultLanguage].Words["free"]
	}
	if zero, text := typed("0"), typed("Umsonst"); zero != "Umsonst" || text != "" {
		t.Errorf("the word for a price of zero is %q, and %q where structured data has the text", zero, text)
	}
	want := map[string]string{"free": "Gratis & froh", "range_separator": " bis ", "event_base": "fest", "venue_base": "ort", "organizer_base": "wer",
		"category_base": "sorte", "private_title": "Privat: %s", "protected_title": "[secret] %s"}
	if diff := cmp.Diff(want, p.Languages[wprest.DefaultLanguage].Words); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
}

func TestProfileBlocks(t *testing.T) {
	const links = "\t<div  class=\"tribe-block tribe-block__events-link\" >\n<div><a>Take it</a></div></div>"
	describe := func(id, text string) string {
		data, _ := json.Marshal(map[string]any{"id": id, "description": text})
		return string(data)
	}
	p := build(t,
		get("/events/1", describe("1", "<p>a</p>\n\n\n"+links+"\n\n\n\n<p>b</p>")),
		get("/events/2", describe("2", "<div class=\"mine\">x</div>\n"+links)),
		get("/events/2", describe("2", "<div class=\"mine\">x</div>\n"+links)),
		get("/events/3", describe("3", strings.TrimSpace(links))),
		get("/events/4", describe("4", `<div class="tribe-block__venue">never closed`)),
	)
	if diff := cmp.Diff(map[string]string{"tribe/event-links": links + "\n\n"}, p.Languages[wprest.DefaultLanguage].Blocks); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
}

func TestProfileLanguages(t *testing.T) {
	shut := func(root, text string) *recording.Exchange {
		return answered("GET", ns+"/shows/1", root, `{"code":"shut","message":"`+text+`","data":null}`)
	}
	p := build(t,
		shut("https://town.example/sub/en/wp-json/", "Closed."),
		answered("GET", ns, "https://town.example/sub/en/wp-json/", `{"code":"only-en","message":"Here.","data":null}`),
		shut("https://town.example/sub/wp-json/", "Zu."),
		shut("https://town.example/sub/index.php/wp-json/", "Zu."),
		shut("https://town.example/sub/de/wp-json/", "Zu."),
		shut("https://town.example/sub/index.php?rest_route=/&lang=fr", "Ferm\\u00e9."),
	)
	got := map[string]map[string]string{}
	for code, wording := range p.Languages {
		got[code] = wording.Errors
	}
	want := map[string]map[string]string{
		wprest.DefaultLanguage: {"shut": "Zu.", "only-en": "Here."}, "en": {"shut": "Closed."}, "fr": {"shut": "Fermé."},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("languages (-want +got):\n%s", diff)
	}
}

func TestProfileFile(t *testing.T) {
	file := compattest.WriteRecording(t, "reads.jsonl", get("/shows/1", `{"code":"shut","message":"Shut & \"done\" <b>.","data":null}`),
		&recording.Case{ID: "w", As: "anonymous", Steps: []recording.Step{{Request: recording.Request{Method: "POST", Path: ns + "/shows"}, Response: get("", `{"code":"full","message":"Full.","data":null}`).Response}}})
	merge := compattest.WriteFile(t, "merge.json", `{"note":"x","html":{"tribe/a":"<i>a</i>","__note":"no"},"words":{"free":"Gratis"}}`)
	p, err := Build(Options{Recordings: []string{file}, Site: compattest.TownSite(t), Merge: []string{merge}, Generator: "test"})
	if err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	p.Write(&first)
	p.Write(&second)
	if first.String() != second.String() || !strings.Contains(first.String(), `"Shut & \"done\" <b>."`) {
		t.Errorf("written %s", first.String())
	}
	out := filepath.Join(t.TempDir(), "profile.json")
	if err := p.WriteFile(out); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	back := new(Profile)
	if err := json.Unmarshal(written, back); err != nil || back.Format != Format {
		t.Fatalf("format %q, error %v", back.Format, err)
	}
	if diff := cmp.Diff(p.Languages, back.Languages); diff != "" || back.Generator != "test" {
		t.Errorf("a profile does not survive writing and reading:\n%s", diff)
	}
	own := back.Languages[wprest.DefaultLanguage]
	if own.Blocks["tribe/a"] != "<i>a</i>" || len(own.Blocks) != 1 || own.Words["free"] != "Gratis" || own.Errors["full"] != "Full." {
		t.Errorf("merged %+v", own)
	}
	if err := back.MergeFile(compattest.WriteFile(t, "p.json", `{"format":"`+Format+`","languages":{"en":{"errors":{"shut":"E"}},"default":{"errors":{"shut":"D"},"args":{"/a":{"GET":{"x":"X"}}}}}}`)); err != nil {
		t.Fatal(err)
	}
	if back.Languages["en"].Errors["shut"] != "E" || own.Errors["shut"] != "D" || own.Args["/a"]["GET"]["x"] != "X" {
		t.Errorf("merged %+v", back.Languages)
	}
	for name, text := range map[string]string{"json": "{", "format": `{"format":"other/1"}`, "nothing": `{"a":1}`} {
		if err := back.MergeFile(compattest.WriteFile(t, name, text)); err == nil {
			t.Errorf("merging %s is accepted", name)
		}
	}
	for name, o := range map[string]Options{
		"no files":   {Recordings: []string{file + "x"}},
		"no wording": {Recordings: []string{compattest.WriteRecording(t, "r", get("/shows/1", `{"id":1}`))}},
		"no site":    {Recordings: []string{file}, Site: file + "x"},
		"no merge":   {Recordings: []string{file}, Merge: []string{file + "x"}},
	} {
		if _, err := Build(o); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestProfileOfLanguagesByArgument(t *testing.T) {
	shut := func(path, message, root string) *recording.Exchange {
		x := get(path, `{"code":"shut","message":"`+message+`","data":null}`)
		x.Response.Headers["link"] = recording.HeaderValues{"<https://town.example" + root + `/wp-json/>; rel="https://api.w.org/"`}
		return x
	}
	b := NewBuilder("")
	for _, x := range []*recording.Exchange{
		shut("/shows/1", "Shut.", ""), shut("/shows/1?language_code=cs", "Zavřeno.", ""), shut("/shows/1?language_code=nonsense-value", "Shut.", ""),
		shut("/shows/1", "Geschlossen.", "/de"), shut("/shows/1?lang=de", "Shut.", ""), shut("/shows/2?lang=de", "Shut.", ""),
	} {
		b.Add(x)
	}
	p := b.Profile()
	for code, want := range map[string]string{wprest.DefaultLanguage: "Shut.", "cs": "Zavřeno.", "de": "Geschlossen."} {
		if p.Languages[code] == nil || p.Languages[code].Errors["shut"] != want {
			t.Errorf("%s: %+v, want %q", code, p.Languages[code], want)
		}
	}
	if len(p.Languages) != 3 || len(p.Warnings) != 0 {
		t.Errorf("%d languages, warnings %v", len(p.Languages), p.Warnings)
	}
}
