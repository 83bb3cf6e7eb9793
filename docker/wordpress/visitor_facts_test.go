package wordpress_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/companion"
)

// testFactsVisitors checks that a callback is reported with the visitor data that its file
// reads, however it reads them. Comments, other files, and code of WordPress and of the
// calendar don't count.
func testFactsVisitors(t *testing.T, s *site) {
	const plugin, route = "wp-content/mu-plugins/reads.php", "tribe/events/v1"
	lib := filepath.Join(s.dir, "wp-content/mu-plugins/lib")
	if err := os.MkdirAll(lib, 0o755); err != nil {
		t.Fatal(err)
	}
	of := func(file string) (reads []string, hooks []string) {
		t.Helper()
		got := facts(t, s, askedHooks()...)
		if !got.Known("visitors") || got.Visitors == nil {
			t.Fatalf("problems %+v", got.Problems)
		}
		for _, h := range got.Visitors {
			if h.File == file {
				reads, hooks = append(reads, h.Reads...), append(hooks, h.Name)
			}
		}
		slices.Sort(reads)
		return slices.Compact(reads), hooks
	}
	const callback = "<?php\nadd_filter('%s', static function ($x) {\n\t%s\n\treturn $x;\n});\n"
	n := 0
	for _, c := range []struct{ hook, code, want string }{
		{"rest_pre_dispatch", `if ($_SERVER['REMOTE_ADDR'] === '10.0.0.1') { return 1; }`, "REMOTE_ADDR"},
		{"tribe_rest_event_data", `$a = $_SERVER["HTTP_X_FORWARDED_FOR"] ?? '';`, "HTTP_X_FORWARDED_FOR"},
		{"posts_where", `foreach (['HTTP_CLIENT_IP', 'HTTP_X_REAL_IP', 'HTTP_CF_CONNECTING_IP'] as $k) { $a = getenv($k); }`, "HTTP_CF_CONNECTING_IP HTTP_CLIENT_IP HTTP_X_REAL_IP"},
		{"the_content", `$a = filter_input(INPUT_SERVER, 'HTTP_USER_AGENT');`, "HTTP_USER_AGENT"},
		{"render_block", `$a = "from $_SERVER[HTTP_REFERER]";`, "HTTP_REFERER"},
		{"init", `$a = wp_is_mobile();`, "HTTP_USER_AGENT"},
		{"parse_request", `global $is_iphone; if ($is_iphone) { $a = 1; }`, "HTTP_USER_AGENT"},
		{"rest_post_dispatch", `$a = rest_get_server() && $x instanceof WP_REST_Request ? $x->get_header('Accept-Language') : '';`, "HTTP_ACCEPT_LANGUAGE"},
		{"rest_request_before_callbacks", `$a = is_object($x) ? $x->get_headers() : [];`, "*"},
		{"rest_request_after_callbacks", `$a = \getallheaders();`, "*"},
		{"pre_get_posts", `foreach ($_SERVER as $k => $v) { $a = $k; }`, "*"},
		{"wp_loaded", `$k = 'x'; $a = $_SERVER[$k] ?? '';`, "*"},
		{"the_title", `$k = 'DNT'; $a = $_SERVER['HTTP_' . $k] ?? '';`, "*"},
		{"option_blogname", `$a = get_http_origin();`, "HTTP_ORIGIN"},
		{"rest_dispatch_request", `$a = $_SERVER['REQUEST_URI'] . $_SERVER['SERVER_NAME']; // REMOTE_ADDR, HTTP_USER_AGENT`, ""},
		{"rest_endpoints", `/* $_SERVER['REMOTE_ADDR'] */ $a = get_headers('http://127.0.0.1:9/');`, ""},
		{"admin_menu", `$a = $_SERVER['REMOTE_ADDR'];`, ""},
	} {
		n++
		file := strings.Replace(plugin, "reads", fmt.Sprint("reads", n), 1) // PHP caches files for two seconds
		s.write(file, fmt.Sprintf(callback, c.hook, c.code))
		reads, hooks := of(file)
		if got := strings.Join(reads, " "); got != c.want || (c.want != "" && !slices.Equal(hooks, []string{c.hook})) {
			t.Errorf("%s: reads %q on %v, want %q", c.code, got, hooks, c.want)
		}
		s.remove(file)
	}
	s.write("wp-content/mu-plugins/lib/trait.php", "<?php\ntrait Reads_Agent { public function show($x) { $this->agent = $_SERVER['HTTP_USER_AGENT'] ?? ''; return $x; } }\n")
	s.write("wp-content/mu-plugins/uses.php", "<?php\nrequire __DIR__ . '/lib/trait.php';\n#[AllowDynamicProperties]\nclass Uses_Trait { use Reads_Agent; }\nadd_filter('the_content', [new Uses_Trait(), 'show']);\n")
	s.write("wp-content/mu-plugins/routed.php", "<?php\nadd_action('rest_api_init', static function () {\n\trequire __DIR__ . '/lib/route.php';\n});\n")
	s.write("wp-content/mu-plugins/lib/route.php", "<?php\nregister_rest_route('"+route+"', '/events/(?P<id>\\d+)', ['methods' => 'GET', 'callback' => static function () { return $_SERVER['REMOTE_ADDR']; }, 'permission_callback' => '__return_true']);\n")
	s.write("wp-content/mu-plugins/evaluates.php", "<?php\neval(\"add_filter('rest_pre_dispatch', static function (\\$x) { return \\$x; });\");\n")
	s.write("wp-content/plugins/the-events-calendar/common/agent.php", "<?php\n/*\nPlugin Name: A part of the calendar\n*/\nadd_filter('rest_pre_dispatch', static function ($x) { return isset($_SERVER['REMOTE_ADDR']) ? $x : $x; });\n")
	s.php(`update_option('active_plugins', array_merge(get_option('active_plugins'), ['the-events-calendar/common/agent.php']))`)
	for file, want := range map[string]string{
		"wp-content/mu-plugins/uses.php": "HTTP_USER_AGENT", "wp-content/mu-plugins/lib/route.php": "REMOTE_ADDR", "wp-content/mu-plugins/evaluates.php": "*",
		"wp-content/plugins/the-events-calendar/common/agent.php": "", "wp-content/mu-plugins/probe.php": "", "wp-content/mu-plugins/calbridge-companion-facts.php": "",
	} {
		if reads, hooks := of(file); strings.Join(reads, " ") != want {
			t.Errorf("%s: reads %v on %v, want %q", file, reads, hooks, want)
		}
	}
	for _, h := range facts(t, s, askedHooks()...).Visitors {
		if strings.HasPrefix(h.File, "wp-includes/") || strings.HasPrefix(h.File, "wp-admin/") || h.Callback == "" {
			t.Errorf("%+v", companion.VisitorHook(h))
		}
	}
	for _, name := range []string{"uses", "routed", "evaluates"} {
		s.remove("wp-content/mu-plugins/" + name + ".php")
	}
}
