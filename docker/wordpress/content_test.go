package wordpress_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// shortcodes registers a shortcode and a block whose output depends on an option.
const shortcodes = `<?php
add_shortcode('probe_map', static function ($attributes) {
	return '<em>map of ' . get_option('probe_place') . '</em>';
});
add_action('init', static function () {
	register_block_type('probe/cart', ['render_callback' => static function () {
		return '<b>' . get_option('probe_place') . '</b>';
	}]);
});
`

// TestContentBesidePHP checks that texts with shortcodes and blocks that nobody has registered are
// rendered natively, as WordPress renders them. Only those of active plugins are left to WordPress.
func TestContentBesidePHP(t *testing.T) {
	if testing.Short() {
		t.Skip("PHP and a database")
	}
	t.Parallel()
	s := newCalendarSite(t)
	s.write("wp-content/mu-plugins/shortcodes.php", shortcodes)
	contents := []struct {
		content string
		native  bool
	}{
		{`[old_slider id="1"] of a [[plugin]] that was [x]deleted[/x]`, true},
		{"<!-- wp:old/box --><div>saved</div><!-- /wp:old/box --><!-- wp:old/void /-->", true},
		{"<!-- wp:shortcode -->[donate]<!-- /wp:shortcode -->", true},
		{`[probe_map zoom="3"]`, false},
		{"[[probe_map]]", false},
		{"<!-- wp:group --><div><!-- wp:probe/cart /--></div><!-- /wp:group -->", false},
	}
	for i, c := range contents {
		s.sql("UPDATE wp_posts SET post_content = ? WHERE ID = ?", c.content, s.events[i])
	}
	s.serveAuto(buildCalbridge(t), "--mode", "native", "--serve-despite-hooks", "--fragment-max-age", "0")
	for i, c := range contents {
		t.Run(c.content, func(t *testing.T) {
			s.t = t
			status, native, _, body := s.get(fmt.Sprint("events/", s.events[i]))
			var ours, theirs struct{ Description string }
			if err := json.Unmarshal([]byte(body), &ours); err != nil || status != 200 {
				t.Fatalf("status %d: %v", status, err)
			}
			if native != c.native {
				t.Errorf("native %t, want %t: %s", native, c.native, ours.Description)
			}
			if err := json.Unmarshal([]byte(s.php(`['description' => trim(apply_filters('the_content', get_post(%d)->post_content))]`, s.events[i])), &theirs); err != nil {
				t.Fatal(err)
			}
			if ours != theirs || strings.Contains(ours.Description, "[probe_map zoom") {
				t.Errorf("%s\nWordPress: %s", ours.Description, theirs.Description)
			}
		})
	}
}

// TestKeptContentBesidePHP checks that calbridge answers natively with WordPress's rendering of texts
// that it can't render, in both modes, and that a change of a row that the rendering depends on shows.
func TestKeptContentBesidePHP(t *testing.T) {
	if testing.Short() {
		t.Skip("PHP and a database")
	}
	t.Parallel()
	program := buildCalbridge(t)
	for _, mode := range []string{"native", "auto"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			s := newCalendarSite(t)
			s.write("wp-content/mu-plugins/shortcodes.php", shortcodes)
			s.php(`update_option('probe_place', 'Ulm')`)
			s.sql("UPDATE wp_posts SET post_content = ? WHERE ID = ?", `[probe_map zoom="3"]`, s.events[0])
			s.sql("UPDATE wp_posts SET post_content = ? WHERE ID = ?", "<!-- wp:group --><div><!-- wp:probe/cart /--></div><!-- /wp:group -->", s.events[1])
			s.serveAuto(program, "--mode", mode, "--serve-despite-hooks", "--compat", "exact", "--plugin-shortcodes", "probe_map")
			s.showsWithWordPress("map of Ulm")
			s.php(`update_option('probe_place', 'Bonn')`)
			s.showsWithWordPress("map of Bonn")
			s.php(`wp_update_post(['ID' => %d, 'post_title' => 'Another title'])`, s.events[0])
			s.showsWithWordPress("Another title")
			s.php(`wp_update_post(['ID' => %d, 'post_status' => 'draft'])`, s.events[1])
			s.awaitGone(s.events[1])
		})
	}
}

// showsWithWordPress waits until all answers are native, one of them has a text, and all have WordPress's
// bodies. Before that, changes of rows may not have arrived.
func (s *autoSite) showsWithWordPress(text string) {
	s.t.Helper()
	var left string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		found := false
		left = ""
		for _, target := range append(s.targets(), s.exports()...) {
			_, native, _, body := s.get(target)
			res, err := http.Get(strings.TrimSuffix(s.url, "/") + path(target))
			if err != nil {
				s.t.Fatal(err)
			}
			want, _ := io.ReadAll(res.Body)
			_ = res.Body.Close()
			if !native || body != string(want) {
				left = fmt.Sprintf("%s: native %t\n%s\nWordPress:\n%s", target, native, body, want)
			}
			found = found || strings.Contains(body, text)
		}
		if found && left == "" {
			return
		}
	}
	s.t.Fatalf("%q is not shown in native answers: %s", text, left)
}

// exports returns the targets of iCalendar exports: the list, a month, and single events.
func (s *autoSite) exports() []string {
	return []string{"/?post_type=tribe_events&ical=1&eventDisplay=list", "/events/month/2030-01/?ical=1", "/event/event-0/?ical=1", "/event/event-2/?ical=1"}
}

// awaitGone waits until an event that was unpublished is no longer shown, for as long as the change feed takes.
func (s *autoSite) awaitGone(id int64) {
	s.t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		_, _, _, one := s.get(fmt.Sprint("events/", id))
		_, _, _, all := s.get(list)
		_, _, _, export := s.get(s.exports()[0])
		if !shown(one)[id] && !shown(all)[id] && !strings.Contains(export, fmt.Sprintf("UID:%d-", id)) {
			return
		}
		if time.Now().After(end) {
			s.t.Fatal("an unpublished event is still shown")
		}
	}
}
