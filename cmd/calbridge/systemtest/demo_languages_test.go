package systemtest

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// sampleSite is the served sample calendar and its database.
type sampleSite struct {
	t   *testing.T
	api string
	sql *sql.DB
}

const sampleAPI = "/wp-json/calendar/events/v1"

// fromMemory stands for a database whose changes are followed, so that lists and rows come
// from memory.
const fromMemory = "memory"

func sampleEngines() []string { return append(wptest.Engines(), fromMemory) }

var listingLoaded = regexp.MustCompile(`(?m)^calbridge_listing_dates [1-9]`)

func serveSample(t *testing.T, engine string) *sampleSite {
	t.Helper()
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "sample.db")
	switch engine {
	case "mariadb":
		dsn = wptest.MariaDB(t)
	case fromMemory:
		dsn = wptest.Replicated(t)
	}
	cfg := sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn), CreateFile: true}, Tables: table.Config{Prefix: "wp_"}}
	loadSample(t, cfg)
	db, err := sitedb.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s := start(t, nil, "serve", "--dsn", dsn, "--compat", "exact", "--site-refresh", "10ms")
	if engine == fromMemory {
		waitFor(t, func() bool {
			_, metrics := fetch(t, s.ops+"/metrics")
			return listingLoaded.MatchString(metrics)
		})
	}
	return &sampleSite{t: t, api: s.api, sql: db.SQL()}
}

func (s *sampleSite) exec(statement string) {
	s.t.Helper()
	if _, err := s.sql.ExecContext(s.t.Context(), statement); err != nil {
		s.t.Fatalf("%s: %v", statement, err)
	}
}

// outcome summarizes a response: the status, and the codes of an error and of its first
// detail, or for a list the language of its items according to their URLs.
func (s *sampleSite) outcome(target string) string {
	s.t.Helper()
	resp, text := fetch(s.t, s.api+target)
	return outcomeOf(resp, text)
}

func outcomeOf(resp *http.Response, text string) string {
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		return fmt.Sprintf("%d no REST", resp.StatusCode)
	}
	var body struct {
		ID   int
		Code string
		Data struct {
			Details map[string]struct{ Code string }
		}
		Events, Categories []struct{ URL string }
	}
	_ = json.Unmarshal([]byte(text), &body) // PHP encodes empty details as a list
	out := []string{fmt.Sprint(resp.StatusCode)}
	if body.Code != "" {
		out = append(out, body.Code)
	}
	for _, detail := range body.Data.Details {
		out = append(out, detail.Code)
	}
	seen := ""
	if body.ID != 0 {
		body.Categories = nil // the categories of a single event
	}
	for _, item := range append(body.Events, body.Categories...) {
		code := "cs"
		if path, ok := strings.CutPrefix(item.URL, "https://lipa.example/"); ok && (strings.HasPrefix(path, "en/") || strings.HasPrefix(path, "de/")) {
			code = path[:2]
		}
		if !strings.Contains(seen, code) {
			seen += code
		}
	}
	if seen != "" {
		out = append(out, seen)
	}
	return strings.Join(out, " ")
}

func (s *sampleSite) total(target string) int {
	s.t.Helper()
	_, text := fetch(s.t, s.api+target)
	var body struct{ Total int }
	if err := json.Unmarshal([]byte(text), &body); err != nil {
		s.t.Fatalf("%s: %v", target, err)
	}
	return body.Total
}

const sampleYear = "?per_page=50&start_date=2000-01-01&end_date=2100-01-01"

// TestSampleLanguages requests languages in all ways that WPML accepts, and in ways that it
// refuses.
func TestSampleLanguages(t *testing.T) {
	oneAtATime(t)
	const notOne, notText = "400 rest_invalid_param rest_not_in_enum", "400 rest_invalid_param rest_invalid_type"
	for _, engine := range sampleEngines() {
		t.Run(engine, func(t *testing.T) {
			s := serveSample(t, engine)
			for target, want := range map[string]string{
				sampleAPI + "/events?per_page=20":                              "200 cs",
				"/en" + sampleAPI + "/events?per_page=20":                      "200 en",
				"/de" + sampleAPI + "/events?per_page=20":                      "200 de",
				"/de/?rest_route=/calendar/events/v1/events&per_page=20":       "200 de",
				sampleAPI + "/events?per_page=20&lang=de":                      "200 de",
				"/en" + sampleAPI + "/events?per_page=20&lang=de":              "200 en",
				sampleAPI + "/events?per_page=20&language_code=cs":             "200 cs",
				sampleAPI + "/events?per_page=20&language_code=en":             "200 en",
				"/en" + sampleAPI + "/events?per_page=20&language_code=de":     "200 de",
				"/en" + sampleAPI + "/events?per_page=20&language_code=cs":     "200 cs",
				sampleAPI + "/categories?per_page=20":                          "200 cs",
				"/en" + sampleAPI + "/categories?per_page=20":                  "200 en",
				sampleAPI + "/categories?per_page=20&language_code=de":         "200 de",
				sampleAPI + "/events?per_page=20&categories=hudba":             "200 cs",
				"/en" + sampleAPI + "/events?per_page=20&categories=hudba":     "200 en",
				"/de" + sampleAPI + "/events?per_page=20&categories=courses":   "200",
				sampleAPI + "/events?per_page=5&search=jazz&language_code=de":  "200 de",
				sampleAPI + "/events/by-slug/farmers-market?language_code=de":  "200",
				"/de" + sampleAPI + "/events/by-slug/zasedani-zastupitelstva":  "200",  // Czech only
				sampleAPI + "/events?language_code=fr":                         notOne, // unknown language
				sampleAPI + "/events?language_code=pl":                         notOne, // known to WPML, but not active
				sampleAPI + "/events?language_code=EN":                         notOne,
				sampleAPI + "/events?language_code=cs_CZ":                      notOne,
				sampleAPI + "/events?language_code=all":                        notOne,
				sampleAPI + "/events?language_code=en,de":                      notOne,
				sampleAPI + "/events?language_code=en%20":                      notOne,
				sampleAPI + "/events?language_code=":                           notOne,
				sampleAPI + "/events?language_code[]=en":                       notText,
				sampleAPI + "/events?language_code[x]=en":                      notText,
				"/en" + sampleAPI + "/events?language_code=EN":                 notOne,
				sampleAPI + "?language_code=EN":                                notOne,
				sampleAPI + "/doc?language_code=":                              notOne,
				sampleAPI + "/events/by-slug/farmers-market?language_code=xx":  notOne,
				sampleAPI + "/venues?language_code=xx":                         notOne,
				sampleAPI + "/organizers/by-slug/jazz-club-lipa?language_code": notOne,
				sampleAPI + "/categories?language_code=xx":                     notOne,
				sampleAPI + "/tags?language_code[]=cs":                         notText,
				sampleAPI + "/events?per_page=20&lang=xx":                      "200 cs",
				sampleAPI + "/events?per_page=20&lang=EN":                      "200 cs",
				sampleAPI + "/events?per_page=20&lang=":                        "200 cs",
				sampleAPI + "/events?per_page=20&lang=all":                     "200 cs",
				sampleAPI + "/events?per_page=20&lang[]=en":                    "200 cs",
				"/cs" + sampleAPI + "/events":                                  "404 no REST",
				"/pl" + sampleAPI + "/events":                                  "404 no REST",
				"/EN" + sampleAPI + "/events":                                  "404 no REST",
				"/en/index.php?rest_route=/calendar/events/v1/events":          "404 no REST",
				"/xx/?rest_route=/calendar/events/v1/events&per_page=20":       "200 cs",
			} {
				if got := s.outcome(target); got != want {
					t.Errorf("%s: %s, want %s", target, got, want)
				}
			}
			resp, text := fetch(t, s.api+sampleAPI+"/events?language_code[]=en")
			if outcomeOf(resp, text) != notText || !strings.Contains(text, `"data":{"param":"language_code"}`) {
				t.Errorf("an array: %s", text)
			}
			// Languages in bodies count as well, and before permissions are checked.
			for body, want := range map[string]string{
				`{"name":"x","language_code":"DE"}`:   notOne,
				`{"name":"x","language_code":""}`:     notOne,
				`{"name":"x","language_code":["de"]}`: notText,
			} {
				resp, err := http.Post(s.api+sampleAPI+"/categories", "application/json", strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				var text json.RawMessage
				err = json.NewDecoder(resp.Body).Decode(&text)
				resp.Body.Close()
				if got := outcomeOf(resp, string(text)); err != nil || got != want {
					t.Errorf("%s: %s %v, want %s", body, got, err, want)
				}
			}
		})
	}
}

// TestSampleWithoutRow removes an event's row of languages. It checks that the event
// disappears from all lists but can still be read individually.
func TestSampleWithoutRow(t *testing.T) {
	for _, engine := range sampleEngines() {
		t.Run(engine, func(t *testing.T) {
			s := serveSample(t, engine)
			var id int
			if err := s.sql.QueryRow("SELECT ID FROM wp_posts WHERE post_name = 'varhanni-koncert-bach-a-cernohorsky'").Scan(&id); err != nil {
				t.Fatal(err)
			}
			before := s.total(sampleAPI + "/events" + sampleYear)
			s.exec(fmt.Sprintf("DELETE FROM wp_icl_translations WHERE element_type = 'post_tribe_events' AND element_id = %d", id))
			waitFor(t, func() bool { return s.total(sampleAPI+"/events"+sampleYear) == before-1 })
			for _, target := range []string{"", "&lang=en", "&lang=de", "&language_code=cs"} {
				if got := s.outcome(fmt.Sprintf("%s/events%s&include=%d%s", sampleAPI, sampleYear, id, target)); got != "200" {
					t.Errorf("listed: %s: %s", target, got)
				}
			}
			resp, text := fetch(t, fmt.Sprintf("%s%s/events/%d", s.api, sampleAPI, id))
			if resp.StatusCode != http.StatusOK || !strings.Contains(text, `"url":"https:\/\/lipa.example\/event\/varhanni-koncert`) {
				t.Errorf("%d %.300s", resp.StatusCode, text)
			}
			if got := s.outcome("/en" + sampleAPI + "/events/by-slug/varhanni-koncert-bach-a-cernohorsky"); got != "200" {
				t.Errorf("by its slug: %s", got)
			}
		})
	}
}

// TestSampleSwitchedOff switches a language off. It checks that its root and its code no
// longer work, but that its contents can still be read individually.
func TestSampleSwitchedOff(t *testing.T) {
	for _, engine := range sampleEngines() {
		t.Run(engine, func(t *testing.T) {
			s := serveSample(t, engine)
			s.exec("UPDATE wp_icl_languages SET active = 0 WHERE code = 'de'")
			waitFor(t, func() bool { return s.outcome("/de"+sampleAPI+"/events") == "404 no REST" })
			for target, want := range map[string]string{
				sampleAPI + "/events?language_code=de":                "400 rest_invalid_param rest_not_in_enum",
				"/en" + sampleAPI + "/categories?language_code=de":    "400 rest_invalid_param rest_not_in_enum",
				sampleAPI + "/events?per_page=20&language_code=en":    "200 en",
				sampleAPI + "/events?per_page=20&lang=de":             "200 cs",
				sampleAPI + "/events?per_page=20":                     "200 cs",
				sampleAPI + "/events/by-slug/bauernmarkt":             "200",
				"/de/?rest_route=/calendar/events/v1/events":          "200 cs",
				"/en" + sampleAPI + "/events/by-slug/winterschwimmen": "200",
			} {
				if got := s.outcome(target); got != want {
					t.Errorf("%s: %s, want %s", target, got, want)
				}
			}
			if _, text := fetch(t, s.api+sampleAPI); !strings.Contains(text, `"enum":["cs","en"]`) || strings.Contains(text, `"de"`) {
				t.Error("the index still offers German")
			}
		})
	}
}
