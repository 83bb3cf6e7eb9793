<?php
/**
 * Plugin Name: calbridge companion: code
 * Description: Reports to calbridge when WordPress's code or its data files change, and which code reads visitor data. Needs calbridge-companion-facts.php.
 * Version: 3
 * Requires at least: 6.1
 * Requires PHP: 7.4
 *
 * Copy this file to wp-content/mu-plugins/ next to calbridge-companion-facts.php, which sends the report.
 */

declare(strict_types=1);

namespace Calbridge\Companion;

defined('ABSPATH') || exit;

/** Fingerprints of the running code: of files by name, size and times, and of hooks by their callbacks. */
final class Code {
	private const MAX_FILES = 60000; // and folders
	private const MAX_TIME = 4.0;    // seconds; calbridge waits for 10
	/** Files that determine what runs: code, and files that code reads. */
	public const TYPES = '/\.(php\d?|phtml|inc|json|mo|html|twig|tpl|ini|xml|ya?ml)\z/i';
	private const SKIPPED = ['.git', '.svn', 'node_modules'];
	/** Hooks that affect the calendar's routes, in addition to those that calbridge names. */
	public const HOOKS = '/\A(tribe_rest_|tribe_events_archive_|tec_rest_|rest_)/';

	private static $files = 0;       // and folders, scanned so far
	private static $until = 0.0;     // Unix time at which the scan stops
	private static $visited = [];    // real paths of folders
	private static $scripts = [];    // PHP files, in the order of the scan
	private static $incomplete = ''; // why
	private static $fresh = 0; // Unix time since which a file counts as just changed

	/** The PHP files that the last scan found. */
	public static function scripts(): array {
		return self::$scripts;
	}

	/** Why the last scan stopped early; '' if it was complete. */
	public static function incomplete(): string {
		return self::$incomplete;
	}

	/**
	 * Fingerprints by part: "plugins/x", "mu-plugins/x.php", "themes/x", "hook x", "data file x". Null if the scan had to stop; see incomplete().
	 *
	 * PHP may run an old version of a file until opcache checks again, and two changes within a second have the same
	 * time. So a file that has just changed counts as changed once more a little later.
	 */
	public static function parts(array $names, float $seconds = self::MAX_TIME): ?array {
		clearstatcache(true);
		self::$files = 0;
		self::$visited = [];
		self::$scripts = [];
		self::$incomplete = '';
		self::$until = microtime(true) + $seconds;
		self::$fresh = time() - max(2, (int) ini_get('opcache.revalidate_freq')) - 1;
		$parts = ['php' => self::hash([self::php()])];
		$roots = self::roots();
		foreach ($roots as $part => $root) {
			$parts[$part] = self::hash(self::lines($root));
		}
		$parts['other files'] = self::hash(self::others($roots));
		foreach (self::hooks($names) as $part => $lines) {
			$parts[$part] = self::hash($lines);
		}
		foreach (self::stops() ? [] : DataFiles::on($names) as $name => $lines) {
			$parts['data file ' . $name] = self::hash($lines);
		}
		return self::stops() ? null : $parts;
	}

	/** True if the scan has to stop; its results are then not used. */
	private static function stops(): bool {
		if (self::$incomplete === '' && self::$files > self::MAX_FILES) {
			self::$incomplete = 'there are more than ' . self::MAX_FILES . ' files and folders';
		}
		if (self::$incomplete === '' && microtime(true) > self::$until) {
			self::$incomplete = 'the scan of ' . self::$files . ' files and folders has taken too long';
		}
		return self::$incomplete !== '';
	}

	private static function hash(array $lines): string {
		sort($lines, SORT_STRING);
		return substr(hash('sha256', implode("\n", $lines)), 0, 32);
	}

	/** If opcache never rechecks files, code changes only when opcache restarts. */
	private static function php(): string {
		$says = PHP_VERSION . ' ' . $GLOBALS['wp_version'];
		if (function_exists('opcache_get_status') && ini_get('opcache.enable') && !ini_get('opcache.validate_timestamps')) {
			$of = (@opcache_get_status(false) ?: [])['opcache_statistics'] ?? [];
			$says .= ' ' . ($of['start_time'] ?? '') . ' ' . ($of['last_restart_time'] ?? '');
		}
		return $says;
	}

	/** Files and folders by part. */
	private static function roots(): array {
		$roots = [];
		foreach (array_merge(is_multisite() ? wp_get_active_network_plugins() : [], wp_get_active_and_valid_plugins()) as $file) {
			$name = plugin_basename($file);
			$roots['plugins/' . (strstr($name, '/', true) ?: $name)] = strpos($name, '/') === false ? $file : dirname($file);
		}
		foreach (self::names(WPMU_PLUGIN_DIR) as $name) {
			$roots['mu-plugins/' . $name] = WPMU_PLUGIN_DIR . '/' . $name;
		}
		foreach ([get_template_directory(), get_stylesheet_directory()] as $folder) {
			$roots['themes/' . basename($folder)] = $folder;
		}
		foreach (self::names(WP_CONTENT_DIR) as $name) {
			if (preg_match('/\.php\z|snippet/i', $name)) { // drop-ins, and where plugins store snippets as files
				$roots['wp-content/' . $name] = WP_CONTENT_DIR . '/' . $name;
			}
		}
		$roots['wp-config.php'] = file_exists(ABSPATH . 'wp-config.php') ? ABSPATH . 'wp-config.php' : dirname(ABSPATH) . '/wp-config.php';
		foreach (['version.php', 'plugin.php', 'rest-api.php'] as $name) {
			$roots[WPINC . '/' . $name] = ABSPATH . WPINC . '/' . $name;
		}
		return $roots;
	}

	private static function names(string $folder): array {
		return is_dir($folder) ? array_diff(scandir($folder) ?: [], ['.', '..']) : [];
	}

	/**
	 * A line for each file that is a root or below one. A folder that is also the target of links is visited once, by its first name;
	 * the lines of the links contain their target.
	 */
	private static function lines(string $root): array {
		if (!is_dir($root)) {
			return file_exists($root) ? [self::line($root)] : [];
		}
		$lines = [];
		$folders = [$root];
		while ($folders !== [] && !self::stops()) {
			$folder = array_pop($folders);
			self::$files++;
			$real = (string) realpath($folder);
			$names = isset(self::$visited[$real]) ? [] : @scandir($folder);
			$lines[] = $folder . ' ' . $real . ($names === false ? ' unreadable' : '');
			self::$visited[$real] = true;
			foreach ($names ?: [] as $name) {
				$path = $folder . '/' . $name;
				if ($name === '.' || $name === '..' || in_array($name, self::SKIPPED, true)) {
					continue;
				}
				if (is_dir($path)) {
					$folders[] = $path;
				} elseif (preg_match(self::TYPES, $name)) {
					$lines[] = self::line($path);
					if (self::stops()) {
						break;
					}
				}
			}
		}
		return $lines;
	}

	private static function line(string $file): string {
		self::$files++;
		if (substr($file, -4) === '.php') {
			self::$scripts[] = $file;
		}
		return self::stated($file);
	}

	/** A file by name, size and times. */
	public static function stated(string $file): string {
		$of = @stat($file) ?: ['size' => -1, 'mtime' => 0, 'ctime' => 0];
		return implode(' ', [$file, $of['size'], $of['mtime'], $of['ctime']]) . (max($of['mtime'], $of['ctime']) >= self::$fresh ? ' just now' : '');
	}

	/** Files elsewhere that this request has run, except WordPress's own and caches. */
	private static function others(array $roots): array {
		$known = [ABSPATH . WPINC, ABSPATH . 'wp-admin', WP_PLUGIN_DIR];
		$starts = array_map(static fn(string $root): string => rtrim((string) realpath($root), '/\\'), array_merge(array_values($roots), $known));
		$lines = [];
		foreach (get_included_files() as $file) {
			$below = static fn(string $start): bool => $start !== '' && ($file === $start || strpos($file, $start . DIRECTORY_SEPARATOR) === 0);
			if (strpos($file, '/cache/') === false && array_filter($starts, $below) === []) {
				$lines[] = self::line($file);
			}
		}
		return $lines;
	}

	/** The callbacks on hooks, a line for each, by part. */
	private static function hooks(array $names): array {
		$found = [];
		$family = preg_grep(self::HOOKS, array_map('strval', array_keys($GLOBALS['wp_filter'])));
		foreach (array_unique(array_merge($names, $family)) as $name) {
			$hook = $GLOBALS['wp_filter'][$name] ?? null;
			foreach ($hook instanceof \WP_Hook ? $hook->callbacks : [] as $priority => $callbacks) {
				foreach ($callbacks as $callback) {
					$found[in_array($name, $names, true) ? 'hook ' . $name : 'other hooks'][] =
						$name . ' ' . $priority . ' ' . implode(' ', Hooks::described($callback['function'] ?? null)) . ' ' . ($callback['accepted_args'] ?? '');
				}
			}
		}
		return $found;
	}
}

/**
 * Data files that hooked code names: a plugin may decide by them who sees an event, and no row changes when they do.
 *
 * A file counts if a literal in the PHP of a plugin or theme with a callback names it, relative to one of the usual folders: the uploads, wp-content,
 * WordPress itself, and the folders of the code. Names that the code puts together from variables aren't found.
 */
final class DataFiles {
	private const MAX = 200;            // files in a report
	private const MAX_SCRIPTS = 4194304; // bytes of PHP that are read
	private const MAX_HASHED = 65536;   // bytes of a file that counts by its content; larger ones count by size and times
	private const MAX_FOLDER = 1000;    // entries of a folder
	private const TYPE = '\.(?:json|jsonl|csv|tsv|txt|ya?ml|xml|ini|dat|lst|list|neon|toml|ser|php)';
	/** Words that a PHP file has to contain to be parsed. */
	private const MARKS = '/\.(?:json|jsonl|csv|tsv|txt|ya?ml|xml|ini|dat|lst|list|neon|toml|ser)\b|uploads|upload_dir|WP_CONTENT_DIR/i';
	/** Files that code fills by itself. */
	private const NOISE = '~(?:^|[-_./])(?:logs?|debug|errors?|caches?|te?mp|transients?|sessions?|locks?|backups?)(?:[-_./]|$)~i';

	/** Lines that change with the files, by the file's name. */
	public static function on(array $names): array {
		$found = [];
		foreach (self::paths($names) as $path) {
			if (count($found) >= self::MAX) {
				break;
			}
			$size = (int) @filesize($path);
			$found[(string) preg_replace('/[^\x20-\x7e]/', '?', Hooks::relative($path))][] = $size <= self::MAX_HASHED ? hash('sha256', (string) @file_get_contents($path)) : Code::stated($path);
		}
		return $found;
	}

	/** The existing files that hooked code names, sorted. */
	private static function paths(array $names): array {
		$uploads = wp_get_upload_dir();
		$usual = [(string) $uploads['basedir'], WP_CONTENT_DIR, ABSPATH, dirname(ABSPATH), ''];
		$paths = [];
		$left = self::MAX_SCRIPTS;
		foreach (self::scripts($names) as $script => $root) {
			$left -= (int) @filesize($script);
			$code = $left > 0 ? (string) @file_get_contents($script) : '';
			if (!preg_match(self::MARKS, $code)) {
				continue;
			}
			foreach (self::literals($code) as $literal) {
				foreach (array_unique(array_merge($usual, [dirname($script), $root])) as $folder) { // '' is for absolute names
					foreach (self::files($folder, $literal) as $path) {
						$paths[$path] = true;
					}
				}
			}
		}
		$paths = array_map('strval', array_keys($paths));
		sort($paths, SORT_STRING);
		return $paths;
	}

	/** The PHP files of plugins and themes with callbacks, and their folder. */
	private static function scripts(array $names): array {
		$folders = [];
		$family = preg_grep(Code::HOOKS, array_map('strval', array_keys($GLOBALS['wp_filter'])));
		$output = preg_grep(Visitors::FAMILIES, array_map('strval', array_keys($GLOBALS['wp_filter'])));
		foreach (array_unique(array_merge($names, $family, $output)) as $name) {
			$hook = $GLOBALS['wp_filter'][$name] ?? null;
			foreach ($hook instanceof \WP_Hook ? $hook->callbacks : [] as $callbacks) {
				foreach ($callbacks as $callback) {
					$file = preg_replace('/\(\d+\) : .*\z/s', '', Hooks::described($callback['function'] ?? null)[1]); // eval'd code
					if ($file !== '' && Hooks::foreign($file)) {
						$folders[self::folder($file)] = true;
					}
				}
			}
		}
		$scripts = [];
		foreach (Code::scripts() as $script) {
			$real = wp_normalize_path((string) realpath($script));
			foreach (array_keys($folders) as $folder) {
				if (($real === $folder || strpos($real, $folder . '/') === 0) && Hooks::foreign($script) && !preg_match('~/(vendor|languages|tests?)/~', substr($real, strlen($folder)))) {
					$scripts[$script] = $folder;
				}
			}
		}
		uksort($scripts, static fn(string $a, string $b): int => [substr_count($a, '/'), $a] <=> [substr_count($b, '/'), $b]);
		return $scripts;
	}

	/** The folder of the plugin or theme that a file belongs to; a plugin of one file is that file. */
	private static function folder(string $file): string {
		$file = wp_normalize_path((string) realpath($file));
		foreach ([WP_PLUGIN_DIR, get_theme_root(), WPMU_PLUGIN_DIR] as $folder) {
			$start = self::start($folder);
			if ($start !== '' && strpos($file, $start) === 0) {
				$name = strstr(substr($file, strlen($start)), '/', true);
				if ($name === false) {
					return $folder === WPMU_PLUGIN_DIR ? rtrim($start, '/') : $file;
				}
				return $start . $name;
			}
		}
		return $file;
	}

	/** The parts of literals that may be names of files or folders. */
	private static function literals(string $code): array {
		$literals = [];
		foreach (function_exists('token_get_all') ? token_get_all($code) : [] as $token) {
			if (is_array($token) && in_array($token[0], [T_CONSTANT_ENCAPSED_STRING, T_ENCAPSED_AND_WHITESPACE], true)) {
				$text = trim($token[1], '\'"');
				if (preg_match('~\A[\w./* -]*\w[\w./* -]*\z~', $text) && preg_match('~' . self::TYPE . '\z|/~i', $text) && strlen($text) < 200) {
					$literals[$text] = true;
				}
			}
		}
		return array_map('strval', array_keys($literals));
	}

	/** The data files that a literal names in a folder: a file, those that match a pattern, or those directly in a folder. */
	private static function files(string $folder, string $literal): array {
		$path = $folder === '' ? $literal : rtrim($folder, '/') . '/' . ltrim($literal, '/');
		if ($path === '' || $path[0] !== '/' && !preg_match('~\A[A-Za-z]:[/\\\\]~', $path)) {
			return [];
		}
		if (strpos($literal, '*') !== false) {
			$paths = @glob($path) ?: [];
		} elseif (preg_match('~' . self::TYPE . '\z~i', $literal)) {
			$paths = [$path];
		} else {
			$names = $folder !== '' && @is_dir($path) ? @scandir($path) ?: [] : [];
			$paths = count($names) > self::MAX_FOLDER ? [] : array_map(static fn(string $name): string => rtrim($path, '/') . '/' . $name, $names);
		}
		$good = static function (string $file): bool {
			return preg_match('~' . self::TYPE . '\z~i', $file) && @is_file($file) && !preg_match(self::NOISE, Hooks::relative($file)) && !self::scanned($file);
		};
		return array_filter(array_map(static fn(string $file): string => wp_normalize_path((string) @realpath($file)), array_slice($paths, 0, self::MAX_FOLDER)), $good);
	}

	/** Whether a file is part of the code, whose fingerprint covers it. */
	private static function scanned(string $file): bool {
		foreach ([WP_PLUGIN_DIR, WPMU_PLUGIN_DIR, get_theme_root(), ABSPATH . WPINC, ABSPATH . 'wp-admin'] as $folder) {
			$start = self::start($folder);
			if ($start !== '' && strpos($file, $start) === 0) {
				return preg_match(Code::TYPES, $file) === 1;
			}
		}
		return substr($file, -4) === '.php' && in_array(dirname($file) . '/', [self::start(ABSPATH), self::start(WP_CONTENT_DIR)], true);
	}

	/** What the names of a folder's files begin with; '' if there is no such folder. */
	private static function start(string $folder): string {
		$real = realpath($folder);
		return $real === false ? '' : rtrim(wp_normalize_path($real), '/') . '/';
	}
}

/** Callbacks whose results may depend on the visitor, because their file reads visitor data. */
final class Visitors {
	private const MAX = 501;            // callbacks in a report: one more than calbridge accepts, so that it can tell that some are missing
	private const MAX_FILE = 4194304;   // bytes of a file that is scanned
	private const NAMESPACES = ['tribe/events/v1', 'calendar/events/v1'];
	/** Hooks that run in each request before the answer is made, besides those that calbridge names. */
	private const EARLY = ['muplugins_loaded', 'plugins_loaded', 'setup_theme', 'after_setup_theme', 'set_current_user', 'init', 'wp_loaded', 'parse_request', 'request',
		'query_vars', 'send_headers', 'wp', 'template_redirect', 'http_origin', 'allowed_http_origin', 'allowed_http_origins', 'determine_current_user', 'query'];
	/** Families of hooks of the REST API, of queries, and of the output of posts and terms. */
	public const FAMILIES = '/\A(rest_|tec_rest_|tribe_rest_|tribe_events_archive_|tribe_repository_|tribe_query_|tribe_get_|tribe_json_ld|posts_|pre_get_|get_terms|terms_|get_post|get_the_|the_|render_block|wp_get_attachment|option_|pre_option_|post_type_link|term_link)/';
	/** Words that a file has to contain, in any letter case, to be parsed. */
	private const MARKS = '/_SERVER|HTTP_|REMOTE_|GEOIP_|INPUT_SERVER|get_?all_?headers|apache_request_headers|get_headers?\b|wp_is_mobile|get_browser|referer|http_origin|accept_from_http|\$is_/i';
	/** Variables of PHP that identify the visitor. */
	private const VARIABLES = '/(?<![A-Za-z0-9_])(?:HTTP_[A-Z0-9_]*|REMOTE_[A-Z0-9_]+|GEOIP_[A-Z0-9_]+)(?![A-Za-z0-9_])/';
	/** Functions that read them. */
	private const FUNCTIONS = ['getallheaders' => '*', 'apache_request_headers' => '*', 'wp_is_mobile' => 'HTTP_USER_AGENT', 'get_browser' => 'HTTP_USER_AGENT',
		'wp_get_referer' => 'HTTP_REFERER', 'wp_get_raw_referer' => 'HTTP_REFERER', 'get_http_origin' => 'HTTP_ORIGIN', 'is_allowed_http_origin' => 'HTTP_ORIGIN',
		'locale_accept_from_http' => 'HTTP_ACCEPT_LANGUAGE'];
	/** WordPress's variables that identify the browser. */
	private const BROWSERS = '/\A\$is_(lynx|gecko|winIE|macIE|opera|NS4|safari|chrome|iphone|edge|IE)\z/';

	/** The callbacks, each with the variables that its file reads; "*" where it may read any. */
	public static function on(array $names): array {
		$found = [];
		foreach (self::callbacks($names) as [$name, $callback, $priority]) {
			[$what, $file, $line] = Hooks::described($callback);
			if (!Hooks::foreign($file)) {
				continue;
			}
			$reads = [];
			foreach (array_unique(array_merge([$file], self::declared($callback))) as $each) {
				$reads = array_merge($reads, self::reads($each));
			}
			if ($reads !== []) {
				sort($reads, SORT_STRING);
				$found[] = Hooks::entry($name, $what, $file, $line, $priority) + ['reads' => array_values(array_unique($reads))];
			}
		}
		return array_slice($found, 0, self::MAX);
	}

	/** Callbacks with the name of their hook, or route, and their priority. */
	private static function callbacks(array $names): array {
		$all = [];
		$family = preg_grep(self::FAMILIES, array_map('strval', array_keys($GLOBALS['wp_filter'])));
		foreach (array_unique(array_merge($names, self::EARLY, $family)) as $name) {
			$hook = $GLOBALS['wp_filter'][$name] ?? null;
			foreach ($hook instanceof \WP_Hook ? $hook->callbacks : [] as $priority => $callbacks) {
				foreach ($callbacks as $callback) {
					$all[] = [$name, $callback['function'] ?? null, (int) $priority];
				}
			}
		}
		foreach (rest_get_server()->get_routes() as $route => $handlers) {
			$ours = array_filter(self::NAMESPACES, static fn(string $namespace): bool => strpos($route . '/', "/$namespace/") === 0);
			foreach ($ours === [] ? [] : $handlers as $handler) {
				foreach (['callback', 'permission_callback'] as $kind) {
					if (isset($handler[$kind])) {
						$all[] = ["route $route", $handler[$kind], 0];
					}
				}
			}
		}
		return $all;
	}

	/** The file of a method that a class inherits or gets from a trait. */
	private static function declared($callback): array {
		if (is_string($callback) && strpos($callback, '::') !== false) {
			$callback = explode('::', $callback, 2);
		}
		try {
			if ($callback instanceof \Closure || is_string($callback)) {
				return [];
			}
			[$owner, $method] = is_array($callback) ? array_values($callback) + [null, ''] : [$callback, '__invoke'];
			$file = (string) (new \ReflectionMethod($owner, $method))->getFileName();
			return Hooks::foreign($file) ? [$file] : [];
		} catch (\ReflectionException $e) {
			return [];
		}
	}

	/** The variables that a file reads. */
	private static function reads(string $file): array {
		static $known = [];
		if (!isset($known[$file])) {
			$code = strpos($file, "eval()'d code") === false ? @file_get_contents($file, false, null, 0, self::MAX_FILE + 1) : false;
			$known[$file] = $code === false || strlen($code) > self::MAX_FILE ? ['*'] : self::named($code);
		}
		return $known[$file];
	}

	/** The variables that code names, outside comments. */
	private static function named(string $code): array {
		if (!preg_match(self::MARKS, $code)) {
			return [];
		}
		if (!function_exists('token_get_all')) {
			return ['*'];
		}
		$tokens = [];
		foreach (token_get_all($code) as $token) {
			[$kind, $text] = is_array($token) ? $token : [0, $token];
			if (!in_array($kind, [T_WHITESPACE, T_COMMENT, T_DOC_COMMENT, T_INLINE_HTML], true)) {
				$tokens[] = [$kind, $text];
			}
		}
		$reads = [];
		foreach ($tokens as $i => [$kind, $text]) {
			$read = self::read($tokens, $i, $kind, $text);
			$reads = array_merge($reads, $read);
		}
		return array_unique($reads);
	}

	/** The variables that one token stands for. */
	private static function read(array $tokens, int $i, int $kind, string $text): array {
		$at = static fn(int $n): array => $tokens[$i + $n] ?? [0, ''];
		$literal = static fn(int $n): bool => $at($n)[0] === T_CONSTANT_ENCAPSED_STRING;
		switch (true) {
			case $kind === T_CONSTANT_ENCAPSED_STRING || $kind === T_ENCAPSED_AND_WHITESPACE:
				preg_match_all(self::VARIABLES, $text, $found);
				$named = array_map(static fn(string $name): string => $name === 'HTTP_' ? '*' : $name, $found[0]);
				return trim($text, '\'"') === '_SERVER' ? ['*'] : $named;
			case $text === '$_SERVER':
				if ($at(1)[1] !== '[') {
					return ['*'];
				}
				if ($at(2)[0] === T_STRING) { // inside of a text
					return preg_match(self::VARIABLES, $at(2)[1]) ? [$at(2)[1]] : [];
				}
				return $literal(2) && $at(3)[1] === ']' ? [] : ['*'];
			case $text === 'INPUT_SERVER':
				return $at(1)[1] === ',' && $literal(2) ? [] : ['*'];
			case $kind === T_VARIABLE && preg_match(self::BROWSERS, $text) === 1:
				return ['HTTP_USER_AGENT'];
			case $at(1)[1] !== '(':
				return [];
		}
		$name = strtolower(ltrim($text, '\\'));
		$method = in_array($at(-1)[1], ['->', '?->'], true);
		if ($method && in_array($name, ['get_header', 'get_header_as_array'], true)) {
			$header = preg_replace('/[^A-Z0-9]/', '_', strtoupper(trim($at(2)[1], '\'"')));
			return $literal(2) && $at(3)[1] === ')' ? ['HTTP_' . $header] : ['*'];
		}
		if ($method && $name === 'get_headers') {
			return ['*'];
		}
		return $method || !isset(self::FUNCTIONS[$name]) ? [] : [self::FUNCTIONS[$name]];
	}
}
