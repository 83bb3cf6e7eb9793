<?php
/**
 * Plugin Name: calbridge companion
 * Description: Updates WordPress's caches after calbridge writes, and notifies calbridge of changes in WordPress.
 * Version: 5
 * Requires at least: 6.1
 * Requires PHP: 7.4
 *
 * Copy this file, calbridge-companion-facts.php and calbridge-companion-code.php to wp-content/mu-plugins/ and add to wp-config.php:
 *
 *   define('CALBRIDGE_SECRET', '...');       // 32 characters or more, the same as calbridge's
 *   define('CALBRIDGE_URL', 'http://...');   // where calbridge receives notices; several separated by commas; optional
 *   define('CALBRIDGE_FIRE_ACTIONS', true);  // run the hooks of what calbridge saves, for plugins that need them; optional
 *
 * Environment variables of these names, or options in lower case, work too. Without a secret the plugin does nothing.
 */

declare(strict_types=1);

namespace Calbridge\Companion;

defined('ABSPATH') || exit;

const VERSION = '5';
const WINDOW = 300;          // seconds by which the clocks may differ
const MAX_BODY = 1048576;    // bytes of a notice
const MAX_ITEMS = 5000;      // of one notice; beyond that it says "all"
const SWEEP_EVERY = 200;     // messages, on average, between deletions of expired nonces
const SEND_AFTER = 1.0;      // seconds until a long request reports what it has changed so far

/** A setting: constant, else environment, else option; '' if there is none. */
function setting(string $name): string {
	$value = defined($name) ? constant($name) : getenv($name);
	if ($value === false || $value === '') {
		$value = defined($name) ? '' : get_option(strtolower($name), '');
	}
	return is_scalar($value) ? trim((string) $value) : '';
}

/** The shared secret, or '' if it is missing or too short. */
function secret(): string {
	$secret = setting('CALBRIDGE_SECRET');
	return strlen($secret) >= 32 ? $secret : '';
}

/** The signature, which both sides compute. The purpose prevents the use of a message for anything else. */
function signature(string $purpose, string $timestamp, string $nonce, string $body): string {
	return hash_hmac('sha256', "calbridge 1\n$purpose\n$timestamp\n$nonce\n$body", secret());
}

/** Receives notices from calbridge and cleans the caches of what they name. */
final class Incoming {
	public static function watch(): void {
		add_action('rest_api_init', [self::class, 'routes']);
		add_filter('rest_authentication_errors', [self::class, 'own_authentication'], PHP_INT_MAX);
		add_action('delete_expired_transients', [self::class, 'delete_nonces']);
	}

	public static function routes(): void {
		// The callbacks check the signature. WordPress runs a permission callback again for
		// the Allow header, when the nonce has already been used.
		foreach (['notice' => 'POST', 'status' => 'GET'] as $name => $method) {
			$route = ['methods' => $method, 'callback' => [self::class, $name], 'permission_callback' => '__return_true', 'show_in_index' => false];
			register_rest_route('calbridge/v1', '/' . $name, $route);
		}
	}

	/** Keeps the REST API open for signed notices on sites that close it to visitors. */
	public static function own_authentication($result) {
		$route = isset($GLOBALS['wp']->query_vars['rest_route']) ? $GLOBALS['wp']->query_vars['rest_route'] : '';
		return is_string($route) && strpos($route, '/calbridge/v1/') === 0 ? true : $result;
	}

	public static function notice(\WP_REST_Request $request): \WP_REST_Response {
		$refusal = self::refusal($request, 'to-wordpress notice');
		if ($refusal !== null) {
			return $refusal;
		}
		$notice = json_decode((string) $request->get_body(), true, 8);
		if (!is_array($notice)) {
			return self::answer(400, ['error' => 'the body is not a JSON object']);
		}
		if (!empty($notice['all'])) {
			wp_cache_flush();
		}
		// calbridge is running again: send what it missed.
		Outgoing::$all = Outgoing::$all || get_option('calbridge_missed', []) !== [];
		Sequence::current(); // calbridge waits for this row
		if (count(Outgoing::receivers()) > 1) {
			Outgoing::relay($notice);
		}
		try {
			return self::answer(200, Outgoing::quietly(static fn(): array => Cleaner::apply($notice)));
		} catch (\Throwable $e) {
			error_log('calbridge companion: ' . $e->getMessage());
			return self::answer(500, ['error' => 'the notice could not be applied; see the PHP error log']);
		}
	}

	/** The facts for `calbridge check`. */
	public static function status(\WP_REST_Request $request): \WP_REST_Response {
		$refusal = self::refusal($request, 'to-wordpress status');
		if ($refusal !== null) {
			return $refusal;
		}
		$due = array_filter(array_keys((array) _get_cron_array()), 'is_int');
		return self::answer(200, [
			'wordpress' => get_bloginfo('version'), 'php' => PHP_VERSION, 'time' => time(),
			'object_cache' => (bool) wp_using_ext_object_cache(),
			'page_cache' => defined('WP_CACHE') && WP_CACHE && file_exists(WP_CONTENT_DIR . '/advanced-cache.php'),
			'cron_disabled' => defined('DISABLE_WP_CRON') && DISABLE_WP_CRON,
			'cron_overdue' => $due === [] ? 0 : max(0, time() - min($due)),
			'fires_actions' => Cleaner::fires(), 'sends_notices' => Outgoing::receivers() !== [],
			'sequence' => Sequence::current(),
			'missed' => count((array) get_option('calbridge_missed', [])),
		]);
	}

	/** Null if the request comes from calbridge, is recent and was not received before. */
	public static function refusal(\WP_REST_Request $request, string $purpose): ?\WP_REST_Response {
		$timestamp = (string) $request->get_header('X-Calbridge-Timestamp');
		$nonce = (string) $request->get_header('X-Calbridge-Nonce');
		$given = (string) $request->get_header('X-Calbridge-Signature');
		$body = (string) $request->get_body();
		if (strlen($body) > MAX_BODY) {
			return self::answer(413, ['error' => 'the notice is too large']);
		}
		if (!preg_match('/\A[0-9]{1,12}\z/', $timestamp) || !preg_match('/\A[0-9a-f]{32}\z/', $nonce)
			|| !hash_equals(signature($purpose, $timestamp, $nonce, $body), $given)) {
			return self::answer(401, ['error' => 'the signature is wrong: are the secrets the same?']);
		}
		if (abs(time() - (int) $timestamp) > WINDOW) {
			return self::answer(401, ['error' => 'the clocks differ too much', 'time' => time()]);
		}
		$stored = self::store_nonce($nonce);
		if ($stored === false) {
			return self::answer(500, ['error' => 'the nonce could not be stored; see the PHP error log']);
		}
		return $stored > 0 ? null : self::answer(409, ['error' => 'this message has been here before']);
	}

	/**
	 * Stores a nonce. Returns 0 if it existed, false if it could not be stored. One statement
	 * checks and stores, by the table's unique key, so that only one of two copies of a
	 * message passes. The rows have the form of a transient, so that WordPress's daily task
	 * deletes them.
	 */
	private static function store_nonce(string $nonce) {
		global $wpdb;
		if (random_int(1, SWEEP_EVERY) === 1) { // there are thousands a day
			$wpdb->query($wpdb->prepare(
				"DELETE ends, nonce FROM {$wpdb->options} ends LEFT JOIN {$wpdb->options} nonce ON nonce.option_name = REPLACE(ends.option_name, '_timeout', '')
				WHERE ends.option_name LIKE %s AND ends.option_value < %d",
				$wpdb->esc_like('_transient_timeout_calbridge_') . '%', time() - 1
			));
		}
		return $wpdb->query($wpdb->prepare(
			"INSERT IGNORE INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, %s, 'no'), (%s, '1', 'no')",
			'_transient_timeout_calbridge_' . $nonce, (string) (time() + 2 * WINDOW), '_transient_calbridge_' . $nonce
		));
	}

	/** Deletes expired nonces, because WordPress with an object cache ignores transients in the database. */
	public static function delete_nonces(): void {
		if (wp_using_ext_object_cache()) {
			delete_expired_transients(true);
		}
	}

	public static function answer(int $code, array $data): \WP_REST_Response {
		return new \WP_REST_Response(['companion' => VERSION] + $data, $code, ['Cache-Control' => 'no-store']);
	}
}

/** Removes changed rows from WordPress's caches. */
final class Cleaner {
	public static function fires(): bool {
		return !in_array(strtolower(setting('CALBRIDGE_FIRE_ACTIONS')), ['', '0', 'false', 'no', 'off'], true);
	}

	public static function apply(array $notice): array {
		[$posts, $terms, $users] = array_map(static fn($key) => self::items($notice, $key, 'integer'), ['posts', 'terms', 'users']);
		$taxonomies = self::items($notice, 'taxonomies', 'string');
		self::posts($posts);
		self::terms($terms, $taxonomies);
		self::options(self::items($notice, 'options', 'string'));
		foreach ($users as $id) {
			clean_user_cache($id);
			wp_cache_delete($id, 'users');
			wp_cache_delete($id, 'user_meta');
		}
		$changed = ['posts' => $posts, 'terms' => array_merge($posts, $terms, $taxonomies), 'users' => $users];
		foreach (array_keys(array_filter($changed)) as $group) {
			wp_cache_set('last_changed', microtime(), $group);
		}
		$failed = self::fires() ? Saves::run((array) ($notice['saved'] ?? [])) : 0;
		do_action('calbridge_notice', $notice);
		return ['failed_actions' => $failed, 'cron' => !empty($notice['cron']) && (bool) spawn_cron()];
	}

	private static function posts(array $ids): void {
		$types = [];
		$taxonomies = get_taxonomies();
		foreach ($ids as $id) {
			// A listening page cache is notified of the old address first, then of the new one.
			$old = wp_cache_get($id, 'posts');
			clean_post_cache($id);
			wp_cache_delete($id, 'posts');
			wp_cache_delete($id, 'post_meta');
			foreach ($taxonomies as $taxonomy) {
				wp_cache_delete($id, $taxonomy . '_relationships');
			}
			$new = get_post($id);
			if (is_object($old)) {
				clean_post_cache($id);
			}
			$types += array_fill_keys(array_column(array_filter([$old, $new], 'is_object'), 'post_type'), true);
		}
		foreach (array_keys($types) as $type) {
			foreach (['modified:server', 'modified:gmt', 'modified:blog', 'date:server', 'date:gmt', 'date:blog'] as $time) {
				wp_cache_delete('lastpost' . $time, 'timeinfo');
				wp_cache_delete('lastpost' . $time . ':' . $type, 'timeinfo');
			}
		}
	}

	/** Cleans terms. Deleted terms belong to the taxonomies that the notice names. */
	private static function terms(array $ids, array $taxonomies): void {
		foreach ($ids as $id) {
			$term = get_term($id);
			$own = $term instanceof \WP_Term ? [$term->taxonomy] : $taxonomies;
			foreach ($own as $taxonomy) {
				clean_term_cache([$id], $taxonomy, false);
			}
			wp_cache_delete($id, 'terms');
			wp_cache_delete($id, 'term_meta');
			$taxonomies = array_merge($taxonomies, $own);
		}
		// WordPress's own function for this would rewrite the option of the hierarchy.
		foreach (array_unique($taxonomies) as $taxonomy) {
			wp_cache_delete('all_ids', $taxonomy);
			wp_cache_delete('get', $taxonomy);
			self::options([$taxonomy . '_children']);
		}
	}

	private static function options(array $names): void {
		foreach ($names as $name) {
			wp_cache_delete($name, 'options');
			if (strpos($name, '_transient_') === 0) {
				wp_cache_delete(substr($name, 11), 'transient');
			}
		}
		if ($names !== []) {
			wp_cache_delete('alloptions', 'options');
			wp_cache_delete('notoptions', 'options');
		}
	}

	/** The valid values of one list of a notice, each once. */
	private static function items(array $notice, string $key, string $type): array {
		$good = static fn($item): bool => gettype($item) === $type && $item !== '' && (is_string($item) || $item > 0);
		return array_values(array_unique(array_filter((array) ($notice[$key] ?? []), $good)));
	}
}

/**
 * Runs the hooks that WordPress's functions would have run for a save by calbridge, in the same
 * order and as the user who saved. The rows are already saved, also in hooks that WordPress runs
 * before it writes. Filters are not run, because their results would have no effect.
 */
final class Saves {
	private const TRIES = 3;              // of a save whose listeners end the process
	private const REMEMBERED = 86400 * 7; // seconds during which a save is not run again

	/** Runs the hooks of saves; returns the number of saves with listeners that threw. */
	public static function run(array $saves): int {
		ignore_user_abort(true); // calbridge may stop waiting
		$user = get_current_user_id();
		$failed = 0;
		foreach ($saves as $save) {
			$token = is_array($save) ? (string) ($save['token'] ?? '') : '';
			if (!preg_match('/\A[0-9a-f]{32}\z/', $token) || (int) ($save['id'] ?? 0) <= 0) {
				continue;
			}
			$tries = self::tries($token);
			if ($tries > self::TRIES) {
				error_log("calbridge companion: the listeners of a save of {$save['id']} have ended the process " . self::TRIES . ' times; it is left out');
				$failed++;
			} elseif ($tries > 0) {
				$failed += self::one($save) ? 0 : 1;
			}
			self::finish($token);
		}
		if ($user !== get_current_user_id()) {
			wp_set_current_user($user);
		}
		return $failed;
	}

	/** Counts the attempts at a save; 0 for one that is finished. */
	private static function tries(string $token): int {
		global $wpdb;
		$name = '_transient_calbridge_saved_' . $token;
		$wpdb->query($wpdb->prepare(
			"INSERT INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, %s, 'no'), (%s, '1', 'no')
			ON DUPLICATE KEY UPDATE option_value = IF(option_name = %s AND option_value <> '0', option_value + 1, option_value)",
			'_transient_timeout_calbridge_saved_' . $token, (string) (time() + self::REMEMBERED), $name, $name
		));
		$tries = $wpdb->get_var($wpdb->prepare("SELECT option_value FROM {$wpdb->options} WHERE option_name = %s", $name));
		return $tries === null ? 1 : (int) $tries; // if nothing can be stored, hooks may run twice
	}

	private static function finish(string $token): void {
		global $wpdb;
		$wpdb->query($wpdb->prepare("UPDATE {$wpdb->options} SET option_value = '0' WHERE option_name = %s", '_transient_calbridge_saved_' . $token));
	}

	/** Runs the hooks of one save; false if a listener throws. */
	private static function one(array $save): bool {
		try {
			wp_set_current_user((int) ($save['user'] ?? 0));
			if (isset($save['taxonomy'])) {
				self::term($save, (string) $save['taxonomy']);
			} else {
				self::post($save);
			}
			return true;
		} catch (\Throwable $e) {
			error_log("calbridge companion: a listener failed on {$save['function']} of {$save['id']}: " . $e->getMessage());
			return false;
		}
	}

	private static function since(string $version): bool {
		return version_compare((string) $GLOBALS['wp_version'], $version, '>=');
	}

	private static function post(array $save): void {
		if ($save['function'] === 'wp_delete_post') {
			self::delete_post(self::before(new \WP_Post((object) ['ID' => (int) $save['id']]), $save));
			return;
		}
		$post = get_post((int) $save['id']);
		if (!$post instanceof \WP_Post) {
			return; // deleted since; the deletion is a separate save
		}
		$post->post_status = (string) ($save['status'] ?? '') ?: $post->post_status;
		$before = self::before(clone $post, $save);
		switch ($save['function']) {
			case 'wp_insert_post':
				self::insert_post($post, $save);
				break;
			case 'wp_update_post':
				self::update_post($post, $before, $save);
				break;
			case 'wp_publish_post':
				self::publish_post($post, $before, $save);
				break;
			case 'wp_trash_post':
				$arguments = self::since('6.3') ? [$post->ID, $before->post_status] : [$post->ID];
				do_action('wp_trash_post', ...$arguments);
				self::update_post($post, $before, $save);
				$comments = get_post_meta($post->ID, '_wp_trash_meta_comments_status', true);
				do_action('trash_post_comments', $post->ID);
				if (is_array($comments)) {
					do_action('trashed_post_comments', $post->ID, $comments);
				}
				do_action('trashed_post', ...$arguments);
		}
	}

	/** The post with the values that it had before the save. */
	private static function before(\WP_Post $post, array $save): \WP_Post {
		foreach ((array) ($save['before'] ?? []) as $column => $value) {
			if (property_exists($post, $column)) {
				$post->$column = in_array($column, ['post_parent', 'menu_order'], true) ? (int) $value : (string) $value;
			}
		}
		$post->post_status = (string) ($save['old_status'] ?? '') ?: $post->post_status;
		return $post;
	}

	private static function insert_post(\WP_Post $post, array $save): void {
		self::set_terms($post->ID, (array) ($save['terms'] ?? []));
		if ($post->post_type === 'attachment') {
			do_action('add_attachment', $post->ID);
			return;
		}
		wp_transition_post_status($post->post_status, 'new', $post);
		self::saved($post, false, null);
	}

	private static function update_post(\WP_Post $post, \WP_Post $before, array $save): void {
		$columns = ['post_author', 'post_date', 'post_date_gmt', 'post_content', 'post_content_filtered', 'post_title', 'post_excerpt', 'post_status', 'post_type',
			'comment_status', 'ping_status', 'post_password', 'post_name', 'to_ping', 'pinged', 'post_modified', 'post_modified_gmt', 'post_parent', 'menu_order',
			'post_mime_type', 'guid'];
		do_action('pre_post_update', $post->ID, array_intersect_key(get_object_vars($post), array_flip($columns)));
		$terms = (array) ($save['terms'] ?? []);
		$tags = array_column($terms, 'old', 'taxonomy')['post_tag'] ?? wp_get_object_terms($post->ID, 'post_tag', ['fields' => 'tt_ids']);
		$names = array_map(static fn($row): string => (string) (get_term_by('term_taxonomy_id', (int) $row)->name ?? ''), is_array($tags) ? $tags : []);
		if (wp_slash($names) !== $names) { // WordPress takes tags with such names for changed ones, and gives the post all that it has
			array_unshift($terms, ['taxonomy' => 'post_tag', 'old' => $tags, 'new' => $tags]);
		}
		self::set_terms($post->ID, $terms);
		self::with_revision($save, static function () use ($post, $before): void {
			wp_transition_post_status($post->post_status, $before->post_status, $post);
			do_action('edit_post_' . $post->post_type, $post->ID, $post);
			do_action('edit_post', $post->ID, $post);
			do_action('post_updated', $post->ID, $post, $before);
			self::saved($post, true, $before);
		});
	}

	private static function publish_post(\WP_Post $post, \WP_Post $before, array $save): void {
		self::with_revision($save, static function () use ($post, $before): void {
			wp_transition_post_status($post->post_status, $before->post_status, $post);
			do_action('edit_post_' . $post->post_type, $post->ID, $post);
			do_action('edit_post', $post->ID, $post);
			self::saved($post, true, $before);
		});
	}

	private static function saved(\WP_Post $post, bool $update, ?\WP_Post $before): void {
		do_action('save_post_' . $post->post_type, $post->ID, $post, $update);
		do_action('save_post', $post->ID, $post, $update);
		do_action('wp_insert_post', $post->ID, $post, $update);
		wp_after_insert_post($post, $update, $before);
	}

	/**
	 * Runs work, and the hooks of a post's new revision at the point where WordPress would have made
	 * it. At that point WordPress compares the post with its newest revision, which calbridge made.
	 */
	private static function with_revision(array $save, callable $work): void {
		$revision = (int) ($save['revision'] ?? 0);
		$watch = static function ($check, $newest, $post) use (&$revision, $save) {
			$made = $revision > 0 && (int) $post->ID === (int) $save['id'] ? get_post($revision) : null;
			$revision = 0;
			if ($made instanceof \WP_Post) {
				wp_transition_post_status($made->post_status, 'new', $made);
				self::saved($made, false, null);
				do_action('_wp_put_post_revision', ...(self::since('6.4') ? [$made->ID, $made->post_parent] : [$made->ID]));
			}
			return $check;
		};
		add_filter('wp_save_post_revision_check_for_changes', $watch, PHP_INT_MIN, 3);
		try {
			$work();
		} finally {
			remove_filter('wp_save_post_revision_check_for_changes', $watch, PHP_INT_MIN);
		}
	}

	private static function delete_post(\WP_Post $post): void {
		do_action('before_delete_post', $post->ID, $post);
		foreach (['delete_post', 'deleted_post'] as $hook) {
			if (self::since('6.6')) {
				do_action($hook . '_' . $post->post_type, $post->ID, $post);
			}
			do_action($hook, $post->ID, $post);
		}
		do_action('after_delete_post', $post->ID, $post);
	}

	/** Runs the hooks of wp_set_object_terms for each taxonomy. */
	private static function set_terms(int $id, array $sets): void {
		foreach ($sets as $set) {
			$taxonomy = (string) ($set['taxonomy'] ?? '');
			$old = array_map('intval', (array) ($set['old'] ?? []));
			$new = array_map('intval', (array) ($set['new'] ?? []));
			foreach (array_diff($new, $old) as $added) {
				do_action('add_term_relationship', $id, $added, $taxonomy);
				do_action('added_term_relationship', $id, $added, $taxonomy);
			}
			$removed = array_values(array_diff($old, $new));
			if ($removed !== []) {
				do_action('delete_term_relationships', $id, $removed, $taxonomy);
				do_action('deleted_term_relationships', $id, $removed, $taxonomy);
			}
			$terms = array_map(static fn(int $given): int => (int) (get_term_by('term_taxonomy_id', $given)->term_id ?? 0), $new);
			do_action('set_object_terms', $id, $terms, $new, $taxonomy, false, $old);
		}
	}

	private static function term(array $save, string $taxonomy): void {
		$id = (int) $save['id'];
		$row = (int) ($save['taxonomy_id'] ?? 0);
		if ($save['function'] === 'wp_delete_term') {
			$fields = (array) ($save['before'] ?? []);
			$numbers = array_map('intval', array_intersect_key($fields, ['parent' => 0, 'count' => 0]));
			$term = new \WP_Term((object) ($numbers + $fields + ['term_id' => $id, 'term_taxonomy_id' => $row, 'taxonomy' => $taxonomy, 'term_group' => 0]));
			$objects = array_map('intval', (array) ($save['objects'] ?? []));
			do_action('pre_delete_term', $id, $taxonomy);
			foreach ($objects as $object) {
				do_action('delete_term_relationships', $object, [$row], $taxonomy);
				do_action('deleted_term_relationships', $object, [$row], $taxonomy);
			}
			$row = (string) $row; // the type in which WordPress reads it
			do_action('delete_term_taxonomy', $row);
			do_action('deleted_term_taxonomy', $row);
			do_action('delete_term', $id, $row, $taxonomy, $term, $objects);
			do_action("delete_$taxonomy", $id, $row, $term, $objects);
			return;
		}
		$term = get_term($id, $taxonomy);
		if (!$term instanceof \WP_Term) {
			return;
		}
		$update = $save['function'] === 'wp_update_term';
		$arguments = ['alias_of' => '', 'description' => $term->description, 'parent' => $term->parent, 'slug' => $term->slug, 'name' => $term->name, 'taxonomy' => $taxonomy, 'filter' => 'db'];
		if ($update) {
			$arguments += $term->to_array();
			do_action('edit_terms', $id, $taxonomy, $arguments);
			do_action('edited_terms', $id, $taxonomy, $arguments);
			do_action('edit_term_taxonomy', $row, $taxonomy, $arguments);
			do_action('edited_term_taxonomy', $row, $taxonomy, $arguments);
		}
		foreach ($update ? ['edit', 'edited'] : ['create', 'created'] as $did) {
			do_action($did . '_term', $id, $row, $taxonomy, $arguments);
			do_action("{$did}_$taxonomy", $id, $row, $arguments);
		}
		do_action('saved_term', $id, $row, $taxonomy, $update, $arguments);
		do_action("saved_$taxonomy", $id, $row, $update, $arguments);
	}
}

/**
 * Numbers the notices of this site, so that calbridge detects a lost one. The option's value is
 * "number.epoch". The epoch is random, and changes when the row was deleted. calbridge reads
 * the row in the database every second.
 *
 * A request takes its number at its first change, not when it sends the notice. If the PHP
 * process is killed in between, its number never arrives. The number is taken on a separate
 * connection, so that a plugin's transaction neither locks the row nor rolls the number back.
 */
final class Sequence {
	private const OPTION = 'calbridge_sequence';
	private const VALUE = '/\A([0-9]{1,18})\.([0-9a-f]{32})\z/';
	private const TRIES = 5;         // cluster nodes may reject one of two changes
	private const CONNECT_TIME = 2;  // seconds

	/** The next number: ['epoch' => ..., 'number' => ...]; [] if there is none. */
	public static function next(): array {
		return self::connected(static function (\mysqli $db, string $table): array {
			for ($try = 0; $try < self::TRIES; $try++) {
				$taken = self::query($db, "UPDATE $table SET option_value = CONCAT(LAST_INSERT_ID(CAST(SUBSTRING_INDEX(option_value, '.', 1) AS UNSIGNED) + 1), '.', SUBSTRING_INDEX(option_value, '.', -1)) WHERE option_name = '" . self::OPTION . "'") !== false
					&& $db->affected_rows === 1;
				$number = (int) $db->insert_id;
				$epoch = self::read($db, $table)[1] ?? '';
				if ($taken && $number > 0 && $epoch !== '') {
					return ['epoch' => $epoch, 'number' => $number];
				}
				self::create($db, $table);
			}
			return [];
		}) ?: [];
	}

	/** The value of the row, which is created if notices are sent; '' if there is none. */
	public static function current(): string {
		return Outgoing::receivers() === [] ? '' : (string) self::connected(static function (\mysqli $db, string $table): string {
			self::create($db, $table);
			return self::read($db, $table)[0] ?? '';
		});
	}

	/** The value of the row with its two parts; [] if it is missing or broken. */
	private static function read(\mysqli $db, string $table): array {
		$result = self::query($db, "SELECT option_value FROM $table WHERE option_name = '" . self::OPTION . "'");
		$row = $result instanceof \mysqli_result ? $result->fetch_row() : null;
		return $row && preg_match(self::VALUE, (string) $row[0], $parts) ? [$parts[0], $parts[2]] : [];
	}

	/** Creates the row if it is missing; replaces a broken one. */
	private static function create(\mysqli $db, string $table): void {
		if (self::read($db, $table) !== []) {
			return;
		}
		self::query($db, "DELETE FROM $table WHERE option_name = '" . self::OPTION . "' AND option_value NOT REGEXP '^[0-9]{1,18}[.][0-9a-f]{32}$'");
		self::query($db, "INSERT IGNORE INTO $table (option_name, option_value, autoload) VALUES ('" . self::OPTION . "', '0." . bin2hex(random_bytes(16)) . "', 'no')");
	}

	/** The result of a statement; false if the server rejects it. */
	private static function query(\mysqli $db, string $statement) {
		try {
			return $db->query($statement);
		} catch (\mysqli_sql_exception $e) {
			return false;
		}
	}

	/** Runs work on a separate connection; null if there is none or it fails. */
	private static function connected(callable $work) {
		global $wpdb;
		$db = null;
		try {
			$host = $wpdb->parse_db_host(DB_HOST);
			if (!is_array($host) || !class_exists('mysqli')) {
				return null;
			}
			[$name, $port, $socket, $ipv6] = $host;
			$db = mysqli_init();
			$db->options(MYSQLI_OPT_CONNECT_TIMEOUT, self::CONNECT_TIME);
			$flags = defined('MYSQL_CLIENT_FLAGS') ? MYSQL_CLIENT_FLAGS : 0;
			if (!@$db->real_connect($ipv6 ? "[$name]" : $name, DB_USER, DB_PASSWORD, DB_NAME, (int) $port, (string) $socket, $flags)) {
				error_log('calbridge companion: notices have no number: ' . mysqli_connect_error());
				$db = null;
				return null;
			}
			return $work($db, '`' . str_replace('`', '``', $wpdb->options) . '`');
		} catch (\Throwable $e) {
			error_log('calbridge companion: notices have no number: ' . $e->getMessage());
			return null;
		} finally {
			if ($db !== null) {
				@$db->close();
			}
		}
	}
}

/** Collects what changes in WordPress during a request, and reports it to calbridge at the end. */
final class Outgoing {
	private const NOTHING = ['posts' => [], 'terms' => [], 'users' => [], 'options' => [], 'taxonomies' => []];

	private static $fresh = self::NOTHING; // not reported yet
	private static $every = self::NOTHING; // of the whole request
	public static $all = false;            // too many changes to name
	private static $since = 0.0;           // when $fresh stopped being empty
	private static $quiet = -1;            // depth of hooks caused by this plugin
	private static $number = null;         // of the next notice; null before a change, [] if there is none

	/** Hooks, with the position of the changed object among their arguments. */
	private const HOOKS = [
		[['clean_post_cache', 'save_post', 'deleted_post', 'clean_object_term_cache', 'added_term_relationship',
			'deleted_term_relationships', 'set_object_terms', 'calbridge_post_changed'], ['posts' => 0]],
		[['clean_term_cache'], ['terms' => 0, 'taxonomies' => 1]],
		[['created_term', 'edited_term', 'delete_term'], ['terms' => 0, 'taxonomies' => 2]],
		[['edited_term_taxonomy'], ['taxonomies' => 1]],
		[['clean_user_cache', 'user_register', 'profile_update', 'deleted_user', 'set_user_role', 'add_user_role',
			'remove_user_role'], ['users' => 0]],
		[['added_option', 'updated_option', 'deleted_option'], ['options' => 0]],
		[['added_post_meta', 'updated_post_meta', 'deleted_post_meta'], ['posts' => 1, 'key' => 2]],
		[['added_term_meta', 'updated_term_meta', 'deleted_term_meta'], ['terms' => 1, 'key' => 2]],
		[['added_user_meta', 'updated_user_meta', 'deleted_user_meta'], ['users' => 1, 'key' => 2]],
	];

	public static function watch(): void {
		foreach (self::HOOKS as [$names, $places]) {
			foreach ($names as $name) {
				add_action($name, static fn(...$given) => self::heard($places, $given), PHP_INT_MAX, 3);
			}
		}
		add_action('shutdown', [self::class, 'send'], PHP_INT_MAX);
	}

	private static function heard(array $places, array $given): void {
		if (count($GLOBALS['wp_current_filter'] ?? []) === self::$quiet || (is_multisite() && ms_is_switched())) {
			return;
		}
		if (isset($places['key'])) {
			if (($given[$places['key']] ?? '') === '_edit_lock') {
				return; // set every few seconds while an editor is open
			}
			self::$all = self::$all || empty($given[1]); // deleted from every object
			unset($places['key']);
		}
		foreach ($places as $kind => $place) {
			self::add($kind, $given[$place] ?? '');
		}
		self::number();
		$now = microtime(true);
		self::$since = self::$since > 0.0 ? self::$since : $now;
		if ($now - self::$since > SEND_AFTER) {
			self::send(true);
		}
	}

	/** The addresses that notices are sent to. */
	public static function receivers(): array {
		return array_values(array_filter(array_map('trim', explode(',', setting('CALBRIDGE_URL')))));
	}

	/** Forwards a notice of one calbridge to all, so that the others receive its writes. */
	public static function relay(array $notice): void {
		self::$all = self::$all || !empty($notice['all']);
		foreach (array_keys(self::NOTHING) as $kind) {
			self::add($kind, array_values((array) ($notice[$kind] ?? [])));
		}
		self::number();
	}

	/** Takes a number for the notice of the changes so far. */
	private static function number(): void {
		if (self::$number === null && (self::$all || array_filter(self::$fresh) !== []) && self::receivers() !== []) {
			self::$number = Sequence::next();
		}
	}

	/** Runs code whose own changes are not reported to calbridge. Changes by listeners are reported. */
	public static function quietly(callable $work): array {
		self::$quiet = count($GLOBALS['wp_current_filter'] ?? []) + 1;
		try {
			return $work();
		} finally {
			self::$quiet = -1;
		}
	}

	private static function add(string $kind, $what): void {
		$named = $kind === 'options' || $kind === 'taxonomies';
		foreach (is_array($what) ? $what : [$what] as $one) {
			$one = is_object($one) ? $one->ID ?? $one->term_id ?? $one->name ?? 0 : $one;
			if ($named ? is_string($one) && !preg_match('/\A(|cron|_(site_)?transient_.*|calbridge_(missed|sequence))\z/s', $one) : is_numeric($one) && $one > 0) {
				self::$fresh[$kind][$one] = true;
			}
		}
	}

	/** The last notice repeats the earlier ones, because a transaction may have hidden their changes. */
	public static function send($early = false): void {
		try {
			$notice = ['all' => self::$all];
			$count = 0;
			foreach (self::$fresh as $kind => $set) {
				self::$every[$kind] += $set;
				$keys = array_keys($early === true ? $set : self::$every[$kind]);
				$notice[$kind] = $kind === 'options' || $kind === 'taxonomies' ? array_map('strval', $keys) : $keys;
				$count += count($notice[$kind]);
			}
			self::$fresh = self::NOTHING;
			self::$since = 0.0;
			if (($count > 0 || self::$all) && self::receivers() !== []) {
				$number = self::$number ?? Sequence::next(); // the last notice repeats the earlier ones under a number of its own
				self::$number = null;
				self::post($number + ($number === [] || $count > MAX_ITEMS ? ['all' => true] : $notice));
			}
		} catch (\Throwable $e) {
			error_log('calbridge companion: ' . $e->getMessage());
		}
	}

	/** The next notice to a receiver that did not respond in time says that anything may have changed. */
	private static function post(array $notice): void {
		$urls = self::receivers();
		$missed = (array) get_option('calbridge_missed', []);
		$still = [];
		foreach ($urls as $url) {
			$body = (string) wp_json_encode(isset($missed[$url]) ? ['all' => true] + $notice : $notice);
			$timestamp = (string) time();
			$nonce = bin2hex(random_bytes(16));
			$answer = wp_remote_post($url, ['timeout' => 0.5, 'redirection' => 0, 'body' => $body, 'headers' => [
				'Content-Type' => 'application/json',
				'X-Calbridge-Timestamp' => $timestamp,
				'X-Calbridge-Nonce' => $nonce,
				'X-Calbridge-Signature' => signature('to-calbridge notice', $timestamp, $nonce, $body),
			]]);
			if ((int) wp_remote_retrieve_response_code($answer) !== 204) {
				$still[$url] = true;
			}
		}
		if ($still !== $missed) {
			update_option('calbridge_missed', $still, false);
		}
	}
}

if (secret() !== '') {
	Incoming::watch();
	Outgoing::watch();
}
