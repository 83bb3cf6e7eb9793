package companion

import (
	"compress/gzip"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"calbridge/rest/notice"
)

const testSecret = "a-secret-of-the-test-32-characters"

// good is a report in the plugin's format.
const good = `{"version":1,"problems":[],"wordpress":"7.0.4","plugins":{"the-events-calendar\/the-events-calendar.php":"6.17.2"},
"must_use":["calbridge-companion.php"],"drop_ins":[],"theme":{"stylesheet":"child","template":"parent","version":"1.2","block":false,"json":true,
"html5":["caption","gallery"],"content_width":640,"content_size":"645px"},"locale":"de_DE_formal","texturize":{"apostrophe":"&#8217;"},
"uploads":{"base_dir":"\/srv\/www\/wp-content\/uploads","base_url":"https:\/\/example.org\/wp-content\/uploads"},"excerpt_more":" [&hellip;]",
"excerpt_length":55,"excerpt_post":{"id":7,"url":"https:\/\/example.org\/?p=7","title":"Fest"},"rest_prefix":"wp-json",
"page_caps":{"tribe_rest_event_max_per_page":999},"application_passwords":true,"api_disabled":false,"calendar_tables":true,"db_charset":"utf8",
"connection_charset":"utf8mb4","hooks":[{"name":"the_content","callback":"A\\B::c","file":"wp-content\/mu-plugins\/a.php","line":3,"priority":-5}],
"shortcodes":["map","a b"],"blocks":[],
"code":{"plugins\/members":"0123456789abcdef0123456789abcdef"},
"visitors":[{"name":"init","callback":"guard","file":"wp-content\/plugins\/members\/b.php","line":9,"priority":10,"reads":["HTTP_USER_AGENT","*"]}]}`

// standIn responds like the plugin. It signs report; answer may change the rest of the
// response.
type standIn struct {
	report string
	answer func(w http.ResponseWriter, r *http.Request, signed []byte)
}

func (s standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("rest_route") != "/calbridge/v1/facts" {
		_, _ = io.WriteString(w, `{"companion":"2"}`) // the request carries notices
		return
	}
	sum := hmac.New(sha256.New, []byte(testSecret))
	_, _ = io.WriteString(sum, "calbridge 1\nfrom-wordpress facts\n"+r.Header.Get("X-Calbridge-Timestamp")+"\n"+r.Header.Get("X-Calbridge-Nonce")+"\n"+s.report)
	signed, _ := json.Marshal(map[string]string{"companion": "2", "facts": s.report, "signature": hex.EncodeToString(sum.Sum(nil))})
	if s.answer != nil {
		s.answer(w, r, signed)
		return
	}
	_, _ = w.Write(signed)
}

// asks returns what a client receives from a stand-in.
func asks(t *testing.T, s http.Handler, timeout time.Duration, hooks ...string) (Facts, error) {
	t.Helper()
	server := httptest.NewServer(s)
	defer server.Close()
	defer server.CloseClientConnections()
	client, err := Open(Config{URL: server.URL, Secret: testSecret, FactsTimeout: timeout}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	return client.Facts(t.Context(), hooks)
}

func TestFacts(t *testing.T) {
	got, err := asks(t, standIn{report: good}, time.Minute, "the_content")
	if err != nil {
		t.Fatal(err)
	}
	want := Facts{
		WordPress: "7.0.4", Plugins: map[string]string{"the-events-calendar/the-events-calendar.php": "6.17.2"},
		MustUse: []string{"calbridge-companion.php"}, DropIns: []string{},
		Theme:  Theme{Stylesheet: "child", Template: "parent", Version: "1.2", JSON: true, HTML5: []string{"caption", "gallery"}, ContentWidth: 640, ContentSize: "645px"},
		Locale: "de_DE_formal", Texturize: map[string]string{"apostrophe": "&#8217;"},
		Uploads:    Uploads{BaseDir: "/srv/www/wp-content/uploads", BaseURL: "https://example.org/wp-content/uploads"},
		Excerpt:    notice.Excerpt{ExcerptMore: " [&hellip;]", ExcerptLength: 55, ExcerptPost: ExcerptPost{ID: 7, URL: "https://example.org/?p=7", Title: "Fest"}},
		RESTPrefix: "wp-json",
		PageCaps:   map[string]int{"tribe_rest_event_max_per_page": 999}, ApplicationPasswords: true, CalendarTables: true,
		DBCharset: "utf8", ConnectionCharset: "utf8mb4",
		Hooks:      []Hook{{Name: "the_content", Callback: `A\B::c`, File: "wp-content/mu-plugins/a.php", Line: 3, Priority: -5}},
		Shortcodes: []string{"map", "a b"}, Blocks: []string{},
		Code: map[string]string{"plugins/members": "0123456789abcdef0123456789abcdef"}, Problems: []Problem{},
		Visitors: []VisitorHook{{Hook: Hook{Name: "init", Callback: "guard", File: "wp-content/plugins/members/b.php", Line: 9, Priority: 10}, Reads: []string{"HTTP_USER_AGENT", "*"}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestFactsRefused checks that invalid responses are errors that name the remedy.
func TestFactsRefused(t *testing.T) {
	raw := func(status int, body string) http.Handler {
		return standIn{answer: func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}}
	}
	var first []byte // a response that was signed for an earlier request
	replay := standIn{report: good, answer: func(w http.ResponseWriter, _ *http.Request, signed []byte) {
		if first == nil {
			first = signed
		}
		_, _ = w.Write(first)
	}}
	if _, err := asks(t, replay, time.Minute); err != nil {
		t.Fatal(err)
	}
	changed := func(from, to string) http.Handler {
		if !strings.Contains(good, from) {
			t.Fatalf("no %s", from)
		}
		return standIn{report: strings.Replace(good, from, to, 1)}
	}
	for _, c := range []struct {
		name   string
		plugin http.Handler
		is     error
		says   string
	}{
		{"no plugin, or an old one", raw(404, `{"code":"rest_no_route"}`), ErrNoFacts, "calbridge-companion-facts.php"},
		{"HTML", raw(200, `<html>Welcome</html>`), nil, "no answer of the companion plugin"},
		{"blocked", raw(403, `{"error":"forbidden"}`), nil, "status 403"},
		{"refused", raw(401, `{"companion":"2","error":"the clocks differ too much"}`), nil, "clocks"},
		{"unsigned", raw(200, `{"companion":"2","facts":"{}"}`), notice.ErrUnsigned, "exclude /calbridge/v1/"},
		{"of another type", raw(200, `{"companion":"2","facts":{"version":1}}`), nil, "not understood"},
		{"signed for another request", replay, notice.ErrUnsigned, "not signed for this request"},
		{"changed on the way", standIn{report: good, answer: func(w http.ResponseWriter, _ *http.Request, signed []byte) {
			_, _ = io.WriteString(w, strings.Replace(string(signed), "7.0.4", "7.0.5", 1))
		}}, notice.ErrUnsigned, ""},
		{"too large", raw(200, strings.Repeat(" ", notice.MaxFacts+1)), notice.ErrFactsSize, "leads elsewhere"},
		{"too large when unpacked", standIn{answer: func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			for range 64 {
				_, _ = z.Write(make([]byte, 1<<20))
			}
			_ = z.Close()
		}}, notice.ErrFactsSize, ""},
		{"signed garbage", standIn{report: "garbage"}, nil, "not a JSON object"},
		{"signed list", standIn{report: "[]"}, nil, "not a JSON object"},
		{"null", standIn{report: "null"}, nil, "format"},
		{"without a version", changed(`"version":1,`, ``), nil, "install the companion plugin of this"},
		{"a later version", changed(`"version":1,`, `"version":2,`), nil, `format "2"`},
		{"a list of plugins", changed(`"plugins":{`, `"plugins":[],"x":{`), nil, "cannot be read"},
		{"a number for a text", changed(`"locale":"de_DE_formal"`, `"locale":7`), nil, "cannot be read"},
		{"a number beyond all", changed(`"excerpt_length":55`, `"excerpt_length":1e99`), nil, "cannot be read"},
		{"deep", standIn{report: `{"version":1,"hooks":` + strings.Repeat("[", 20000)}, nil, "not a JSON object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := asks(t, c.plugin, time.Minute)
			if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%+v, error %v, want %q", got, err, c.says)
			}
		})
	}
}

// TestFactsLate checks that a plugin that hangs costs no more than the timeout.
func TestFactsLate(t *testing.T) {
	hangs := standIn{answer: func(w http.ResponseWriter, r *http.Request, _ []byte) {
		_, _ = io.WriteString(w, `{"companion":"2",`)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}}
	_, err := asks(t, hangs, 50*time.Millisecond)
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "PHP is overloaded") {
		t.Errorf("%v", err)
	}
}

func TestFactsQuery(t *testing.T) {
	var none *Client
	if _, err := none.Facts(t.Context(), nil); !errors.Is(err, ErrNoFacts) {
		t.Errorf("without a companion: %v", err)
	}
	for _, bad := range [][]string{{""}, {"a b"}, {"a\n"}, {strings.Repeat("a", MaxHookName+1)}, {"ž"}, make([]string, MaxHooks+1)} {
		if _, err := factsQuery(bad, nil); err == nil {
			t.Errorf("%d names, %.20q: accepted", len(bad), bad[0])
		}
	}
	if body, err := factsQuery(nil, nil); err != nil || string(body) != `{"hooks":[]}` {
		t.Errorf("%s, %v", body, err)
	}
}

// TestFactsNotBelieved checks that a value that no site can have is cleared and becomes a
// problem, and that the other facts stay.
func TestFactsNotBelieved(t *testing.T) {
	for _, c := range []struct{ fact, from, to, left string }{
		{"wordpress", `"7.0.4"`, `"<b>7"`, `""`},
		{"plugins", `"6.17.2"}`, `"6.17.2","..\/x.php":"1","\/etc\/passwd":"1"}`, `{"the-events-calendar/the-events-calendar.php":"6.17.2"}`},
		{"must_use", `["calbridge-companion.php"]`, `["a.php","..","b\/c.php","d\n.php"]`, `["a.php"]`},
		{"drop_ins", `"drop_ins":[]`, `"drop_ins":["` + strings.Repeat("x", 400) + `"]`, `[]`},
		{"theme", `"content_width":640`, `"content_width":-1`, `{"stylesheet":"","template":"","version":"","block":false,"json":false,"html5":null,"content_width":0,"content_size":""}`},
		{"locale", `"de_DE_formal"`, `"de DE"`, `""`},
		{"texturize", `"&#8217;"`, `"` + strings.Repeat("x", maxText+1) + `"`, `{}`},
		{"uploads", `"https:\/\/example.org\/wp-content`, `"javascript:alert(1)\/\/`, `{"base_dir":"","base_url":""}`},
		{"uploads", `"\/srv\/www`, `"srv`, `{"base_dir":"","base_url":""}`},
		{"uploads", `"https:\/\/example.org\/wp-content`, `"https:\/\/user:secret@example.org`, `{"base_dir":"","base_url":""}`},
		{"excerpt_more", `" [&hellip;]"`, `"\u0007"`, `""`},
		{"excerpt_length", `"excerpt_length":55`, `"excerpt_length":-55`, `0`},
		{"excerpt_post", `"id":7`, `"id":-7`, `{"id":0,"url":"","title":""}`},
		{"rest_prefix", `"wp-json"`, `"wp json?"`, `""`},
		{"page_caps", `999}`, `999,"a":-1,"b c":50,"d":0}`, `{"tribe_rest_event_max_per_page":999}`},
		{"db_charset", `"utf8"`, `"utf8; DROP"`, `""`},
		{"connection_charset", `"utf8mb4"`, `"utf8mb4'"`, `""`},
		{"hooks", `"name":"the_content"`, `"name":"another"`, `[]`},
		{"hooks", `mu-plugins\/a.php`, `..\/..\/..\/a.php`, `[]`},
		{"hooks", `"line":3`, `"line":-3`, `[]`},
		{"code", `"plugins\/members"`, `"\n"`, `{}`},
		{"code", `"0123456789abcdef`, `"0123456789ABCDEF`, `{}`},
		{"visitors", `"HTTP_USER_AGENT"`, `"user agent"`, `[]`},
		{"visitors", `"reads":["HTTP_USER_AGENT","*"]`, `"reads":[]`, `[]`},
		{"visitors", `members\/b.php`, `..\/..\/..\/..\/b.php`, `[]`},
		{"visitors", `"name":"init"`, `"name":"a\u0007"`, `[]`},
		{"api_disabled", `"api_disabled":false,`, ``, `false`},
		{"calendar_tables", `"calendar_tables":true`, `"calendar_tables":null`, `false`},
		{"application_passwords", `"problems":[]`, `"problems":[{"fact":"application_passwords","problem":"Error in a.php:1"},{"fact":"nonsense","problem":"x"},{"fact":"locale","problem":"\n"}]`, `false`},
	} {
		t.Run(c.fact, func(t *testing.T) {
			if !strings.Contains(good, c.from) {
				t.Fatalf("no %s", c.from)
			}
			got, err := decodeFacts([]byte(strings.Replace(good, c.from, c.to, 1)), []string{"the_content"})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Problems) != 1 || got.Problems[0].Fact != c.fact || got.Known(c.fact) {
				t.Errorf("problems %+v", got.Problems)
			}
			whole, _ := decodeFacts([]byte(good), []string{"the_content"})
			before, after := fields(t, whole), fields(t, got)
			for name, value := range after {
				if want := map[bool]string{true: c.left, false: before[name]}[name == c.fact]; name != "problems" && value != want {
					t.Errorf("%s: %s, want %s", name, value, want)
				}
			}
		})
	}
}

// fields returns the facts as JSON by name.
func fields(t *testing.T, f Facts) map[string]string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(f); err != nil {
		t.Fatal(err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal([]byte(b.String()), &raw); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for name, value := range raw {
		texts[name] = string(value)
	}
	return texts
}

// TestCode checks the fingerprints, and plugins that don't send them.
func TestCode(t *testing.T) {
	for _, c := range []struct {
		report string
		parts  int
		is     error
	}{
		{`{"version":1,"problems":[],"code":{"plugins\/members":"0123456789abcdef0123456789abcdef"}}`, 1, nil},
		{`{"version":1,"problems":[{"fact":"code","problem":"there are more than 60000 files"}]}`, 0, ErrNoCode},
		{`{"version":1,"problems":[],"wordpress":"7.0.4"}`, 0, ErrNoCode},
		{`{"version":1,"problems":[],"code":{"plugins\/members":"?"}}`, 0, ErrNoCode},
	} {
		server := httptest.NewServer(standIn{report: c.report})
		client, err := Open(Config{URL: server.URL, Secret: testSecret}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		parts, err := client.Code(t.Context(), []string{"the_content"})
		if len(parts) != c.parts || !errors.Is(err, c.is) {
			t.Errorf("%s: %v, %v", c.report, parts, err)
		}
		client.Close()
		server.Close()
	}
}

// TestFactsMany checks that entries that the plugin left out are reported as a problem.
func TestFactsMany(t *testing.T) {
	hook := Hook{Name: "the_content", Callback: "f", File: "a.php", Line: 1, Priority: 10}
	f := Facts{Hooks: make([]Hook, maxEntries+1)}
	for i := range f.Hooks {
		f.Hooks[i] = hook
	}
	f.validate([]string{"the_content"})
	if len(f.Hooks) != maxEntries || f.Known("hooks") {
		t.Errorf("%d hooks, problems %+v", len(f.Hooks), f.Problems)
	}
}

// FuzzDecodeFacts checks that any response is either an error or facts that stay the same when
// they are decoded again.
func FuzzDecodeFacts(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(`{"version":1}`))
	f.Add([]byte(`{"version":1,"problems":[{"fact":"locale"}],"hooks":[{}],"page_caps":{"":-1}}`))
	hooks := []string{"the_content"}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := decodeFacts(text, hooks)
		if err != nil {
			return
		}
		problems := len(got.Problems)
		again := got
		again.validate(hooks)
		if len(again.Problems) > problems {
			t.Errorf("%s", fmt.Sprint(again.Problems))
		}
	})
}
