package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/login"
	"calbridge/rest/phpdate"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpauth"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// testNow is the clock of the tests: 13:00 in Prague.
var testNow = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// testBase is where the test sites answer.
const testBase = "/wp-json/calendar/events/v1"

// testSite is a small site of our own, served by a Server.
type testSite struct {
	*sitedb.DB
	t    testing.TB
	cfg  Config
	srv  *Server
	zone *phpdate.Zones
	seen *api.Observation // of the last request
}

// newTestSite serves testdata/calendar.json from the embedded engine. The changes
// are made to the configuration before serving.
func newTestSite(t testing.TB, changes ...func(*Config)) *testSite {
	t.Helper()
	s := emptyTestSite(t, changes...)
	s.fill()
	return s
}

// emptyTestSite serves a site without any row.
func emptyTestSite(t testing.TB, changes ...func(*Config)) *testSite {
	t.Helper()
	return testSiteOn(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:")}}, changes...)
}

// testSiteOn makes the tables in a database and serves it.
func testSiteOn(t testing.TB, database sitedb.Config, changes ...func(*Config)) *testSite {
	t.Helper()
	s := openTestSite(t, database)
	if err := s.CreateSchema(context.Background()); err != nil {
		t.Fatal(err)
	}
	s.serve(changes...)
	return s
}

// openTestSite opens a database without serving it.
func openTestSite(t testing.TB, database sitedb.Config) *testSite {
	t.Helper()
	database.Tables.Prefix, database.Now = "wp_", func() time.Time { return testNow }
	store, err := sitedb.Open(context.Background(), database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return &testSite{DB: store, t: t, zone: phpdate.NewZones()}
}

// serve starts the server of the site. The changes are made to its configuration before.
func (s *testSite) serve(changes ...func(*Config)) {
	now := func() time.Time { return testNow }
	s.cfg = Config{
		Namespace: "calendar/events/v1", Settings: wpsite.Settings{RESTPrefix: "wp-json", Compat: api.Exact, Theme: wptext.TwentyTwentyFive()},
		Limits:         Limits{RequestTimeout: time.Minute, MaxBody: 8 << 20, MaxVars: 1000, MaxDepth: 64},
		Now:            now,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")},
		Auth: login.Config{ApplicationPasswords: "on", Keys: wpauth.Keys{
			AuthKey: "a1", AuthSalt: "a2", SecureAuthKey: "b1", SecureAuthSalt: "b2",
			LoggedInKey: "c1", LoggedInSalt: "c2", NonceKey: "d1", NonceSalt: "d2",
		}},
		Logger:  slog.New(slog.DiscardHandler),
		Observe: func(o *api.Observation) { s.seen = o },
	}
	for _, change := range changes {
		change(&s.cfg)
	}
	s.srv = New(s.DB, s.cfg)
	s.t.Cleanup(s.srv.Close)
}

// row is a row of a table by column.
type row map[string]any

// insert adds a row; columns that no default covers are filled.
func (s *testSite) insert(table string, r row) {
	s.t.Helper()
	wptest.Insert(s.t, s.SQL(), s.Table(table), r)
}

func (s *testSite) exec(statement string, args ...any) {
	s.t.Helper()
	if _, err := s.SQL().Exec(statement, args...); err != nil {
		s.t.Fatalf("%s: %v", statement, err)
	}
}

// setOption replaces an option. A value other than a string is stored in PHP's form.
func (s *testSite) setOption(name string, v php.Value) {
	s.t.Helper()
	s.exec("DELETE FROM wp_options WHERE option_name = ?", name)
	s.insert("options", row{"option_name": name, "option_value": storedValue(v)})
}

// setCalendarOptions replaces the calendar's own options: names and values.
func (s *testSite) setCalendarOptions(pairs ...any) {
	s.t.Helper()
	a := &php.Array{}
	for i := 0; i < len(pairs); i += 2 {
		a.SetString(pairs[i].(string), pairs[i+1])
	}
	s.setOption("tribe_events_calendar_options", a)
}

func storedValue(v php.Value) string {
	if a, ok := v.(*php.Array); ok {
		return phpserial.Serialize(a)
	}
	return php.ToString(v)
}

// fill loads testdata/calendar.json.
func (s *testSite) fill() {
	s.t.Helper()
	data, err := os.ReadFile("../testdata/calendar.json")
	if err != nil {
		s.t.Fatal(err)
	}
	v, err := phpjson.Decode(data)
	if err != nil {
		s.t.Fatal(err)
	}
	site := v.(*php.Array)
	for name, v := range site.At("options").(*php.Array).All() {
		s.setOption(name.String(), v)
	}
	s.setOption("wp_user_roles", testRoles())
	for _, v := range site.At("users").(*php.Array).Values() {
		u := v.(*php.Array)
		s.addUser(php.ToInt(u.At("id")), php.ToString(u.At("login")), php.ToString(u.At("role")))
	}
	for _, v := range site.At("terms").(*php.Array).Values() {
		s.addTerm(v.(*php.Array))
	}
	for _, v := range site.At("posts").(*php.Array).Values() {
		s.addPost(v.(*php.Array))
	}
}

func (s *testSite) addTerm(t *php.Array) {
	s.insert("terms", row{"term_id": t.At("id"), "name": t.At("name"), "slug": t.At("slug")})
	s.insert("term_taxonomy", row{
		"term_taxonomy_id": php.ToInt(t.At("id")) + 500, "term_id": t.At("id"), "taxonomy": t.At("taxonomy"),
		"description": php.ToString(t.At("description")), "parent": php.ToInt(t.At("parent")), "count": php.ToInt(t.At("count")),
	})
}

// addPost adds a post with its meta and terms; with a start it is an event, whose
// date metas and occurrence are derived.
func (s *testSite) addPost(p *php.Array) {
	s.t.Helper()
	text := func(name, fallback string) string {
		if v := p.At(name); v != nil {
			return php.ToString(v)
		}
		return fallback
	}
	id := php.ToInt(p.At("id"))
	date := text("date", "2026-01-01 12:00:00")
	gmt := shift(s.t, date, -time.Hour)
	s.insert("posts", row{
		"ID": id, "post_type": text("type", api.Events.PostType), "post_status": text("status", "publish"), "post_author": php.ToInt(p.At("author")),
		"post_title": text("title", ""), "post_name": text("name", ""), "post_content": text("content", ""), "post_excerpt": text("excerpt", ""),
		"post_password": text("password", ""), "post_parent": php.ToInt(p.At("parent")), "menu_order": php.ToInt(p.At("order")),
		"post_mime_type": text("mime", ""), "guid": text("guid", ""),
		"post_date": date, "post_date_gmt": gmt, "post_modified": date, "post_modified_gmt": gmt,
	})
	if metas, ok := p.At("meta").(*php.Array); ok {
		for _, v := range metas.Values() {
			pair := v.(*php.Array).Values()
			s.addMeta(id, php.ToString(pair[0]), storedValue(pair[1]))
		}
	}
	if terms, ok := p.At("terms").(*php.Array); ok {
		for _, v := range terms.Values() {
			s.insert("term_relationships", row{"object_id": id, "term_taxonomy_id": php.ToInt(v) + 500})
		}
	}
	if start := text("start", ""); start != "" {
		s.addDates(id, start, text("end", ""), text("zone", "UTC"))
	}
}

func (s *testSite) addMeta(post int64, key, value string) {
	s.t.Helper()
	s.insert("postmeta", row{"post_id": post, "meta_key": key, "meta_value": value})
}

func (s *testSite) addDates(id int64, start, end, zone string) {
	s.t.Helper()
	at, err := s.zone.LiteralZone(zone)
	if err != nil {
		s.t.Fatal(err)
	}
	utc := func(local string) (string, string) {
		v, err := time.ParseInLocation(api.MySQLTime, local, at)
		if err != nil {
			s.t.Fatal(err)
		}
		return v.UTC().Format(api.MySQLTime), v.Format("MST")
	}
	startUTC, abbreviation := utc(start)
	endUTC, _ := utc(end)
	for _, m := range [][2]string{
		{"_EventStartDate", start}, {"_EventEndDate", end}, {"_EventStartDateUTC", startUTC}, {"_EventEndDateUTC", endUTC},
		{"_EventTimezone", zone}, {"_EventTimezoneAbbr", abbreviation},
	} {
		s.addMeta(id, m[0], m[1])
	}
	s.insert("tec_occurrences", row{
		"event_id": id, "post_id": id, "start_date": start, "end_date": end, "start_date_utc": startUTC, "end_date_utc": endUTC, "hash": fmt.Sprint(id),
	})
}

func shift(t testing.TB, stored string, by time.Duration) string {
	t.Helper()
	at, err := time.Parse(api.MySQLTime, stored)
	if err != nil {
		t.Fatal(err)
	}
	return at.Add(by).Format(api.MySQLTime)
}

// ask is a request to a test site.
type ask struct {
	method, target string // GET by default; a relative target is below the namespace
	as             string // login
	header         http.Header
	body           string
	contentType    string
	from           string // address of the peer
}

// answer is what came back.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	body   string
}

func (s *testSite) do(a ask) answer {
	s.t.Helper()
	w := httptest.NewRecorder()
	s.srv.ServeHTTP(w, s.request(a))
	return answer{s.t, w.Code, w.Header(), w.Body.String()}
}

// request makes the request as net/http hands it over.
func (s *testSite) request(a ask) *http.Request {
	if a.method == "" {
		a.method = http.MethodGet
	}
	if !strings.HasPrefix(a.target, "/") && !strings.HasPrefix(a.target, "https:") && a.target != "*" {
		a.target = testBase + "/" + a.target
	}
	r := &http.Request{Method: a.method, RequestURI: a.target, URL: httptest.NewRequest(http.MethodGet, "/", nil).URL, Header: http.Header{}, RemoteAddr: "127.0.0.1:40000", Host: "village.example"}
	r.Header.Set("X-Forwarded-Proto", "https")
	maps.Copy(r.Header, a.header)
	if a.contentType != "" {
		r.Header.Set("Content-Type", a.contentType)
	}
	if a.body != "" {
		r.Body = io.NopCloser(strings.NewReader(a.body))
	}
	if a.from != "" {
		r.RemoteAddr = a.from
	}
	if a.as != "" {
		r.SetBasicAuth(a.as, testPassword(a.as))
	}
	return r
}

func (s *testSite) get(target string) answer { s.t.Helper(); return s.do(ask{target: target}) }

// json reads the value at a path such as "data.params.0" of the body as JSON
// text; "" when there is none.
func (a answer) json(path string) string {
	a.t.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(a.body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		a.t.Fatalf("no JSON: %v: %.200q", err, a.body)
	}
	for step := range strings.SplitSeq(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[step]
		case []any:
			i := php.ToInt(step)
			if i >= int64(len(at)) {
				return ""
			}
			v = at[i]
		default:
			return ""
		}
	}
	if v == nil {
		return ""
	}
	if s, ok := v.(string); ok {
		return s
	}
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return strings.TrimSpace(out.String())
}

// ids lists the members "id" of a list in the body.
func (a answer) ids(list string) string {
	a.t.Helper()
	var body map[string]json.RawMessage
	var items []struct{ ID int64 }
	if err := json.Unmarshal([]byte(a.body), &body); err != nil {
		a.t.Fatalf("no JSON: %v: %.200q", err, a.body)
	}
	if err := json.Unmarshal(body[list], &items); err != nil {
		a.t.Fatalf("no list %s: %v: %.300q", list, err, a.body)
	}
	var out []string
	for _, item := range items {
		out = append(out, fmt.Sprint(item.ID))
	}
	return strings.Join(out, " ")
}

// outcome returns the status with the error code, if any.
func (a answer) outcome() string {
	a.t.Helper()
	if a.status < 400 {
		return fmt.Sprint(a.status)
	}
	return fmt.Sprint(a.status, " ", a.json("code"))
}
