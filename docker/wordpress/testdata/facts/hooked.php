<?php
// A must-use plugin that changes the calendar's answers in many ways.

namespace Probe;

function adds_a_field(array $data): array {
	return $data + ['extra' => 1];
}

class Closer {
	public function close($result) {
		return $result;
	}

	public static function shout($title) {
		return strtoupper($title);
	}

	public function __invoke($query) {
		return $query;
	}
}

class Inherits extends \WP_REST_Posts_Controller {
	public function __construct() {
	}
}

add_filter('tribe_rest_event_data', 'Probe\adds_a_field', 12);
add_filter('tribe_rest_event_data', 'wp_unslash');
add_filter('rest_authentication_errors', [new Closer(), 'close'], 5);
add_filter('the_title', 'Probe\Closer::shout', -1);
add_filter('the_title', 'ucfirst');
add_filter('the_title', '__return_true', PHP_INT_MAX);
add_action('pre_get_posts', new Closer());
add_filter('tribe_rest_venue_data', [new Inherits(), 'get_items']);
add_filter('tribe_get_cost', 'there_is_no_such_function');
add_filter('upload_dir', new class() {
	public function __invoke($dir) {
		return $dir;
	}
});
eval("add_filter('post_type_link', static function (\$link) { return \$link; }, 20);");

add_filter('excerpt_more', static function ($more) {
	if (get_option('probe_throws')) {
		echo 'printed';
		throw new \RuntimeException('the password is sesame');
	}
	echo 'printed';
	ob_start(); // and never ended
	return get_option('probe_array') ? [1] : $more . ' <a href="' . get_permalink() . '">' . get_the_title() . '</a>';
});
add_filter('excerpt_length', static function ($words) {
	return get_option('probe_lies') ? -7 : $words + 5;
});
add_filter('tribe_rest_event_max_per_page', static function ($cap) {
	return get_option('probe_lies') ? -1 : $cap + 949;
});
add_filter('tribe_rest_series_max_per_page', static function () {
	return '10';
});
add_filter('option_home', static function ($home) {
	return get_option('probe_https') ? 'https://example.test' : $home;
}, 99);
add_action('rest_api_init', static function () {
	if (get_option('probe_routes')) {
		register_rest_route('tribe/events/v1', '/events', ['methods' => 'GET', 'callback' => '__return_true', 'permission_callback' => '__return_true']);
	}
});
add_shortcode('probe_map', '__return_empty_string');
add_shortcode('5star', 'there_is_no_such_function');
add_shortcode('gallery', static function () {
	return 'another gallery';
});
add_action('init', static function () {
	register_block_type('probe/cart', ['render_callback' => '__return_empty_string']);
	register_block_type('probe/box', ['supports' => ['layout' => true, 'html' => false]]);
	register_block_type('probe/divider', ['supports' => ['html' => false, 'align' => true]]);
	register_block_type('probe/plain');
});
