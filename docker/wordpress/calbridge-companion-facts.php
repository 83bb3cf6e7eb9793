<?php
/**
 * Plugin Name: calbridge companion: facts
 * Description: Reports to calbridge the facts that responses depend on and that only PHP can determine. Needs calbridge-companion.php.
 * Version: 5
 * Requires at least: 6.1
 * Requires PHP: 7.4
 *
 * Copy this file to wp-content/mu-plugins/ next to calbridge-companion.php, which signs the report and runs this code
 * only for calbridge's signed requests.
 */

declare(strict_types=1);

namespace Calbridge\Companion;

defined('ABSPATH') || exit;

/** How the running site changes the calendar's responses. No keys, users or server paths except that of the uploads folder. */
final class Facts {
	private const FORMAT = 1;         // of the report
	private const MAX_QUERY = 32768;  // bytes of a request
	private const MAX_NAMES = 200;    // of hooks in a request
	private const NAMESPACES = ['tribe/events/v1', 'calendar/events/v1'];
	private const CAPS = ['tribe_rest_event_max_per_page', 'tribe_rest_venue_max_per_page', 'tribe_rest_organizer_max_per_page',
		'tribe_rest_event_category_max_per_page', 'tribe_rest_event_tag_max_per_page'];
	private const MARKS = [
		'opening curly double quote' => '&#8220;', 'closing curly double quote' => '&#8221;',
		'opening curly single quote' => '&#8216;', 'closing curly single quote' => '&#8217;',
		'apostrophe' => '&#8217;', 'prime' => '&#8242;', 'double prime' => '&#8243;', 'en dash' => '&#8211;', 'em dash' => '&#8212;',
	];
	/** Texts whose translations occur in responses: by text domain, context and text. */
	private const TEXTS = [
		'default' => [
			'Comma-separated list of words to texturize in your language' => ["'tain't,'twere,'twas,'tis,'twill,'til,'bout,'nuff,'round,'cause,'em"],
			'Comma-separated list of replacement words in your language' => ['&#8217;tain&#8217;t,&#8217;twere,&#8217;twas,&#8217;tis,&#8217;twill,&#8217;til,&#8217;bout,&#8217;nuff,&#8217;round,&#8217;cause,&#8217;em'],
			'' => ['number_format_decimal_point', 'number_format_thousands_sep', 'Protected: %s', 'Private: %s', '[&hellip;]', '&hellip;'],
			'excerpt_length' => ['55'],
			'Word count type. Do not translate!' => ['words'],
		],
		'the-events-calendar' => [
			'Rewrite Singular Slug' => ['event'],
			'Archive Events Slug' => ['events'],
			'' => ['venue', 'organizer', 'category', 'tag', 'Free'],
		],
	];

	public static function route(): void {
		if (function_exists(__NAMESPACE__ . '\secret') && (int) VERSION >= 2 && secret() !== '') { // of calbridge-companion.php
			register_rest_route('calbridge/v1', '/facts', ['methods' => 'POST', 'callback' => [self::class, 'asked'], 'permission_callback' => '__return_true', 'show_in_index' => false]);
		}
	}

	/** Answers a signed request; the answer's signature covers the nonce of the request. */
	public static function asked(\WP_REST_Request $request): \WP_REST_Response {
		$refusal = Incoming::refusal($request, 'to-wordpress facts');
		if ($refusal !== null) {
			return $refusal;
		}
		$body = (string) $request->get_body();
		if (strlen($body) > self::MAX_QUERY) {
			return Incoming::answer(413, ['error' => 'the query is too large']);
		}
		$query = json_decode($body, true, 3);
		$names = is_array($query) ? $query['hooks'] ?? null : null;
		$good = static fn($name): bool => is_string($name) && preg_match('/\A[A-Za-z0-9_.-]{1,100}\z/', $name);
		if (!is_array($names) || count($names) > self::MAX_NAMES || count(array_filter($names, $good)) < count($names)) {
			return Incoming::answer(400, ['error' => 'the body is not a JSON object with at most ' . self::MAX_NAMES . ' names of hooks']);
		}
		$only = is_array($query['only'] ?? null) ? $query['only'] : null;
		$facts = self::report(array_unique($names), $only);
		$signature = signature('from-wordpress facts', $request->get_header('X-Calbridge-Timestamp'), $request->get_header('X-Calbridge-Nonce'), $facts);
		return Incoming::answer(200, ['facts' => $facts, 'signature' => $signature]);
	}

	/** The report as ASCII JSON, so that proxies and filters don't change it. */
	private static function report(array $names, ?array $only): string {
		$facts = ['version' => self::FORMAT, 'problems' => []];
		$https = $_SERVER['HTTPS'] ?? null;
		if (wp_parse_url((string) get_option('home'), PHP_URL_SCHEME) === 'https') {
			$_SERVER['HTTPS'] = 'on'; // calbridge may use http; visitors use https
		}
		try {
			foreach (self::all($names) as $fact => $find) {
				if ($only !== null && !in_array($fact, $only, true)) {
					continue;
				}
				$problem = null;
				$value = self::safely($find, $problem);
				if ($problem === null) {
					$facts[$fact] = $value;
				} else {
					$facts['problems'][] = ['fact' => $fact, 'problem' => $problem];
				}
			}
		} finally {
			if ($https !== null) {
				$_SERVER['HTTPS'] = $https;
			} else {
				unset($_SERVER['HTTPS']);
			}
		}
		return (string) json_encode($facts, JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR);
	}

	/** The reported facts: a name and the function that determines the value. */
	private static function all(array $names): array {
		return [
			'code' => static function () use ($names): object { // first: the filters below may hook others
				$parts = class_exists(Code::class) ? Code::parts($names) : null;
				if ($parts === null) {
					throw new \UnexpectedValueException(class_exists(Code::class) ? 'the fingerprint is incomplete: ' . Code::incomplete() : 'calbridge-companion-code.php is missing');
				}
				return (object) $parts;
			},
			'wordpress' => static fn(): string => (string) $GLOBALS['wp_version'],
			'plugins' => static fn(): object => (object) self::plugins(),
			'must_use' => static fn(): array => array_values(array_map('basename', wp_get_mu_plugins())),
			'drop_ins' => static fn(): array => array_values(array_filter(
				['advanced-cache.php', 'db.php', 'object-cache.php', 'sunrise.php'],
				static fn(string $file): bool => file_exists(WP_CONTENT_DIR . '/' . $file)
			)),
			'theme' => static fn(): array => self::theme(),
			'locale' => static fn(): string => get_locale(),
			'texturize' => static function (): array {
				$marks = [];
				foreach (self::MARKS as $context => $default) {
					$marks[$context] = (string) _x($default, $context);
				}
				foreach (self::TEXTS as $domain => $contexts) {
					foreach ($contexts as $context => $texts) {
						foreach ($texts as $text) {
							$marks[$context !== '' ? $context : $text] = (string) ($context !== ''
								? translate_with_gettext_context($text, $context, $domain) : translate($text, $domain));
						}
					}
				}
				return $marks;
			},
			'uploads' => static function (): array {
				$uploads = wp_get_upload_dir();
				return ['base_dir' => (string) $uploads['basedir'], 'base_url' => (string) $uploads['baseurl']];
			},
			'excerpt_more' => static fn(): string => (string) self::filtered('excerpt_more', ' ' . __('[&hellip;]')),
			'excerpt_length' => static fn(): int => (int) self::filtered('excerpt_length', (int) _x('55', 'excerpt_length')),
			'excerpt_post' => static function (): array {
				$post = self::post();
				return ['id' => $post ? $post->ID : 0, 'url' => $post ? (string) get_permalink($post) : '', 'title' => $post ? (string) get_the_title($post) : ''];
			},
			'rest_prefix' => static fn(): string => rest_get_url_prefix(),
			'page_caps' => static fn(): object => (object) self::page_caps(),
			'application_passwords' => static fn(): bool => (bool) wp_is_application_passwords_available(),
			'api_disabled' => static fn(): bool => !self::has_routes(),
			'calendar_tables' => static fn(): bool => self::calendar_tables(),
			'db_charset' => static fn(): string => defined('DB_CHARSET') ? (string) DB_CHARSET : '',
			'connection_charset' => static fn(): string => (string) $GLOBALS['wpdb']->charset,
			'hooks' => static fn(): array => Hooks::on($names),
			'shortcodes' => static fn(): array => Registered::shortcodes(),
			'blocks' => static fn(): array => Registered::blocks(),
			'visitors' => static function () use ($names): array {
				if (!class_exists(Visitors::class)) {
					throw new \UnexpectedValueException('calbridge-companion-code.php is missing or older');
				}
				return Visitors::on($names);
			},
		];
	}

	/** Runs code that may call plugins: output is discarded, and an exception affects only this fact. */
	private static function safely(callable $find, ?string &$problem) {
		$level = ob_get_level();
		ob_start();
		try {
			return $find();
		} catch (\UnexpectedValueException $e) {
			$problem = $e->getFile() === __FILE__ ? $e->getMessage() : Hooks::place($e);
		} catch (\Throwable $e) {
			$problem = Hooks::place($e); // a message may contain secrets
		} finally {
			while (ob_get_level() > $level && ob_end_clean()) {
				continue;
			}
		}
		return null;
	}

	/** The result of filters on a value while a public post is the current one. */
	private static function filtered(string $name, $value) {
		$before = $GLOBALS['post'] ?? null;
		$GLOBALS['post'] = self::post();
		try {
			$value = apply_filters($name, $value);
		} finally {
			$GLOBALS['post'] = $before;
		}
		if (!is_scalar($value)) {
			throw new \UnexpectedValueException("the filters of $name return " . gettype($value));
		}
		return $value;
	}

	/** A published event, else a published post; null if there is none. */
	private static function post(): ?\WP_Post {
		global $wpdb; // not WP_Query, which plugins could filter
		$id = $wpdb->get_var("SELECT ID FROM $wpdb->posts WHERE post_type IN ('tribe_events', 'post') AND post_status = 'publish' AND post_password = ''
			ORDER BY post_type DESC, ID DESC LIMIT 1");
		$post = $id === null ? null : get_post((int) $id);
		return $post instanceof \WP_Post ? $post : null;
	}

	private static function plugins(): array {
		$plugins = [];
		foreach (array_merge(is_multisite() ? wp_get_active_network_plugins() : [], wp_get_active_and_valid_plugins()) as $file) {
			$plugins[plugin_basename($file)] = (string) get_file_data($file, ['version' => 'Version'])['version'];
		}
		return $plugins;
	}

	private static function theme(): array {
		$html5 = get_theme_support('html5');
		$size = wp_get_global_settings(['layout', 'contentSize']);
		return [
			'stylesheet' => (string) get_stylesheet(), 'template' => (string) get_template(), 'version' => (string) wp_get_theme()->get('Version'),
			'block' => wp_is_block_theme(),
			'json' => is_file(get_stylesheet_directory() . '/theme.json') || is_file(get_template_directory() . '/theme.json'),
			'html5' => is_array($html5) && is_array($html5[0] ?? null) ? array_values(array_filter($html5[0], 'is_string')) : [],
			'content_width' => (int) ($GLOBALS['content_width'] ?? 0), 'content_size' => is_string($size) ? $size : '',
			'rendering' => self::rendering(),
		];
	}

	/** Settings of the theme and of the site's own styles for blocks and titles. */
	private static function rendering(): array {
		$settings = wp_get_global_settings();
		$styles = wp_get_global_styles();
		$gap = static fn($style): string => is_array($style) && is_string($style['spacing']['blockGap'] ?? null)
			? (string) preg_replace('/var:([a-z0-9-]+)\|([a-z0-9-]+)\|([a-zA-Z0-9-]+)/', 'var(--wp--$1--$2--$3)', $style['spacing']['blockGap']) : '';
		$problem = null;
		$title = self::safely(static fn() => self::filtered('the_title', ''), $problem);
		return [
			'block_gap' => isset($settings['spacing']['blockGap']), 'root_padding' => !empty($settings['useRootPaddingAwareAlignments']),
			'gap' => $gap($styles), 'gaps' => (object) array_filter(array_map($gap, is_array($styles['blocks'] ?? null) ? $styles['blocks'] : [])),
			'empty_title' => is_string($title) ? $title : '',
		];
	}

	/** The calendar's filters of the largest page: the usual names, and others of the kind that are hooked. */
	private static function page_caps(): array {
		$hooked = preg_grep('/\Atribe_rest_[a-z_]{1,60}_max_per_page\z/', array_map('strval', array_keys($GLOBALS['wp_filter'])));
		$caps = [];
		foreach (array_unique(array_merge(self::CAPS, array_slice($hooked, 0, 50))) as $name) {
			$caps[$name] = has_filter($name) ? (int) self::filtered($name, 50) : 50;
		}
		return $caps;
	}

	private static function has_routes(): bool {
		foreach (array_keys(rest_get_server()->get_routes()) as $route) {
			foreach (self::NAMESPACES as $namespace) {
				if (strpos($route . '/', "/$namespace/") === 0) {
					return true;
				}
			}
		}
		return false;
	}

	private static function calendar_tables(): bool {
		$name = 'TEC_CUSTOM_TABLES_V1_DISABLED';
		$state = get_option('tec_ct1_migration_state');
		return !(defined($name) && constant($name)) && !getenv($name) && get_option('tec_custom_tables_v1_active', true)
			&& is_array($state) && in_array($state['phase'] ?? '', ['migration-not-required', 'migration-complete'], true);
	}
}

/** The origin of callbacks on hooks. */
final class Hooks {
	private const MAX = 501;      // callbacks in a report: one more than calbridge accepts, so that it can tell that some are missing
	private const MAX_TEXT = 250; // bytes of a name or file
	/** Folders of plugins whose hooks calbridge handles. */
	private const KNOWN = ['the-events-calendar', 'event-tickets', 'sitepress-multilingual-cms', 'wpml-string-translation',
		'wpml-media-translation', 'polylang', 'polylang-pro'];
	/** Functions of core that core itself never hooks. */
	private const BORROWED = '/\A__return_(true|false|zero|null|empty_string|empty_array)\z/';

	/** The callbacks that belong neither to core, to known plugins nor to this plugin. */
	public static function on(array $names): array {
		$found = [];
		foreach ($names as $name) {
			$hook = $GLOBALS['wp_filter'][$name] ?? null;
			foreach ($hook instanceof \WP_Hook ? $hook->callbacks : [] as $priority => $callbacks) {
				foreach ($callbacks as $callback) {
					[$what, $file, $line] = self::described($callback['function'] ?? null);
					if (!self::expected($name, $what, $file)) {
						$found[] = self::entry($name, $what, $file, $line, (int) $priority);
					}
				}
			}
		}
		return array_slice($found, 0, self::MAX);
	}

	/** A callback in a report. */
	public static function entry(string $name, string $callback, string $file, int $line, int $priority): array {
		return ['name' => self::short($name), 'callback' => self::short($callback), 'file' => self::relative($file), 'line' => $line, 'priority' => $priority];
	}

	/** Whether a file belongs neither to core, to a known plugin nor to this plugin. */
	public static function foreign(string $file): bool {
		return $file !== '' && !self::own($file) && !self::core($file) && !self::known($file);
	}

	private static function own(string $file): bool {
		return in_array(wp_normalize_path($file), array_map('wp_normalize_path', [__FILE__, __DIR__ . '/calbridge-companion.php', __DIR__ . '/calbridge-companion-code.php']), true);
	}

	private static function core(string $file): bool {
		$relative = self::relative($file);
		return strpos($relative, WPINC . '/') === 0 || strpos($relative, 'wp-admin/') === 0;
	}

	private static function known(string $file): bool {
		return in_array(strstr(plugin_basename($file), '/', true), self::KNOWN, true);
	}

	/** Where an exception comes from, without its message. */
	public static function place(\Throwable $e): string {
		return self::short(get_class($e)) . ' in ' . self::relative($e->getFile()) . ':' . $e->getLine();
	}

	/** Name, file and line of a callback; the file is '' for PHP's own functions and for what does not exist. */
	public static function described($callback): array {
		if (is_string($callback) && strpos($callback, '::') !== false) {
			$callback = explode('::', $callback, 2);
		}
		try {
			if ($callback instanceof \Closure || is_string($callback)) {
				$function = new \ReflectionFunction($callback);
				$name = strpos($function->getName(), '{closure') === false ? $function->getName() : 'Closure';
				return [$name, (string) $function->getFileName(), (int) $function->getStartLine()];
			}
			[$owner, $method] = is_array($callback) ? array_values($callback) + [null, ''] : [$callback, '__invoke'];
			// The file of the object's class, not of an inherited method: it shows where the object belongs.
			$class = new \ReflectionClass($owner);
			$line = $class->hasMethod($method) && $class->getMethod($method)->getFileName() === $class->getFileName()
				? $class->getMethod($method)->getStartLine() : $class->getStartLine();
			return [self::short($class->getName()) . '::' . $method, (string) $class->getFileName(), (int) $line];
		} catch (\Throwable $e) {
			return [is_string($callback) ? $callback : '(no callback)', '', 0];
		}
	}

	private static function expected(string $name, string $callback, string $file): bool {
		if ($file === '') {
			return $name === 'the_title' && $callback === 'trim'; // core's
		}
		if (self::own($file)) {
			return true;
		}
		return self::core($file) ? !preg_match(self::BORROWED, $callback) && !preg_match('/\A(tribe|tec)_/', $name) : self::known($file);
	}

	/** A file relative to ABSPATH; folders that lie elsewhere have the names of their usual places. */
	public static function relative(string $file): string {
		if ($file === '') {
			return '';
		}
		$file = wp_normalize_path((string) preg_replace('/\(\d+\) : .*\z/s', '', $file)); // eval'd code
		$home = wp_normalize_path(ABSPATH);
		$places = [ABSPATH . WPINC => WPINC, ABSPATH . 'wp-admin' => 'wp-admin', WPMU_PLUGIN_DIR => 'wp-content/mu-plugins', WP_PLUGIN_DIR => 'wp-content/plugins',
			get_theme_root() => 'wp-content/themes', WP_CONTENT_DIR => 'wp-content', ABSPATH => ''];
		foreach ($places as $folder => $usual) {
			$folder = wp_normalize_path(rtrim($folder, '/\\')) . '/';
			$name = strpos($folder, $home) === 0 ? substr($folder, strlen($home)) : $usual . '/';
			foreach ([$folder, wp_normalize_path((string) realpath($folder)) . '/'] as $start) {
				if (strlen($start) > 1 && strpos($file, $start) === 0) {
					return self::short(ltrim($name . substr($file, strlen($start)), '/'));
				}
			}
		}
		return self::short('(outside)/' . basename($file));
	}

	/** The text without control characters and without the part after NUL, the path in the name of an anonymous class. */
	private static function short(string $text): string {
		return substr((string) preg_replace('/[\x00-\x1f\x7f]/', '?', explode("\0", $text, 2)[0]), 0, self::MAX_TEXT);
	}
}

/** The registered shortcodes and blocks that calbridge can't render. */
final class Registered {
	private const MAX = 501; // names in a list: one more than calbridge accepts, so that it can tell that some are missing
	/** Shortcodes that calbridge handles unless a plugin has replaced them. */
	private const HANDLED = ['wp_caption', 'caption', 'gallery', 'playlist', 'audio', 'video', 'embed', 'tribe:event-details', 'tec_event_qr'];
	/** Block supports that change nothing when a block without callback is shown: the saved HTML has their effect. */
	private const SAVED = ['align', 'alignWide', 'anchor', 'className', 'customClassName', 'html', 'inserter', 'lock', 'multiple', 'renaming', 'reusable',
		'splitting'];

	public static function shortcodes(): array {
		$found = [];
		foreach ($GLOBALS['shortcode_tags'] ?? [] as $name => $callback) {
			if (!in_array((string) $name, self::HANDLED, true) || Hooks::foreign(Hooks::described($callback)[1])) {
				$found[] = (string) $name;
			}
		}
		return array_slice($found, 0, self::MAX);
	}

	/** Blocks that PHP renders, or whose saved HTML core may change. */
	public static function blocks(): array {
		$found = [];
		foreach (\WP_Block_Type_Registry::get_instance()->get_all_registered() as $name => $type) {
			if (strpos((string) $name, 'core/') !== 0 && ($type->is_dynamic() || array_diff(array_keys((array) $type->supports), self::SAVED))) {
				$found[] = (string) $name;
			}
		}
		return array_slice($found, 0, self::MAX);
	}
}

add_action('rest_api_init', [Facts::class, 'route']);
