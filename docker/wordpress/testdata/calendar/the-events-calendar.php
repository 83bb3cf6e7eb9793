<?php
/*
Plugin Name: A calendar for tests
Version: 6.17.2
*/

// Serves events from posts, in the namespace's shapes and as iCalendar exports, for events without venue, organizer, terms and picture.

namespace Probe;

const ROUTE = 'tribe/events/v1';

function details(string $date): array {
	return array_combine(['year', 'month', 'day', 'hour', 'minutes', 'seconds'], preg_split('/[- :]/', $date));
}

function json_ld(array $event): array {
	$iso = static fn(string $date): string => str_replace(' ', 'T', $date) . '+00:00';
	return [
		'@context' => 'http://schema.org', '@type' => 'Event', 'name' => esc_attr($event['title']), 'description' => esc_html($event['description']) . '\\n', 'url' => $event['url'],
		'eventAttendanceMode' => 'https://schema.org/OfflineEventAttendanceMode', 'eventStatus' => 'https://schema.org/EventScheduled',
		'startDate' => $iso($event['start_date']), 'endDate' => $iso($event['end_date']), 'performer' => 'Organization',
	];
}

/** An event as the API shows it, or what a filter makes of it. */
function event(\WP_Post $post, bool $alone = false) {
	$meta = static fn(string $key): string => (string) get_post_meta($post->ID, $key, true);
	$global = wp_parse_url(home_url(), PHP_URL_HOST) . "?id=$post->ID";
	$data = [
		'id' => $post->ID, 'global_id' => $global, 'global_id_lineage' => [$global], 'author' => (string) $post->post_author, 'status' => $post->post_status,
		'date' => $post->post_date, 'date_utc' => $post->post_date_gmt, 'modified' => $post->post_modified, 'modified_utc' => $post->post_modified_gmt,
		'url' => get_permalink($post), 'rest_url' => rest_url(ROUTE . "/events/$post->ID"), 'title' => trim(apply_filters('the_title', $post->post_title, $post->ID)),
		'description' => trim(apply_filters('the_content', $post->post_content)), 'excerpt' => trim(apply_filters('the_excerpt', $post->post_excerpt)),
		'slug' => $post->post_name, 'image' => false, 'all_day' => false,
	];
	foreach (['start_date' => '_EventStartDate', 'end_date' => '_EventEndDate', 'utc_start_date' => '_EventStartDateUTC', 'utc_end_date' => '_EventEndDateUTC'] as $name => $key) {
		$data[$name] = $meta($key);
		$data[$name . '_details'] = details($meta($key));
	}
	$data += [
		'timezone' => 'UTC', 'timezone_abbr' => 'UTC', 'cost' => $meta('_EventCost'),
		'cost_details' => ['currency_symbol' => $meta('_EventCurrencySymbol'), 'currency_code' => '', 'currency_position' => $meta('_EventCurrencyPosition'), 'values' => []],
		'website' => $meta('_EventURL'), 'show_map' => true, 'show_map_link' => true, 'hide_from_listings' => false, 'sticky' => false, 'featured' => false,
		'categories' => [], 'tags' => [], 'venue' => [], 'organizer' => [], 'custom_fields' => [],
	];
	if ($alone) {
		$data['json_ld'] = json_ld($data);
	}
	return apply_filters('tribe_rest_event_data', $data, $post);
}

add_action('init', static function () {
	register_post_type('tribe_events', ['public' => true, 'rewrite' => ['slug' => 'event']]);
}, 11);

add_action('rest_api_init', static function () {
	$route = static fn(callable $answer): array => ['methods' => 'GET', 'callback' => $answer, 'permission_callback' => '__return_true'];
	register_rest_route(ROUTE, '/events/(?P<id>\d+)', $route(static function ($request) {
		$post = get_post((int) $request['id']);
		if (!$post || $post->post_type !== 'tribe_events') {
			return new \WP_Error('event-not-found', 'The requested post ID does not exist or is not an event', ['status' => 404]);
		}
		if ($post->post_status !== 'publish') {
			return new \WP_Error('event-not-accessible', 'The requested event is not accessible', ['status' => 401]);
		}
		$data = event($post, true);
		return is_wp_error($data) ? $data : new \WP_REST_Response($data);
	}));
	register_rest_route(ROUTE, '/events', $route(static function ($request) {
		$between = ['key' => '_EventStartDate', 'value' => [$request['start_date'], $request['end_date']], 'compare' => 'BETWEEN', 'type' => 'DATETIME'];
		$size = (int) $request['per_page'];
		$found = new \WP_Query(['post_type' => 'tribe_events', 'post_status' => 'publish', 'posts_per_page' => $size, 'paged' => max(1, (int) $request['page']),
			'meta_query' => ['at' => $between], 'orderby' => ['at' => 'ASC', 'ID' => 'ASC']]);
		$events = array_values(array_filter(array_map('Probe\event', $found->posts), 'is_array'));
		$url = rest_url(ROUTE . '/events/') . "?page=1&per_page=$size&start_date={$request['start_date']} 00:00:00&end_date={$request['end_date']} 23:59:59&status=publish";
		$response = new \WP_REST_Response(['events' => $events, 'rest_url' => $url, 'total' => (int) $found->found_posts, 'total_pages' => (int) $found->max_num_pages]);
		$response->header('X-TEC-Total', $found->found_posts);
		$response->header('X-TEC-TotalPages', $found->max_num_pages);
		return $response;
	}));
});

/** A value of type TEXT. */
function text(string $value): string {
	return str_replace([',', "\n", "\r"], ['\\,', '\\n', ''], html_entity_decode($value, ENT_QUOTES | ENT_HTML401, 'UTF-8'));
}

/** An event as exports show it. */
function exported(\WP_Post $post): array {
	$date = static fn(string $key): string => str_replace(['-', ' ', ':'], ['', 'T', ''], (string) get_post_meta($post->ID, $key, true));
	$stamp = static fn(string $date): string => gmdate('Ymd\THis\Z', strtotime($date . ' UTC'));
	$unix = static fn(string $key): int => strtotime(get_post_meta($post->ID, $key, true) . ' UTC');
	$content = str_replace('</p>', '</p> ', apply_filters('the_content', $post->post_content));
	return [
		'BEGIN:VEVENT', 'DTSTART;TZID=UTC:' . $date('_EventStartDate'), 'DTEND;TZID=UTC:' . $date('_EventEndDate'), 'DTSTAMP:' . $stamp($post->post_modified),
		'CREATED:' . $stamp($post->post_date), 'LAST-MODIFIED:' . $stamp($post->post_modified),
		"UID:$post->ID-{$unix('_EventStartDate')}-{$unix('_EventEndDate')}@" . wp_parse_url(home_url(), PHP_URL_HOST),
		'SUMMARY:' . text(wp_strip_all_tags($post->post_title)), 'DESCRIPTION:' . text(wp_strip_all_tags($content)), 'URL:' . get_permalink($post), 'END:VEVENT',
	];
}

/** The export of the page of an event, or of all events. */
add_action('wp_loaded', static function () {
	if (!isset($_GET['ical'])) {
		return;
	}
	$args = ['post_type' => 'tribe_events', 'post_status' => 'publish', 'posts_per_page' => 30, 'meta_key' => '_EventStartDate', 'orderby' => ['meta_value' => 'ASC', 'ID' => 'ASC']];
	if (preg_match('#^/event/([^/]+)/#', $_SERVER['REQUEST_URI'], $slug)) {
		$args['name'] = $slug[1];
	}
	$posts = (new \WP_Query($args))->posts;
	header('Content-Type: text/calendar; charset=UTF-8');
	header('X-Robots-Tag: noindex, nofollow');
	$name = sanitize_text_field(get_option('blogname'));
	$lines = [
		'BEGIN:VCALENDAR', 'VERSION:2.0', "PRODID:-//$name - ECPv" . tribe_version() . '//NONSGML v1.0//EN', 'CALSCALE:GREGORIAN', 'METHOD:PUBLISH', "X-WR-CALNAME:$name",
		'X-ORIGINAL-URL:' . home_url(), "X-WR-CALDESC:Events for $name", 'REFRESH-INTERVAL;VALUE=DURATION:PT1H', 'X-Robots-Tag:noindex', 'X-PUBLISHED-TTL:PT1H',
		'BEGIN:VTIMEZONE', 'TZID:UTC', 'BEGIN:STANDARD', 'TZOFFSETFROM:+0000', 'TZOFFSETTO:+0000', 'TZNAME:UTC', 'DTSTART:20290101T000000', 'END:STANDARD', 'END:VTIMEZONE',
	];
	$glued = 'ical';
	foreach ($posts as $post) {
		array_push($lines, ...exported($post));
		$glued .= $post->ID;
	}
	$hash = substr(md5($glued), 0, 11);
	header('Content-Disposition: attachment; filename="' . sanitize_title($name) . "-$hash.ics\"");
	$lines[] = 'END:VCALENDAR';
	echo implode("\r\n", $lines);
	exit;
});

/** The version that exports name. */
function tribe_version(): string {
	return ((array) get_option('tribe_events_calendar_options'))['latest_ecp_version'] ?? '';
}
