package systemtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// formSite is a site with a language plugin. A test changes the stored form of its URLs.
type formSite struct {
	prefix, option, home string
	dsn                  func(t *testing.T) string
}

var formSites = map[string]formSite{
	"wpml": {
		prefix: "wp_", option: "icl_sitepress_settings", home: "lipa.example", dsn: func(t *testing.T) string {
			dsn := "sqlite:" + filepath.Join(t.TempDir(), "sample.db")
			loadSample(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn), CreateFile: true}, Tables: table.Config{Prefix: "wp_"}})
			return dsn
		},
	},
	"polylang": {
		prefix: "pl_", option: "polylang", home: "poly.example", dsn: func(t *testing.T) string {
			return wptest.SiteCopy(t, "sqlite", "poly").DSN
		},
	},
}

// allEvents requests all events, two per page.
const allEvents = "per_page=2&start_date=2000-01-01&end_date=2100-01-01"

// urlForm is a way in which the URLs of a site distinguish cs, en and de.
type urlForm struct {
	name    string
	plugin  string
	change  func(option *php.Array)
	check   string // what calbridge check reports about it
	plain   string // language of the URLs without any: "" for all languages together
	host    map[string]string
	dir     map[string]string
	rest    string // parameter of REST URLs in the languages below, "" for none
	inRest  []string
	inPages []string // languages whose public URLs carry lang
	gone    []string // no REST: paths before /wp-json/
}

// The recordings know directories alone. Of the other forms the specification says
// no more than where they are stored; what is expected here is what a visitor of
// such a site would: each language at its own address, and links that stay there.
var urlForms = []urlForm{
	{
		name: "directories", plugin: "wpml", check: "URLs by directory: cs https://lipa.example/ (default), en https://lipa.example/en/, de https://lipa.example/de/;",
		plain: "cs", dir: map[string]string{"en": "/en", "de": "/de"}, gone: []string{"/cs", "/pl", "/EN"},
	},
	{
		name: "directory of the default", plugin: "wpml", check: "URLs by directory: cs https://lipa.example/cs/ (default), en https://lipa.example/en/, de https://lipa.example/de/;",
		change: func(o *php.Array) {
			urls := &php.Array{}
			urls.SetString("directory_for_default_language", int64(1))
			o.SetString("urls", urls)
		},
		plain: "cs", dir: map[string]string{"cs": "/cs", "en": "/en", "de": "/de"}, gone: []string{"/pl"},
	},
	{
		name: "parameter", plugin: "wpml", check: "URLs by parameter: cs https://lipa.example/ (default), en https://lipa.example/?lang=en, de https://lipa.example/?lang=de;",
		change: func(o *php.Array) { o.SetString("language_negotiation_type", int64(3)) },
		plain:  "cs", rest: "lang", inRest: []string{"en", "de"}, inPages: []string{"en", "de"}, gone: []string{"/en", "/cs"},
	},
	{
		name: "domains", plugin: "wpml", check: "URLs by domain: cs https://lipa.example/ (default), en https://linden.example/, de https://linde.example/;",
		change: func(o *php.Array) {
			o.SetString("language_negotiation_type", int64(2))
			domains := &php.Array{}
			domains.SetString("en", "linden.example")
			domains.SetString("de", "https://linde.example")
			o.SetString("language_domains", domains)
		},
		plain: "cs", host: map[string]string{"en": "linden.example", "de": "linde.example"}, gone: []string{"/en"},
	},
	{
		name: "directories", plugin: "polylang", check: "URLs by directory: cs https://poly.example/ (default), en https://poly.example/en/, de https://poly.example/de/;",
		dir: map[string]string{"en": "/en", "de": "/de"}, rest: "language_code", inRest: []string{"cs"}, gone: []string{"/cs", "/xx", "/EN"},
	},
	{
		name: "directory of the default", plugin: "polylang", check: "URLs by directory: cs https://poly.example/cs/ (default), en https://poly.example/en/, de https://poly.example/de/;",
		change: func(o *php.Array) { o.SetString("hide_default", false) },
		dir:    map[string]string{"cs": "/cs", "en": "/en", "de": "/de"}, gone: []string{"/xx"},
	},
	{
		name: "long directories", plugin: "polylang", check: "en https://poly.example/language/en/, de https://poly.example/language/de/;",
		change: func(o *php.Array) { o.SetString("rewrite", false) },
		dir:    map[string]string{"en": "/language/en", "de": "/language/de"}, rest: "language_code", inRest: []string{"cs"}, gone: []string{"/en"},
	},
	{
		name: "content alone", plugin: "polylang", check: "URLs by content: cs https://poly.example/ (default), en https://poly.example/, de https://poly.example/;",
		change: func(o *php.Array) { o.SetString("force_lang", int64(0)) },
		rest:   "language_code", inRest: []string{"cs", "en", "de"}, gone: []string{"/en"},
	},
	{
		name: "subdomains", plugin: "polylang", check: "URLs by domain: cs https://poly.example/ (default), en https://en.poly.example/, de https://de.poly.example/;",
		change: func(o *php.Array) { o.SetString("force_lang", int64(2)) },
		host:   map[string]string{"en": "en.poly.example", "de": "de.poly.example"}, rest: "language_code", inRest: []string{"cs"}, gone: []string{"/en"},
	},
	{
		name: "domains", plugin: "polylang", check: "URLs by domain: cs https://cs.example/ (default), en https://en.example/, de https://de.example/;",
		change: func(o *php.Array) {
			o.SetString("force_lang", int64(3))
			domains := &php.Array{}
			for _, code := range []string{"cs", "en", "de"} {
				domains.SetString(code, "https://"+code+".example")
			}
			o.SetString("domains", domains)
		},
		host: map[string]string{"cs": "cs.example", "en": "en.example", "de": "de.example"}, gone: []string{"/en"},
	},
}

// TestURLForms asks a site for each of its languages in each form of URLs that the
// plugins have, and follows the links in the answers: the same content everywhere,
// and every link leads to the language that it came from.
func TestURLForms(t *testing.T) {
	oneAtATime(t)
	ids := map[string]map[string][]int{} // by plugin and language; the first form determines them
	for i := range urlForms {
		f := &urlForms[i]
		t.Run(f.plugin+" "+f.name, func(t *testing.T) {
			s := serveForm(t, f)
			known := ids[f.plugin]
			if known == nil {
				known = map[string][]int{}
				ids[f.plugin] = known
			}
			for _, code := range []string{"cs", "en", "de"} {
				got := s.follow(code)
				if known[code] == nil {
					known[code] = got
				}
				if len(got) < 3 || !slices.Equal(got, known[code]) {
					t.Errorf("%s: events %v, with directories %v", code, got, known[code])
				}
				s.checkLinks(code)
			}
			if slices.Equal(known["cs"], known["en"]) || slices.Equal(known["en"], known["de"]) {
				t.Errorf("the languages do not differ: %v", known)
			}
			s.checkPlain(known)
			for _, path := range f.gone {
				if resp, _ := s.get("", "https://"+s.site.home+path+sampleAPI+"/events"); resp.StatusCode != http.StatusNotFound || strings.Contains(resp.Header.Get("Content-Type"), "json") {
					t.Errorf("%s/wp-json/ is a root: %d", path, resp.StatusCode)
				}
			}
		})
	}
}

// servedForm is a served site with one form of URLs.
type servedForm struct {
	t    *testing.T
	form *urlForm
	site formSite
	api  string
}

// serveForm changes the plugin's stored settings and starts the whole program.
func serveForm(t *testing.T, f *urlForm) *servedForm {
	t.Helper()
	site := formSites[f.plugin]
	dsn := site.dsn(t)
	db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}, Tables: table.Config{Prefix: site.prefix}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var stored string
	if err := db.SQL().QueryRow("SELECT option_value FROM "+db.Table("options")+" WHERE option_name = ?", site.option).Scan(&stored); err != nil {
		t.Fatal(err)
	}
	option := phpserial.Maybe(stored).(*php.Array)
	if f.change != nil {
		f.change(option)
		if _, err := db.SQL().Exec("UPDATE "+db.Table("options")+" SET option_value = ? WHERE option_name = ?", phpserial.Serialize(option), site.option); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"--dsn", dsn, "--table-prefix", site.prefix}
	if _, found := checkReport(t, args...); !strings.Contains(found["site.languages"].Found, f.check) {
		t.Errorf("check says %q, want %q in it", found["site.languages"].Found, f.check)
	}
	// The faults of WPML aside, which mix the languages of one answer.
	return &servedForm{t, f, site, start(t, nil, append([]string{"serve", "--compat", "fixed"}, args...)...).api}
}

// url returns a URL of the API in a language, in the form's way.
func (s *servedForm) url(code, path, query string) string {
	host := s.form.host[code]
	if host == "" {
		host = s.site.home
	}
	if slices.Contains(s.form.inRest, code) {
		query = strings.TrimPrefix(query+"&"+s.form.rest+"="+code, "&")
	}
	if query != "" {
		query = "?" + query
	}
	return "https://" + host + s.form.dir[code] + sampleAPI + path + query
}

// get sends a request for a URL of the site to the server, as the web server would.
func (s *servedForm) get(code, address string) (*http.Response, map[string]any) {
	s.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		s.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.api+u.EscapedPath()+"?"+strings.ReplaceAll(u.RawQuery, " ", "%20"), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Host = u.Host
	req.Header.Set("X-Forwarded-Proto", "https")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	var body map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&body); code != "" && (err != nil || resp.StatusCode != http.StatusOK) {
		s.t.Fatalf("%s: %s: %d %v", code, address, resp.StatusCode, err)
	}
	return resp, body
}

// follow reads all events of a language by following the links to the next page.
func (s *servedForm) follow(code string) []int {
	s.t.Helper()
	var ids []int
	next := s.url(code, "/events", allEvents)
	for next != "" {
		_, body := s.get(code, next)
		for _, e := range body["events"].([]any) {
			ids = append(ids, int(e.(map[string]any)["id"].(float64)))
		}
		if self := body["rest_url"].(string); !strings.HasPrefix(self, s.url(code, "/events/", "")) {
			s.t.Errorf("%s: rest_url %s, want it to start with %s", code, self, s.url(code, "/events/", ""))
		}
		if next, _ = body["next_rest_url"].(string); next == "" && int(body["total"].(float64)) != len(ids) {
			s.t.Errorf("%s: %d events on all pages, total %v", code, len(ids), body["total"])
		}
	}
	return ids
}

// checkLinks reads one event of a language with a category, and follows its links.
func (s *servedForm) checkLinks(code string) {
	s.t.Helper()
	_, list := s.get(code, s.url(code, "/events", strings.Replace(allEvents, "=2", "=50", 1)))
	for _, e := range list["events"].([]any) {
		event := e.(map[string]any)
		categories := event["categories"].([]any)
		if len(categories) == 0 {
			continue
		}
		if _, again := s.get(code, event["rest_url"].(string)); again["id"] != event["id"] || again["rest_url"] != event["rest_url"] {
			s.t.Errorf("%s: %v leads to %v", code, event["rest_url"], again["rest_url"])
		}
		page, err := url.Parse(event["url"].(string))
		if err != nil {
			s.t.Fatal(err)
		}
		want := ""
		if slices.Contains(s.form.inPages, code) {
			want = "lang=" + code
		}
		home, _, _ := strings.Cut(s.url(code, "", ""), "/wp-json/")
		if !strings.HasPrefix(page.String(), home+"/event/") || page.RawQuery != want {
			s.t.Errorf("%s: public URL %s, want one below %s with the query %q", code, page, home, want)
		}
		urls := categories[0].(map[string]any)["urls"].(map[string]any)
		_, linked := s.get(code, urls["collection"].(string))
		_, own := s.get(code, s.url(code, "/categories", ""))
		if linked["total"] != own["total"] || linked["total"] == 0.0 {
			s.t.Errorf("%s: %v lists %v categories, the language has %v", code, urls["collection"], linked["total"], own["total"])
		}
		return
	}
	s.t.Errorf("%s: no event has a category", code)
}

// checkPlain requests URLs without a language, with and without the parameter, and compares
// the lists.
func (s *servedForm) checkPlain(known map[string][]int) {
	s.t.Helper()
	plain := "https://" + s.site.home + sampleAPI + "/events?" + allEvents
	want := len(known[s.form.plain])
	if s.form.plain == "" {
		want = len(known["cs"]) + len(known["en"]) + len(known["de"])
	}
	resp, body := s.get("plain", plain)
	if got := int(body["total"].(float64)); got != want {
		s.t.Errorf("%d events without a language, want %d", got, want)
	}
	if got := resp.Header.Get("Link"); !strings.Contains(got, "/wp-json/>") {
		s.t.Errorf("Link: %s", got)
	}
	for code, ids := range known {
		_, body := s.get(code, plain+"&language_code="+code)
		if got := fmt.Sprint(body["total"]); got != fmt.Sprint(len(ids)) {
			s.t.Errorf("%s events by the parameter %s, want %d", got, code, len(ids))
		}
		next, _ := body["next_rest_url"].(string)
		if !strings.HasPrefix(next, s.url(code, "/events/", "")) {
			s.t.Errorf("after the parameter %s comes %s", code, next)
		}
	}
}
