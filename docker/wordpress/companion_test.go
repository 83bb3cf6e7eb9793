// Package wordpress_test runs the companion plugin in a real WordPress.
package wordpress_test

import (
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/rest/notice"
)

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
		// A notice from calbridge also shows that it is running.
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
	if got.Companion != "5" || got.WordPress == "" || got.PHP == "" || !got.ObjectCache || got.PageCache || !got.CronDisabled ||
		!got.SendsNotices || got.FiresActions || time.Since(time.Unix(got.Time, 0)).Abs() > time.Minute {
		t.Errorf("%+v", got)
	}
}

// WordPress rereads what a notice names, and nothing else.
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
	// A page cache is notified of both addresses; no other action is fired.
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

	// A deleted post that is no longer in WordPress's cache, but still in lists.
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
	saved := notice.Notice{Posts: []int64{id}, Saved: []notice.Saved{{Function: "wp_update_post", ID: id, User: 1, OldStatus: "draft", Status: "publish", Before: map[string]string{"post_title": "Draft"}}}}
	s.log()
	tell(t, s, saved)
	if log := s.log(); strings.Contains(log, "save_post") || strings.Contains(log, "transition") {
		t.Errorf("fired unasked:\n%s", log)
	}
	s.php(`update_option('calbridge_fire_actions', '1')`)
	defer s.php(`delete_option('calbridge_fire_actions')`)
	s.php(`get_post(%d)`, id)
	s.sql("UPDATE wp_posts SET post_title='Again' WHERE ID=?", id)
	saved.Saved = append(saved.Saved, notice.Saved{Function: "wp_insert_post", ID: other, OldStatus: "new", Status: "draft"}, notice.Saved{Function: "wp_update_post", ID: 999999})
	s.php(`update_option('probe_listener', %d)`, other)
	defer s.php(`delete_option('probe_listener')`)
	r.forget()
	s.log()
	tell(t, s, saved)
	const want = `transition_post_status draft publish Again
save_post_tribe_events Again update
wp_after_insert_post Again before: Draft
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
	// A notice names what a listener changes, but not the post that calbridge saved.
	n := r.waitFor(t, func(n notice.Notice) bool { return slices.Contains(n.Posts, other) })
	if slices.Contains(n.Posts, id) {
		t.Errorf("received %+v", n)
	}
	// A failing listener does not prevent the notice from arriving.
	s.sql("UPDATE wp_posts SET post_title='Thrower' WHERE ID=?", id)
	if log := deliver(t, s, saved); !strings.Contains(log, "plugins of WordPress failed in the hooks of some saves") || !strings.Contains(log, "saves=1") {
		t.Errorf("logged: %s", log)
	}
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

	// A long request reports what it has changed so far, and everything again at its end.
	first := s.id(`[wp_insert_post(['post_title' => 'L1']), usleep(1200000), wp_insert_post(['post_title' => 'L2']), usleep(300000)][0]`)
	time.Sleep(300 * time.Millisecond)
	r.mu.Lock()
	if n := len(r.got); n < 2 || !slices.Contains(r.got[0].Posts, first) || !slices.Contains(r.got[n-1].Posts, first) {
		t.Errorf("a long request tells %+v", r.got)
	}
	r.mu.Unlock()
}

// WordPress does not report changes to calbridge that calbridge made.
func testNoEcho(t *testing.T, s *site, r *receiver) {
	id := s.id(`wp_insert_post(['post_title' => 'Echo', 'post_status' => 'publish'])`)
	r.forget()
	tell(t, s, notice.Notice{Posts: []int64{id}, Terms: []int64{1}, Users: []int64{1}, Options: []string{"blogname"}, Taxonomies: []string{"category"}})
	r.silent(t)
}
