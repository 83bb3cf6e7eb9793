package wordpress_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
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
