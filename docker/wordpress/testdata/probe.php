<?php
// Lets a test run a line of PHP inside WordPress, and keeps a log of hooks.

function probe_log(string $line): void {
	file_put_contents(WP_CONTENT_DIR . '/log', $line . "\n", FILE_APPEND);
}

add_action('init', static function () {
	register_post_type('tribe_events', ['public' => true]);
	register_taxonomy('tribe_events_cat', 'tribe_events', ['hierarchical' => true]);
});

add_action('transition_post_status', static function ($new, $old, $post) {
	probe_log("transition_post_status $old $new $post->post_title");
}, 10, 3);
add_action('save_post_tribe_events', static function ($id, $post, $update) {
	probe_log('save_post_tribe_events ' . $post->post_title . ($update ? ' update' : ' new'));
	if (get_option('probe_listener')) {
		update_post_meta((int) get_option('probe_listener'), 'touched_by', "listener of $id");
	}
}, 10, 3);
add_action('wp_after_insert_post', static function ($id, $post, $update, $before) {
	probe_log('wp_after_insert_post ' . $post->post_title . ' before: ' . ($before ? $before->post_title : 'none'));
	if ($post->post_title === 'Thrower') {
		throw new RuntimeException('a plugin fails');
	}
}, 10, 4);
add_action('set_object_terms', static function ($id, $terms, $now, $taxonomy, $append, $old) {
	probe_log("set_object_terms $taxonomy " . count($now) . ' was ' . count($old));
}, 10, 6);
add_action('clean_post_cache', static function ($id, $post) {
	probe_log("clean_post_cache $post->post_name");
}, 10, 2);

// Keeps a list of how long requests may take, and gives them more time, since the
// test's machine may be slow. With a file named "hangs" they have no more than that.
add_filter('http_request_args', static function ($args) {
	file_put_contents(WP_CONTENT_DIR . '/timeouts', $args['timeout'] . "\n", FILE_APPEND);
	return file_exists(WP_CONTENT_DIR . '/hangs') ? $args : ['timeout' => 60] + $args;
});

add_filter('rest_authentication_errors', static function ($result) {
	return get_option('probe_closed') ? new WP_Error('closed', 'members only', ['status' => 401]) : $result;
}, 999);

add_action('wp_loaded', static function () {
	if (isset($_POST['probe'], $_POST['token']) && hash_equals((string) getenv('PROBE_TOKEN'), (string) $_POST['token'])) {
		header('Content-Type: application/json');
		echo json_encode(eval('return ' . wp_unslash($_POST['probe']) . ';'));
		exit;
	}
});
