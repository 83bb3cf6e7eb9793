package api

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/rest/phpform"
	"calbridge/rest/phpjson"
	"calbridge/testdata"
	"calbridge/wpstore/php"
)

func decode(t *testing.T, text string) php.Value {
	t.Helper()
	v, err := phpjson.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func TestApply(t *testing.T) {
	const event = `{"id":5,"title":"x","venue":{"id":7,"geo":{"lat":1,"lng":2}},"organizer":[{"id":8},{"id":9}],"tags":[],"image":false}`
	tests := []struct{ fields, data, want string }{
		{`""`, event, event}, {`null`, event, event}, {`" , "`, event, event}, {`[]`, event, event}, {`false`, event, event}, {`[null,[1]]`, event, event},
		{`"title,id"`, event, `{"id":5,"title":"x"}`},
		{`" id  title,,"`, event, `{"id":5,"title":"x"}`},
		{`["title"," id "]`, event, `{"id":5,"title":"x"}`},
		{`["title,id"]`, event, `[]`},
		{`[""]`, event, `[]`},
		{`"nothing"`, event, `[]`},
		{`"ID"`, event, `[]`},
		{`"tags,image"`, event, `{"tags":[],"image":false}`},
		// Nested names.
		{`"venue.id"`, event, `{"venue":{"id":7}}`},
		{`"venue.geo.lat,venue.id"`, event, `{"venue":{"id":7,"geo":{"lat":1}}}`},
		{`"venue,venue.id"`, event, `{"venue":{"id":7,"geo":{"lat":1,"lng":2}}}`},
		{`"venue.id,venue"`, event, `{"venue":{"id":7,"geo":{"lat":1,"lng":2}}}`},
		{`"venue.nothing"`, event, `{"venue":[]}`},
		{`"venue.geo.nothing"`, event, `{"venue":{"geo":[]}}`},
		{`"title.length"`, event, `{"title":"x"}`},
		{`"venue."`, event, `{"venue":[]}`}, {`".id"`, event, `[]`}, {`"."`, event, `[]`},
		// Not through lists, except by number.
		{`"organizer.id"`, event, `{"organizer":[]}`},
		{`"organizer"`, event, `{"organizer":[{"id":8},{"id":9}]}`},
		{`"organizer.0.id"`, event, `{"organizer":[{"id":8}]}`},
		{`"organizer.1"`, event, `{"organizer":{"1":{"id":9}}}`},
		// A list is reduced element by element.
		{`"id"`, `[{"id":1,"x":2},{"x":3},{"id":4}]`, `[{"id":1},[],{"id":4}]`},
		{`"0"`, `[{"id":1}]`, `[[]]`},
		{`"id"`, `[]`, `[]`},
		{`"id"`, `[1,"x",null]`, `[1,"x",null]`},
		{`"id"`, `{"5":{"id":1,"x":2}}`, `[{"id":1}]`},
		{`"id"`, `"text"`, `"text"`}, {`"id"`, `null`, `null`},
		{`5`, `{"5":1,"a":2}`, `{"5":1}`},
	}
	for _, test := range tests {
		data := decode(t, test.data)
		got := string(phpjson.Append(nil, ApplyFields(ParseFields(decode(t, test.fields)), data)))
		if got != test.want {
			t.Errorf("%s of %s: got %s, want %s", test.fields, test.data, got, test.want)
		}
		if after := string(phpjson.Append(nil, data)); after != string(phpjson.Append(nil, decode(t, test.data))) {
			t.Errorf("%s changed the data to %s", test.fields, after)
		}
	}
}

func TestWhole(t *testing.T) {
	for _, c := range []struct {
		fields string
		want   bool
	}{{"", true}, {"meta", true}, {"id, meta", true}, {"meta.a", false}, {"meta.a,meta", true}, {"id", false}, {"META", false}} {
		t.Run(c.fields, func(t *testing.T) {
			if got := ParseFields(c.fields).Whole("meta"); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestHas(t *testing.T) {
	if !ParseFields("").All() || !ParseFields("").Has("x") {
		t.Error("the empty set asks for everything")
	}
	s := ParseFields("id, venue.id,5")
	for name, want := range map[string]bool{"id": true, "venue": true, "5": true, "title": false, "": false} {
		if s.Has(name) != want {
			t.Errorf("Has(%q) = %v", name, !want)
		}
	}
}

func TestLongNames(t *testing.T) {
	s := ParseFields(strings.Repeat("a.", 1<<20) + "b")
	v := php.Value("leaf")
	for range 100 {
		a := &php.Array{}
		a.SetString("a", v)
		v = a
	}
	ApplyFields(s, v)
}

func FuzzApply(f *testing.F) {
	f.Add("id,a.b", `{"id":1,"a":{"b":2,"c":[1]}}`)
	f.Add("0.a .", `[{"0":{"a":1}}]`)
	f.Fuzz(func(t *testing.T, names, body string) {
		v, err := phpjson.Decode([]byte(body))
		if err != nil {
			return
		}
		set := ParseFields(names)
		once := ApplyFields(set, v)
		if a, ok := once.(*php.Array); ok && !set.All() && a.Len() > v.(*php.Array).Len() {
			t.Fatal("more fields than before")
		}
	})
}

type exchange struct {
	ID, As  string
	Request struct {
		Method, Path, Body string
		Headers            map[string]string
	}
	Response struct {
		Status int
		Body   string
	}
	Noise []string // what differs from one recording to the next
}

// A response with _fields must be the filtered form of the response without, wherever
// both were recorded.
func TestRecordings(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(testdata.Shared(t, "recordings"), "*", "reads-*.jsonl.gz"))
	if len(files) == 0 {
		t.Fatal("no recordings")
	}
	full := map[string]string{}
	var filtered []exchange
	for _, name := range files {
		site := filepath.Base(filepath.Dir(name))
		for _, e := range readFields(t, name) {
			if e.Response.Status != 200 || e.Request.Method != "GET" || e.Request.Body != "" || len(e.Request.Headers) > 0 {
				continue
			}
			if !strings.Contains(e.Request.Path, "_fields") {
				full[site+" "+e.As+" "+e.Request.Path] = e.Response.Body
			} else if len(e.Noise) == 0 {
				e.As = site + " " + e.As
				filtered = append(filtered, e)
			}
		}
	}
	compared := 0
	for _, e := range filtered {
		path, query, _ := strings.Cut(e.Request.Path, "?")
		var others []string
		for _, piece := range strings.Split(query, "&") {
			if name, _ := url.QueryUnescape(piece); !strings.HasPrefix(name, "_fields") {
				others = append(others, piece)
			}
		}
		if len(others) > 0 {
			path += "?" + strings.Join(others, "&")
		}
		whole, ok := full[e.As+" "+path]
		if !ok || strings.Contains(e.Request.Path, "_pretty") {
			continue
		}
		set := ParseFields(phpform.Parse(query, phpform.Limits{}).At("_fields"))
		data, want := decode(t, whole), decode(t, e.Response.Body)
		// A single term asked for with _fields is made without the link to its
		// parent in the first place.
		if urls, ok := data.(*php.Array).At("urls").(*php.Array); ok {
			urls.Delete(php.KeyOf("up"))
		}
		got := string(phpjson.Append(nil, ApplyFields(set, data)))
		if a, ok := want.(*php.Array); ok {
			a.Delete(php.KeyOf("_links")) // is added after filtering
		}
		if wanted := string(phpjson.Append(nil, want)); got != wanted {
			t.Errorf("%s %s: got %.300s, want %.300s", e.ID, e.Request.Path, got, wanted)
		}
		compared++
	}
	if compared == 0 {
		t.Error("found nothing to compare")
	}
	t.Logf("%d of %d answers compared", compared, len(filtered))
}

func readFields(t *testing.T, name string) []exchange {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []exchange
	for lines := json.NewDecoder(unzipped); ; {
		var e exchange
		if err := lines.Decode(&e); errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
}
