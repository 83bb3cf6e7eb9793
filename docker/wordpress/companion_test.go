// Package wordpress_test runs the companion plugin in a real WordPress.
package wordpress_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/rest/notice"
)

// receiver is calbridge's side: a handler and the notices that it received.
type receiver struct {
	http.Handler
	mu  sync.Mutex
	got []notice.Notice
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{}
	h, err := notice.NewHandler(secret,
		func(n notice.Notice) { r.mu.Lock(); r.got = append(r.got, n); r.mu.Unlock() },
		func(reason string) { t.Errorf("a notice of WordPress is refused: %s", reason) },
	)
	if err != nil {
		t.Fatal(err)
	}
	r.Handler = h
	return r
}

// waitFor returns the first matching notice, and forgets all.
func (r *receiver) waitFor(t *testing.T, suits func(notice.Notice) bool) notice.Notice {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(25 * time.Millisecond) {
		r.mu.Lock()
		at := slices.IndexFunc(r.got, suits)
		if at >= 0 {
			n := r.got[at]
			r.got = nil
			r.mu.Unlock()
			return n
		}
		r.mu.Unlock()
	}
	t.Errorf("no such notice among %+v", r.got)
	return notice.Notice{}
}

// silent asserts that no notice arrives.
func (r *receiver) silent(t *testing.T) {
	t.Helper()
	time.Sleep(300 * time.Millisecond)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.got) > 0 {
		t.Errorf("received %+v", r.got)
	}
	r.got = nil
}

func (r *receiver) forget() {
	time.Sleep(300 * time.Millisecond)
	r.mu.Lock()
	r.got = nil
	r.mu.Unlock()
}

// tell delivers one notice.
func tell(t *testing.T, s *site, n notice.Notice) {
	t.Helper()
	var log bytes.Buffer // of failures
	c, err := notice.New(notice.Options{Site: s.url, Secret: secret, Timeout: time.Minute, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	c.Send(n)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	if err := c.Close(ctx); err != nil || log.Len() > 0 {
		t.Fatalf("%v; %s", err, &log)
	}
}

func TestCompanion(t *testing.T) {
	address := freeAddress(t)
	s := newSite(t, "http://"+address+"/notice")
	r := newReceiver(t)
	server := listen(t, address, r)
	defer func() { server.Close() }()

	for _, test := range []struct {
		name string
		run  func(*testing.T, *site, *receiver)
	}{
		{"status", testStatus},
		{"rows changed by SQL", testStale},
		{"rows added and removed by SQL", testAddedAndRemoved},
		{"everything", testAll},
		{"actions", testActions},
		{"cron", testCron},
		{"refusals", testRefusals},
		{"racing copies", testRacingCopies},
		{"closed REST API", testClosedAPI},
		{"what WordPress changes", testOutgoing},
		{"no echo", testNoEcho},
	} {
		t.Run(test.name, func(t *testing.T) {
			s.t = t
			r.forget()
			test.run(t, s, r)
		})
	}
	t.Run("calbridge is away", func(t *testing.T) {
		s.t = t
		server.Close()
		r.forget()
		id := s.id(`wp_insert_post(['post_title' => 'Alone', 'post_status' => 'publish', 'post_type' => 'tribe_events'])`)
		hung := listen(t, address, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}))
		s.write("wp-content/hangs", "")
		s.php(`update_post_meta(%d, 'a', 'a')`, id) // ends, although the receiver hangs
		s.remove("wp-content/hangs")
		if limits := strings.Fields(s.read("wp-content/timeouts")); len(limits) == 0 || limits[len(limits)-1] != "0.5" {
			t.Errorf("a page waits for a receiver for %q seconds", limits)
		}
		hung.Close()
		server = listen(t, address, r)
		r.silent(t)
		s.php(`update_post_meta(%d, 'a', 'b')`, id)
		if n := r.waitFor(t, func(n notice.Notice) bool { return slices.Contains(n.Posts, id) }); !n.All {
			t.Errorf("after a lost notice: %+v", n)
		}
		s.php(`update_post_meta(%d, 'a', 'c')`, id)
		if n := r.waitFor(t, func(n notice.Notice) bool { return slices.Contains(n.Posts, id) }); n.All {
			t.Errorf("All is sent twice: %+v", n)
		}
		// A notice of calbridge's is a sign of life, too.
		server.Close()
		s.php(`update_post_meta(%d, 'a', 'd')`, id)
		server = listen(t, address, r)
		tell(t, s, notice.Notice{Cron: true})
		r.waitFor(t, func(n notice.Notice) bool { return n.All })
	})
	t.Run("no secret", func(t *testing.T) {
		s.t = t
		r.forget()
		s.write("no-secret", "")
		c, err := notice.New(notice.Options{Site: s.url, Secret: secret, Timeout: time.Minute, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close(t.Context())
		if _, err := c.Status(t.Context()); err == nil || !strings.Contains(err.Error(), "not installed there, or has no secret") {
			t.Errorf("status without a secret: %v", err)
		}
		s.id(`wp_insert_post(['post_title' => 'Secretless', 'post_status' => 'publish'])`)
		r.silent(t)
	})
	if log := s.read("php.log"); strings.Contains(log, "calbridge-companion") {
		t.Errorf("PHP complains:\n%s", log)
	}
}

func testStatus(t *testing.T, s *site, _ *receiver) {
	c, err := notice.New(notice.Options{Site: s.url, Secret: secret, Timeout: time.Minute, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	got, err := c.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got.Companion != "2" || got.WordPress == "" || got.PHP == "" || !got.ObjectCache || got.PageCache || !got.CronDisabled ||
		!got.SendsNotices || got.FiresActions || time.Since(time.Unix(got.Time, 0)).Abs() > time.Minute {
		t.Errorf("%+v", got)
	}
}

// What a notice names is read anew, and nothing else is.
func testStale(t *testing.T, s *site, _ *receiver) {
	post := s.id(`wp_insert_post(['post_title' => 'Old', 'post_name' => 'old-slug', 'post_status' => 'publish', 'post_type' => 'tribe_events', 'meta_input' => ['m' => 'old']])`)
	other := s.id(`wp_insert_post(['post_title' => 'Old', 'post_status' => 'publish', 'post_type' => 'tribe_events'])`)
	term := s.id(`wp_insert_term('Old', 'tribe_events_cat')['term_id']`)
	second := s.id(`wp_insert_term('Second', 'tribe_events_cat')['term_id']`)
	s.php(`wp_set_object_terms(%d, [%d], 'tribe_events_cat')`, post, term)
	s.php(`update_option('calbridge_probe', 'old')`)
	s.php(`update_option('calbridge_probe_lazy', 'old', false)`)

	shown := []struct{ expression, before, after string }{
		{expr(`get_post(%d)->post_title`, post), `"Old"`, `"New"`},
		{expr(`get_post_meta(%d, 'm', true)`, post), `"old"`, `"new"`},
		{expr(`get_post(%d)->post_title`, other), `"Old"`, `"Old"`},
		{expr(`get_term(%d)->name`, term), `"Old"`, `"New"`},
		{expr(`get_term_meta(%d, 'm', true)`, term), `""`, `"new"`},
		{expr(`get_term(%d)->count`, second), `0`, `1`},
		{expr(`wp_list_pluck(get_the_terms(%d, 'tribe_events_cat'), 'name')`, post), `["Old"]`, `["Second"]`},
		{`count(get_posts(['post_type' => 'tribe_events', 's' => 'New', 'fields' => 'ids']))`, `0`, `2`},
		{`get_option('calbridge_probe')`, `"old"`, `"new"`},
		{`get_option('calbridge_probe_lazy')`, `"old"`, `"new"`},
		{`get_option('calbridge_probe_missing')`, `false`, `"new"`},
		{`get_userdata(1)->display_name`, `"admin"`, `"Boss"`},
		{`get_user_meta(1, 'nickname', true)`, `"admin"`, `"boss"`},
	}
	check := func(when string, want func(i int) string) {
		t.Helper()
		for i, v := range shown {
			if got := s.php("%s", v.expression); got != want(i) {
				t.Errorf("%s: %s: %s, want %s", when, v.expression, got, want(i))
			}
		}
	}
	before := func(i int) string { return shown[i].before }
	check("at first", before)

	var ttOld, ttSecond int64
	_ = s.db.QueryRow("SELECT term_taxonomy_id FROM wp_term_taxonomy WHERE term_id=?", term).Scan(&ttOld)
	_ = s.db.QueryRow("SELECT term_taxonomy_id FROM wp_term_taxonomy WHERE term_id=?", second).Scan(&ttSecond)
	s.sql("UPDATE wp_posts SET post_title='New', post_name='new-slug' WHERE ID=?", post)
	s.sql("UPDATE wp_posts SET post_title='New' WHERE ID=?", other)
	s.sql("UPDATE wp_postmeta SET meta_value='new' WHERE post_id=? AND meta_key='m'", post)
	s.sql("UPDATE wp_terms SET name='New' WHERE term_id=?", term)
	s.sql("INSERT INTO wp_termmeta (term_id, meta_key, meta_value) VALUES (?, 'm', 'new')", term)
	s.sql("UPDATE wp_term_relationships SET term_taxonomy_id=? WHERE object_id=? AND term_taxonomy_id=?", ttSecond, post, ttOld)
	s.sql("UPDATE wp_term_taxonomy SET count=(term_id=?) WHERE term_id IN (?, ?)", second, term, second)
	s.sql("UPDATE wp_options SET option_value='new' WHERE option_name IN ('calbridge_probe', 'calbridge_probe_lazy')")
	s.sql("INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('calbridge_probe_missing', 'new', 'no')")
	s.sql("UPDATE wp_users SET display_name='Boss' WHERE ID=1")
	s.sql("UPDATE wp_usermeta SET meta_value='boss' WHERE user_id=1 AND meta_key='nickname'")
	check("changed by SQL, no notice", before)

	s.log()
	tell(t, s, notice.Notice{
		Posts: []int64{post}, Terms: []int64{term, second}, Users: []int64{1},
		Options: []string{"calbridge_probe", "calbridge_probe_lazy", "calbridge_probe_missing"},
	})
	// A page cache hears of both addresses; no other action is fired.
	if log := s.log(); log != "clean_post_cache old-slug\nclean_post_cache new-slug\n" {
		t.Errorf("actions: %q", log)
	}
	check("after the notice", func(i int) string { return shown[i].after })
}

func testAddedAndRemoved(t *testing.T, s *site, _ *receiver) {
	gone := s.id(`wp_insert_post(['post_title' => 'Gone', 'post_status' => 'publish', 'post_type' => 'tribe_events', 'meta_input' => ['m' => 'x']])`)
	term := s.id(`wp_insert_term('Parent', 'tribe_events_cat')['term_id']`)
	lost := s.id(`wp_insert_term('Lost', 'tribe_events_cat')['term_id']`)
	const list = `wp_list_pluck(get_posts(['post_type' => 'tribe_events', 'name' => '%s']), 'post_title')`
	const children = `get_term_children(%d, 'tribe_events_cat')`
	expect := func(title, added, removed, kids, lostTerm string) {
		t.Helper()
		s.is(title, `get_post(%d) ? get_post(%d)->post_title : null`, gone, gone)
		s.is(added, list, "added")
		s.is(removed, list, "gone")
		s.is(kids, children, term)
		s.is(lostTerm, `get_term(%d, 'tribe_events_cat') ? 'there' : null`, lost)
	}
	expect(`"Gone"`, `[]`, `["Gone"]`, `[]`, `"there"`)
	s.sql("DELETE FROM wp_posts WHERE ID=?", gone)
	s.sql("DELETE FROM wp_postmeta WHERE post_id=?", gone)
	insert := `INSERT INTO wp_posts (post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_status, post_name, to_ping, pinged,
		post_modified, post_modified_gmt, post_content_filtered, post_type) VALUES (1, NOW(), UTC_TIMESTAMP(), '', ?, '', ?, ?, '', '', NOW(), UTC_TIMESTAMP(), '', 'tribe_events')`
	added := s.sql(insert, "Added", "publish", "added")
	child := s.sql("INSERT INTO wp_terms (name, slug) VALUES ('Child', 'child')")
	s.sql("INSERT INTO wp_term_taxonomy (term_id, taxonomy, description, parent) VALUES (?, 'tribe_events_cat', '', ?)", child, term)
	s.sql("UPDATE wp_options SET option_value=? WHERE option_name='tribe_events_cat_children'", expr(`a:1:{i:%d;a:1:{i:0;i:%d;}}`, term, child))
	s.sql("DELETE FROM wp_terms WHERE term_id=?", lost)
	s.sql("DELETE FROM wp_term_taxonomy WHERE term_id=?", lost)
	expect(`"Gone"`, `[]`, `["Gone"]`, `[]`, `"there"`)

	tell(t, s, notice.Notice{Posts: []int64{gone, added}, Terms: []int64{child, lost}, Taxonomies: []string{"tribe_events_cat"}})
	expect(`null`, `["Added"]`, `[]`, expr(`[%d]`, child), `null`)
	s.is(`""`, `get_post_meta(%d, 'm', true)`, gone)

	// A post that is gone and that WordPress no longer has in its cache, but in lists.
	half := s.id(`wp_insert_post(['post_title' => 'Half', 'post_name' => 'half', 'post_status' => 'publish', 'post_type' => 'tribe_events'])`)
	s.php(`wp_set_object_terms(%d, [%d], 'tribe_events_cat')`, half, term)
	const ids = `get_posts(['post_type' => 'tribe_events', 'name' => 'half', 'fields' => 'ids'])`
	s.is(expr(`[%d]`, half), ids)
	s.is(`1`, `count(get_the_terms(%d, 'tribe_events_cat'))`, half)
	s.sql("DELETE FROM wp_posts WHERE ID=?", half)
	s.sql("DELETE FROM wp_term_relationships WHERE object_id=?", half)
	s.php(`wp_cache_delete(%d, 'posts')`, half)
	s.is(expr(`[%d]`, half), ids)
	s.is(`1`, `count(get_object_term_cache(%d, 'tribe_events_cat'))`, half)
	tell(t, s, notice.Notice{Posts: []int64{half}})
	s.is(`[]`, ids)
	s.is(`false`, `get_object_term_cache(%d, 'tribe_events_cat')`, half)
}

func testAll(t *testing.T, s *site, _ *receiver) {
	id := s.id(`wp_insert_post(['post_title' => 'Old', 'post_status' => 'publish'])`)
	s.is(`"Old"`, `get_post(%d)->post_title`, id)
	s.sql("UPDATE wp_posts SET post_title='New' WHERE ID=?", id)
	s.is(`"Old"`, `get_post(%d)->post_title`, id)
	tell(t, s, notice.Notice{All: true})
	s.is(`"New"`, `get_post(%d)->post_title`, id)
}

func testActions(t *testing.T, s *site, r *receiver) {
	id := s.id(`wp_insert_post(['post_title' => 'Draft', 'post_status' => 'draft', 'post_type' => 'tribe_events'])`)
	other := s.id(`wp_insert_post(['post_title' => 'Other', 'post_status' => 'draft', 'post_type' => 'tribe_events'])`)
	s.php(`get_post(%d)`, id)
	s.sql("UPDATE wp_posts SET post_title='Published', post_name='published', post_status='publish' WHERE ID=?", id)
	saved := notice.Notice{Posts: []int64{id}, Saved: []notice.Saved{{ID: id, OldStatus: "draft", OldTerms: map[string][]int64{"tribe_events_cat": {1, 2}}}}}
	s.log()
	tell(t, s, saved)
	if log := s.log(); strings.Contains(log, "save_post") || strings.Contains(log, "transition") {
		t.Errorf("fired unasked:\n%s", log)
	}
	s.php(`update_option('calbridge_fire_actions', '1')`)
	defer s.php(`delete_option('calbridge_fire_actions')`)
	s.php(`get_post(%d)`, id)
	s.sql("UPDATE wp_posts SET post_title='Again' WHERE ID=?", id)
	saved.Saved = append(saved.Saved, notice.Saved{ID: other, Created: true}, notice.Saved{ID: 999999})
	s.php(`update_option('probe_listener', %d)`, other)
	defer s.php(`delete_option('probe_listener')`)
	r.forget()
	s.log()
	tell(t, s, saved)
	const want = `set_object_terms tribe_events_cat 0 was 2
transition_post_status draft publish Again
save_post_tribe_events Again update
wp_after_insert_post Again before: Published
transition_post_status new draft Other
save_post_tribe_events Other new
wp_after_insert_post Other before: none
`
	var fired []string
	for line := range strings.Lines(s.log()) {
		if !strings.HasPrefix(line, "clean_post_cache") {
			fired = append(fired, line)
		}
	}
	if got := strings.Join(fired, ""); got != want {
		t.Errorf("fired:\n%s\nwant:\n%s", got, want)
	}
	// A notice names what a listener changes, but not calbridge's own post.
	n := r.waitFor(t, func(n notice.Notice) bool { return slices.Contains(n.Posts, other) })
	if slices.Contains(n.Posts, id) {
		t.Errorf("received %+v", n)
	}
	// A listener that fails does not keep the notice from arriving.
	s.sql("UPDATE wp_posts SET post_title='Thrower' WHERE ID=?", id)
	tell(t, s, saved)
	s.is(`"Thrower"`, `get_post(%d)->post_title`, id)
}

// A scheduled post appears when calbridge wakes WordPress, and not by itself.
func testCron(t *testing.T, s *site, _ *receiver) {
	id := s.id(`wp_insert_post(['post_title' => 'Later', 'post_status' => 'future', 'post_type' => 'tribe_events', 'post_date' => wp_date('Y-m-d H:i:s', time() + 3600)])`)
	s.sql("UPDATE wp_posts SET post_date=post_date - INTERVAL 2 HOUR, post_date_gmt=post_date_gmt - INTERVAL 2 HOUR WHERE ID=?", id)
	s.php(`[wp_clear_scheduled_hook('publish_future_post', [%d]), wp_schedule_single_event(time() - 60, 'publish_future_post', [%d])]`, id, id)
	tell(t, s, notice.Notice{Posts: []int64{id}})
	time.Sleep(time.Second)
	s.is(`"future"`, `get_post(%d)->post_status`, id)
	tell(t, s, notice.Notice{Cron: true})
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if s.php(`get_post(%d)->post_status`, id) == `"publish"` {
			return
		}
	}
	t.Error("the post is not published")
}

// capture keeps the signed requests that a client would send.
func capture(t *testing.T, key string, n notice.Notice) (http.Header, string) {
	t.Helper()
	var header http.Header
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header = r.Header.Clone()
		body, _ = io.ReadAll(r.Body)
		_, _ = io.WriteString(w, `{"companion":"1"}`)
	}))
	defer server.Close()
	c, err := notice.New(notice.Options{Site: server.URL, Secret: key, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	c.Send(n)
	if err := c.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return header, string(body)
}

func testRefusals(t *testing.T, s *site, _ *receiver) {
	id := s.id(`wp_insert_post(['post_title' => 'Old', 'post_status' => 'publish'])`)
	s.is(`"Old"`, `get_post(%d)->post_title`, id)
	s.sql("UPDATE wp_posts SET post_title='New' WHERE ID=?", id)
	n := notice.Notice{Posts: []int64{id}}
	send := func(route, method string, header http.Header, body string) (int, string) {
		t.Helper()
		req, _ := http.NewRequest(method, s.url+"index.php?rest_route=/calbridge/v1/"+route, strings.NewReader(body))
		req.Header = header
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(text)
	}
	header, body := capture(t, secret, n)
	with := func(name, value string) http.Header {
		h := header.Clone()
		h.Set(name, value)
		return h
	}
	forged, _ := capture(t, strings.Repeat("x", 40), n)
	type attempt struct {
		name   string
		header http.Header
		body   string
	}
	for _, a := range []attempt{
		{"other secret", forged, body},
		{"no headers", http.Header{"Content-Type": {"application/json"}}, body},
		{"other body", header, body + " "},
		{"other time", with("X-Calbridge-Timestamp", "1800000000"), body},
		{"time not a number", with("X-Calbridge-Timestamp", "now"), body},
		{"other nonce", with("X-Calbridge-Nonce", strings.Repeat("0", 32)), body},
		{"nonce with newline", with("X-Calbridge-Nonce", header.Get("X-Calbridge-Nonce")+"\n"), body},
		{"no signature", with("X-Calbridge-Signature", ""), body},
	} {
		if strings.Contains(a.header.Get("X-Calbridge-Nonce"), "\n") {
			continue // Go does not send it
		}
		if code, text := send("notice", "POST", a.header, a.body); code != 401 {
			t.Errorf("%s: %d %s", a.name, code, text)
		}
	}
	if code, _ := send("status", "GET", header, body); code != 401 {
		t.Errorf("a notice's signature opens the status: %d", code)
	}
	old := http.Header{"Content-Type": {"application/json"}}
	signAt(old, time.Now().Add(-10*time.Minute), body)
	if code, text := send("notice", "POST", old, body); code != 401 || !strings.Contains(text, "clocks") {
		t.Errorf("ten minutes old: %d %s", code, text)
	}
	s.is(`"Old"`, `get_post(%d)->post_title`, id)

	if code, text := send("notice", "POST", header, body); code != 200 {
		t.Errorf("the genuine one: %d %s", code, text)
	}
	s.is(`"New"`, `get_post(%d)->post_title`, id)
	if code, text := send("notice", "POST", header, body); code != 409 {
		t.Errorf("again: %d %s", code, text)
	}
	// A notice that flushes the cache does not let a copy of itself in.
	all := http.Header{"Content-Type": {"application/json"}}
	signAt(all, time.Now(), `{"all":true}`)
	for _, want := range []int{200, 409} {
		if code, text := send("notice", "POST", all, `{"all":true}`); code != want {
			t.Errorf("everything: %d %s, want %d", code, text, want)
		}
	}
	for _, bad := range []string{`[]x`, `7`, ``} {
		h := http.Header{"Content-Type": {"text/plain"}}
		signAt(h, time.Now(), bad)
		if code, text := send("notice", "POST", h, bad); code != 400 {
			t.Errorf("body %q: %d %s", bad, code, text)
		}
	}
	odd := `{"posts":"x","terms":[{"a":1},-1,"2"],"options":[1,null,""],"taxonomies":{"a":"post_tag"},"saved":[1,{"id":"x"}],"users":[1e9]}`
	h := http.Header{"Content-Type": {"application/json"}}
	signAt(h, time.Now(), odd)
	if code, text := send("notice", "POST", h, odd); code != 200 {
		t.Errorf("odd values: %d %s", code, text)
	}
}

// testRacingCopies: of copies of one notice that arrive at once, one is applied. WordPress
// deletes the nonces when they are out of date, and no sooner.
func testRacingCopies(t *testing.T, s *site, _ *receiver) {
	const rounds, copies = 30, 6
	for round := range rounds {
		header := http.Header{"Content-Type": {"application/json"}}
		signAt(header, time.Now(), "{}")
		codes := make([]int, copies)
		var senders sync.WaitGroup
		for i := range copies {
			senders.Go(func() {
				req, _ := http.NewRequest("POST", s.url+"index.php?rest_route=/calbridge/v1/notice", strings.NewReader("{}"))
				req.Header = header.Clone()
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Error(err)
					return
				}
				resp.Body.Close()
				codes[i] = resp.StatusCode
			})
		}
		senders.Wait()
		slices.Sort(codes)
		if want := []int{200, 409, 409, 409, 409, 409}; !slices.Equal(codes, want) {
			t.Fatalf("round %d: %v", round, codes)
		}
	}
	nonces := func(want int) {
		t.Helper()
		var got int
		if err := s.db.QueryRow(`SELECT COUNT(*) FROM wp_options WHERE option_name LIKE '\_transient%calbridge\_%'`).Scan(&got); err != nil || got != want {
			t.Errorf("%d rows of nonces, %v; want %d", got, err, want)
		}
	}
	s.sql(`DELETE FROM wp_options WHERE option_name LIKE '\_transient%calbridge\_%'`)
	tell(t, s, notice.Notice{Cron: true})
	nonces(2)
	s.php(`do_action('delete_expired_transients')`)
	nonces(2)
	s.sql(`UPDATE wp_options SET option_value = UNIX_TIMESTAMP() - 1 WHERE option_name LIKE '\_transient\_timeout\_calbridge\_%'`)
	s.php(`do_action('delete_expired_transients')`)
	nonces(0)
}

func testClosedAPI(t *testing.T, s *site, _ *receiver) {
	s.php(`update_option('probe_closed', 1)`)
	defer s.php(`delete_option('probe_closed')`)
	resp, err := http.Get(s.url + "index.php?rest_route=/wp/v2/posts")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 401 {
		t.Fatalf("the API is not closed: %d", resp.StatusCode)
	}
	tell(t, s, notice.Notice{Posts: []int64{1}})
}

func testOutgoing(t *testing.T, s *site, r *receiver) {
	has := func(id int64) func(notice.Notice) bool {
		return func(n notice.Notice) bool { return slices.Contains(n.Posts, id) }
	}
	id := s.id(`wp_insert_post(['post_title' => 'Hello', 'post_status' => 'publish', 'post_type' => 'tribe_events'])`)
	r.waitFor(t, has(id))
	r.forget()
	s.php(`get_post(%d)->post_title . get_option('home') . count(get_terms(['hide_empty' => false]))`, id)
	s.php(`set_transient('probe', 1, 60)`)
	s.php(`update_post_meta(%d, '_edit_lock', time())`, id)
	r.silent(t)

	for _, change := range []string{
		`wp_update_post(['ID' => %d, 'post_title' => 'Bye'])`, `update_post_meta(%d, 'x', 'y')`, `delete_post_meta(%d, 'x')`,
		`wp_set_object_terms(%d, 'A name', 'tribe_events_cat')`, `wp_suspend_cache_invalidation(true) || wp_update_post(['ID' => %d, 'post_title' => 'Quiet'])`,
		`wp_trash_post(%d)`, `do_action('calbridge_post_changed', %d)`, `wp_delete_post(%d, true)`,
	} {
		s.php(change, id)
		if n := r.waitFor(t, has(id)); n.All {
			t.Errorf("%s tells of everything", change)
		}
	}
	term := s.id(`wp_insert_term('Newest', 'tribe_events_cat')['term_id']`)
	r.waitFor(t, func(n notice.Notice) bool {
		return slices.Contains(n.Terms, term) && slices.Contains(n.Taxonomies, "tribe_events_cat") && slices.Contains(n.Options, "tribe_events_cat_children")
	})
	s.php(`wp_delete_term(%d, 'tribe_events_cat')`, term)
	r.waitFor(t, func(n notice.Notice) bool { return slices.Contains(n.Terms, term) })
	s.php(`update_option('blogname', 'Another') . update_option('77', 'a number')`)
	r.waitFor(t, func(n notice.Notice) bool {
		return slices.Contains(n.Options, "blogname") && slices.Contains(n.Options, "77")
	})
	user := s.id(`wp_create_user('u', 'p')`)
	r.waitFor(t, func(n notice.Notice) bool { return slices.Contains(n.Users, user) })
	s.php(`update_user_meta(%d, 'x', 'y')`, user)
	r.waitFor(t, func(n notice.Notice) bool { return slices.Contains(n.Users, user) })
	s.php(`delete_post_meta_by_key('x') . add_post_meta(1, 'x', 'y') . delete_post_meta_by_key('x')`)
	r.waitFor(t, func(n notice.Notice) bool { return n.All })

	// A long request tells what it has changed so far, and at its end everything again.
	first := s.id(`[wp_insert_post(['post_title' => 'L1']), usleep(1200000), wp_insert_post(['post_title' => 'L2']), usleep(300000)][0]`)
	time.Sleep(300 * time.Millisecond)
	r.mu.Lock()
	if n := len(r.got); n < 2 || !slices.Contains(r.got[0].Posts, first) || !slices.Contains(r.got[n-1].Posts, first) {
		t.Errorf("a long request tells %+v", r.got)
	}
	r.mu.Unlock()
}

// WordPress does not tell calbridge what it has from calbridge.
func testNoEcho(t *testing.T, s *site, r *receiver) {
	id := s.id(`wp_insert_post(['post_title' => 'Echo', 'post_status' => 'publish'])`)
	r.forget()
	tell(t, s, notice.Notice{Posts: []int64{id}, Terms: []int64{1}, Users: []int64{1}, Options: []string{"blogname"}, Taxonomies: []string{"category"}})
	r.silent(t)
}
