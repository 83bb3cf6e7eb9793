package wordpress_test

import (
	"cmp"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/companion"
	"calbridge/rest/notice"
	"calbridge/wpstore/langpack"
)

// askedHooks returns names of hooks that core, plugins and sites use.
func askedHooks() []string {
	return strings.Fields(`rest_authentication_errors rest_pre_dispatch rest_pre_serve_request rest_post_dispatch rest_request_before_callbacks
	rest_dispatch_request rest_endpoints rest_url_prefix rest_enabled wp_is_application_passwords_available wp_is_application_passwords_available_for_user
	tribe_rest_event_data tribe_rest_venue_data the_content the_title get_the_excerpt excerpt_more excerpt_length upload_dir wp_get_attachment_url
	post_type_link tribe_get_cost run_wptexturize pre_get_posts posts_where get_terms_defaults tribe_events_archive_get_args locale gettext`)
}

// facts returns the plugin's report.
func facts(t *testing.T, s *site, hooks ...string) companion.Facts {
	t.Helper()
	client, err := companion.Open(companion.Config{URL: s.url, Secret: secret, FactsTimeout: time.Minute}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	got, err := client.Facts(t.Context(), hooks)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestFacts(t *testing.T) {
	if testing.Short() {
		t.Skip("PHP and a database")
	}
	t.Parallel()
	s := newSite(t, "")
	for _, folder := range []string{"themes/probe", "plugins/polylang", "plugins/the-events-calendar/common", "plugins/event-tickets-plus"} {
		if err := os.MkdirAll(filepath.Join(s.dir, "wp-content", folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.write("wp-content/themes/probe/style.css", "/*\nTheme Name: Probe\nVersion: 3.1\n*/\n")
	s.write("wp-content/themes/probe/index.php", "<?php\n")
	s.write("wp-content/themes/probe/theme.json", `{"version":2,"settings":{"layout":{"contentSize":"612px"},"appearanceTools":true},
		"styles":{"spacing":{"blockGap":"7px"},"blocks":{"core/columns":{"spacing":{"blockGap":"var:preset|spacing|50"}}}}}`)
	s.copy("testdata/facts/functions.php", "wp-content/themes/probe/functions.php")
	const hooks = "<?php\n/*\nPlugin Name: A plugin\nVersion: 9.8.7\n*/\nadd_filter('the_content', static function (\\$x) { return \\$x; });\n"
	for _, file := range []string{"polylang/polylang.php", "the-events-calendar/common/hooks.php", "event-tickets-plus/plus.php"} {
		s.write("wp-content/plugins/"+file, strings.ReplaceAll(hooks, `\$`, "$"))
	}
	s.php(`update_option('stylesheet', 'probe') . update_option('template', 'probe')
		. update_option('active_plugins', ['polylang/polylang.php', 'the-events-calendar/common/hooks.php', 'event-tickets-plus/plus.php'])`)

	t.Run("a site without hooks", func(t *testing.T) { s.t = t; testFactsPlain(t, s) })
	s.copy("testdata/facts/hooked.php", "wp-content/mu-plugins/hooked.php")
	for _, test := range []struct {
		name string
		run  func(*testing.T, *site)
	}{
		{"hooks", testFactsHooks},
		{"filters that fail", testFactsFailing},
		{"shortcodes and blocks", testFactsRegistered},
		{"code", testFactsCode},
		{"data files", testFactsDataFiles},
		{"who asks", testFactsVisitors},
		{"code behind links", testFactsCodeLinks},
		{"what is open", testFactsOpen},
		{"hostile callers", testFactsHostile},
	} {
		t.Run(test.name, func(t *testing.T) { s.t = t; test.run(t, s) })
	}
	t.Run("the plugin of version 1", func(t *testing.T) {
		s.remove("wp-content/mu-plugins/calbridge-companion-facts.php")
		client, err := companion.Open(companion.Config{URL: s.url, Secret: secret, FactsTimeout: time.Minute}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		if _, err := client.Facts(t.Context(), nil); err == nil || !strings.Contains(err.Error(), companion.ErrNoFacts.Error()) {
			t.Errorf("%v", err)
		}
	})
	if log := s.read("php.log"); strings.Contains(log, "calbridge-companion") || strings.Contains(log, "FORGED") {
		t.Errorf("PHP complains:\n%s", log)
	}
}

func testFactsPlain(t *testing.T, s *site) {
	post := s.id(`wp_insert_post(['post_title' => 'Fest', 'post_status' => 'publish', 'post_type' => 'tribe_events'])`)
	s.id(`wp_insert_post(['post_title' => 'Secret', 'post_status' => 'publish', 'post_type' => 'tribe_events', 'post_password' => 'x'])`)
	value := func(expression string, arguments ...any) (v string) {
		if err := json.Unmarshal([]byte(s.php(expression, arguments...)), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	got := facts(t, s, askedHooks()...)
	marks := map[string]string{}
	for _, text := range langpack.Texts() {
		marks[cmp.Or(text.Context, text.Original)] = text.Original
	}
	caps := map[string]int{}
	for _, kind := range []string{"event", "venue", "organizer", "event_category", "event_tag"} {
		caps["tribe_rest_"+kind+"_max_per_page"] = 50
	}
	want := companion.Facts{
		WordPress: value(`get_bloginfo('version')`),
		Plugins:   map[string]string{"polylang/polylang.php": "9.8.7", "the-events-calendar/common/hooks.php": "9.8.7", "event-tickets-plus/plus.php": "9.8.7"},
		MustUse:   []string{"calbridge-companion-code.php", "calbridge-companion-facts.php", "calbridge-companion.php", "probe.php"}, DropIns: []string{"object-cache.php"},
		Theme: companion.Theme{Stylesheet: "probe", Template: "probe", Version: "3.1", JSON: true, HTML5: []string{"caption", "gallery"},
			ContentWidth: 584, ContentSize: "612px", Rendering: &notice.Rendering{BlockGap: true, Gap: "7px", Gaps: map[string]string{"core/columns": "var(--wp--preset--spacing--50)"}}},
		Locale: "en_US", Texturize: marks,
		Uploads: companion.Uploads{BaseDir: filepath.Join(s.dir, "wp-content/uploads"), BaseURL: s.url + "wp-content/uploads"},
		Excerpt: notice.Excerpt{ExcerptMore: " [&hellip;]", ExcerptLength: 55,
			ExcerptPost: companion.ExcerptPost{ID: int(post), URL: value(`get_permalink(%d)`, post), Title: "Fest"}},
		RESTPrefix: "wp-json", PageCaps: caps, APIDisabled: true, DBCharset: "utf8mb4", ConnectionCharset: "utf8mb4",
		// Those of core, the known plugins and the companion are not among them.
		Hooks: []companion.Hook{
			{Name: "rest_authentication_errors", Callback: "Closure", File: "wp-content/mu-plugins/probe.php", Priority: 999},
			{Name: "the_content", Callback: "Closure", File: "wp-content/plugins/event-tickets-plus/plus.php", Priority: 10},
			{Name: "excerpt_length", Callback: "Closure", File: "wp-content/themes/probe/functions.php", Priority: 999},
		},
		Shortcodes: []string{}, Blocks: []string{},
		Visitors: []companion.VisitorHook{}, Problems: []companion.Problem{},
	}
	for i := range got.Hooks {
		if got.Hooks[i].Line == 0 {
			t.Errorf("%+v has no line", got.Hooks[i])
		}
		got.Hooks[i].Line = 0
	}
	got.Code = nil // testFactsCode
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// testFactsHooks checks that each kind of callback is named, with its file.
func testFactsHooks(t *testing.T, s *site) {
	const file = "wp-content/mu-plugins/hooked.php"
	lines := strings.Split(s.read(file), "\n")
	line := func(start string) int {
		return 1 + slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), start) })
	}
	got := facts(t, s, askedHooks()...)
	const last = int(^uint(0) >> 1)
	hook := func(name, callback, file string, line, priority int) companion.Hook {
		return companion.Hook{Name: name, Callback: callback, File: file, Line: line, Priority: priority}
	}
	for _, want := range []companion.Hook{
		hook("tribe_rest_event_data", `Probe\adds_a_field`, file, line("function adds_a_field"), 12),
		hook("rest_authentication_errors", `Probe\Closer::close`, file, line("public function close"), 5),
		hook("the_title", `Probe\Closer::shout`, file, line("public static function shout"), -1),
		hook("the_title", "ucfirst", "", 0, 10),
		hook("pre_get_posts", `Probe\Closer::__invoke`, file, line("public function __invoke"), 10),
		hook("tribe_rest_venue_data", `Probe\Inherits::get_items`, file, line("class Inherits"), 10),
		hook("tribe_get_cost", "there_is_no_such_function", "", 0, 10),
		hook("upload_dir", "class@anonymous::__invoke", file, line("add_filter('upload_dir'")+1, 10),
		hook("post_type_link", "Closure", file, 1, 20),
		hook("excerpt_more", "Closure", file, line("add_filter('excerpt_more'"), 10),
	} {
		if !slices.Contains(got.Hooks, want) {
			t.Errorf("%+v is missing", want)
		}
	}
	// Functions of core that core itself doesn't hook there.
	for _, want := range []companion.Hook{
		{Name: "the_title", Callback: "__return_true", File: "wp-includes/functions.php", Priority: last},
		{Name: "tribe_rest_event_data", Callback: "wp_unslash", File: "wp-includes/formatting.php", Priority: 10},
	} {
		if !slices.ContainsFunc(got.Hooks, func(h companion.Hook) bool { h.Line = 0; return h == want }) {
			t.Errorf("%+v is missing", want)
		}
	}
	if t.Failed() {
		t.Logf("%+v", got.Hooks)
	}
	if more := facts(t, s, "tribe_rest_event_data"); len(more.Hooks) != 2 {
		t.Errorf("not asked for: %+v", more.Hooks)
	}
	link := ` <a href="` + got.ExcerptPost.URL + `">` + got.ExcerptPost.Title + `</a>`
	if got.ExcerptMore != " [&hellip;]"+link || got.ExcerptPost.Title == "" || got.ExcerptLength != 60 {
		t.Errorf("excerpt: %q, %d words, %+v", got.ExcerptMore, got.ExcerptLength, got.ExcerptPost)
	}
	if got.PageCaps["tribe_rest_event_max_per_page"] != 999 || got.PageCaps["tribe_rest_series_max_per_page"] != 10 || got.PageCaps["tribe_rest_venue_max_per_page"] != 50 {
		t.Errorf("page caps %v", got.PageCaps)
	}
	if len(got.Problems) > 0 {
		t.Errorf("problems %+v", got.Problems)
	}
}

// testFactsRegistered checks that shortcodes and blocks that calbridge can't render are named.
func testFactsRegistered(t *testing.T, s *site) {
	got := facts(t, s)
	slices.Sort(got.Shortcodes)
	slices.Sort(got.Blocks)
	if want := []string{"5star", "gallery", "probe_map"}; !slices.Equal(got.Shortcodes, want) {
		t.Errorf("shortcodes %q, want %q", got.Shortcodes, want)
	}
	if want := []string{"probe/box", "probe/cart"}; !slices.Equal(got.Blocks, want) {
		t.Errorf("blocks %q, want %q", got.Blocks, want)
	}
}

// testFactsFailing checks that a filter that prints, throws or returns wrong values
// affects only its own fact.
func testFactsFailing(t *testing.T, s *site) {
	whole := facts(t, s)
	for _, c := range []struct{ option, says string }{
		{"probe_throws", "RuntimeException in wp-content/mu-plugins/hooked.php:"},
		{"probe_array", "the filters of excerpt_more return array"},
	} {
		s.php(`update_option('%s', 1)`, c.option)
		got := facts(t, s)
		s.php(`delete_option('%s')`, c.option)
		if len(got.Problems) != 1 || got.Known("excerpt_more") || !strings.Contains(got.Problems[0].Problem, c.says) || strings.Contains(got.Problems[0].Problem, "sesame") {
			t.Errorf("%s: %+v", c.option, got.Problems)
		}
		got.Code, whole.Code = nil, nil // hooked.php has just changed
		got.ExcerptMore, got.Problems = whole.ExcerptMore, whole.Problems
		if !reflect.DeepEqual(got, whole) {
			t.Errorf("%s: %+v, want %+v", c.option, got, whole)
		}
	}
	s.php(`update_option('probe_lies', 1)`)
	defer s.php(`delete_option('probe_lies')`)
	got := facts(t, s)
	_, capped := got.PageCaps["tribe_rest_event_max_per_page"]
	if got.ExcerptLength != 0 || got.Known("excerpt_length") || capped || got.Known("page_caps") || len(got.Problems) != 2 {
		t.Errorf("%d words, page caps %v, problems %+v", got.ExcerptLength, got.PageCaps, got.Problems)
	}
}

// testFactsOpen checks the facts about what the site has closed and where it reads from.
func testFactsOpen(t *testing.T, s *site) {
	expect := func(when string, disabled, passwords, tables bool) {
		t.Helper()
		got := facts(t, s)
		if got.APIDisabled != disabled || got.ApplicationPasswords != passwords || got.CalendarTables != tables || len(got.Problems) > 0 {
			t.Errorf("%s: API disabled %t, passwords %t, tables %t, problems %+v", when, got.APIDisabled, got.ApplicationPasswords, got.CalendarTables, got.Problems)
		}
	}
	expect("neither calendar nor https", true, false, false)
	s.php(`update_option('probe_routes', 1) . update_option('tec_ct1_migration_state', ['phase' => 'migration-complete'])`)
	expect("with the calendar", false, false, true)
	s.php(`update_option('tec_custom_tables_v1_active', '0') . update_option('probe_https', 1)`)
	expect("without its tables, at an https address", false, true, false)
	s.php(`delete_option('probe_https') . update_option('probe_closed', 1)`)
	expect("closed to visitors, at an http address", false, false, false)
	s.php(`delete_option('probe_closed')`)
}

// testFactsHostile checks that only calbridge gets the facts, and only once for each
// request.
func testFactsHostile(t *testing.T, s *site) {
	send := func(method string, header http.Header, body string) (int, string) {
		t.Helper()
		req, _ := http.NewRequest(method, s.url+"index.php?rest_route=/calbridge/v1/facts", strings.NewReader(body))
		req.Header = header
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(text)
	}
	const query, purpose = `{"hooks":["the_content"]}`, "to-wordpress facts"
	signed := func(purpose string, at time.Time, body string) http.Header {
		h := http.Header{"Content-Type": {"application/json"}}
		signFor(h, purpose, at, body)
		return h
	}
	with := func(name, value string) http.Header {
		h := signed(purpose, time.Now(), query)
		h.Set(name, value)
		return h
	}
	genuine := signed(purpose, time.Now(), query)
	names := func(list ...string) string {
		text, _ := json.Marshal(map[string][]string{"hooks": list})
		return string(text)
	}
	many := make([]string, companion.MaxHooks+1)
	for i := range many {
		many[i] = "a"
	}
	now := time.Now()
	for _, c := range []struct {
		name, method string
		header       http.Header
		body         string
		status       int
	}{
		{"unsigned", "POST", http.Header{"Content-Type": {"application/json"}}, query, 401},
		{"wrong signature", "POST", with("X-Calbridge-Signature", strings.Repeat("0", 64)), query, 401},
		{"empty signature", "POST", with("X-Calbridge-Signature", ""), query, 401},
		{"other nonce", "POST", with("X-Calbridge-Nonce", strings.Repeat("0", 32)), query, 401},
		{"odd nonce", "POST", with("X-Calbridge-Nonce", "'; DROP TABLE wp_options; -- FORGED"), query, 401},
		{"odd time", "POST", with("X-Calbridge-Timestamp", "now"), query, 401},
		{"other body", "POST", genuine, query + " ", 401},
		{"a notice's signature", "POST", signed("to-wordpress notice", now, query), query, 401},
		{"the status's signature", "POST", signed("to-wordpress status", now, query), query, 401},
		{"the answer's signature", "POST", signed("from-wordpress facts", now, query), query, 401},
		{"ten minutes old", "POST", signed(purpose, now.Add(-10*time.Minute), query), query, 401},
		{"ten minutes ahead", "POST", signed(purpose, now.Add(10*time.Minute), query), query, 401},
		{"GET", "GET", signed(purpose, now, ""), "", 404},
		{"PUT", "PUT", signed(purpose, now, query), query, 404},
		{"DELETE", "DELETE", signed(purpose, now, query), query, 404},
		{"huge", "POST", http.Header{"Content-Type": {"text/plain"}}, strings.Repeat(" ", 1<<20+1), 413},
		{"large", "POST", signed(purpose, now, query+strings.Repeat(" ", 40000)), query + strings.Repeat(" ", 40000), 413},
		{"genuine", "POST", genuine, query, 200},
		{"genuine once more", "POST", genuine, query, 409},
	} {
		code, text := send(c.method, c.header, c.body)
		if code != c.status || code != 200 && strings.Contains(text, `"facts":`) {
			t.Errorf("%s: %d %.300s", c.name, code, text)
		}
	}
	for _, body := range []string{
		``, `7`, `{}`, `[]x`, `{"hooks":7}`, `{"hooks":{"a":{"b":1}}}`, `{"hooks":[["a"]]}`, `{"hooks":[null]}`, `{"hooks":[1]}`,
		names(""), names("a b"), names("a\nFORGED"), names("a\x00"), names("<b>FORGED</b>"), names("ž"), names(strings.Repeat("a", companion.MaxHookName+1)), names(many...),
	} {
		// Another type than JSON: WordPress itself refuses JSON that it can't read.
		h := signed(purpose, time.Now(), body)
		h.Set("Content-Type", "text/plain")
		if code, text := send("POST", h, body); code != 400 || strings.Contains(text, "FORGED") {
			t.Errorf("body %.100q: %d %.300s", body, code, text)
		}
	}
	// The report contains no keys, and no folders except that of the uploads.
	h := signed(purpose, time.Now(), names(askedHooks()...))
	code, text := send("POST", h, names(askedHooks()...))
	var answer map[string]any
	if err := json.Unmarshal([]byte(text), &answer); code != 200 || err != nil {
		t.Fatalf("%d %.300s", code, text)
	}
	if got := slices.Sorted(maps.Keys(answer)); !slices.Equal(got, []string{"companion", "facts", "signature"}) {
		t.Errorf("the answer has %v", got)
	}
	report, _ := answer["facts"].(string)
	uploads, _ := json.Marshal(filepath.Join(s.dir, "wp-content/uploads"))
	report = strings.ReplaceAll(strings.ReplaceAll(report, `\/`, "/"), string(uploads), "")
	for _, kind := range []string{secret, s.dir, "admin@example.test", "Secret"} {
		if strings.Contains(report, kind) {
			t.Errorf("the report has %q", kind)
		}
	}
}
