<?php
/**
 * Plugin Name: calbridge companion: code
 * Description: Tells calbridge when the code changes that WordPress runs. Belongs to calbridge-companion-facts.php.
 * Version: 1
 * Requires at least: 6.1
 * Requires PHP: 7.4
 *
 * Copy this file to wp-content/mu-plugins/ beside calbridge-companion-facts.php, which reports what is found here.
 */

declare(strict_types=1);

namespace Calbridge\Companion;

defined('ABSPATH') || exit;

/** Fingerprints of the code that runs: of files by name, size and times, and of hooks by their callbacks. */
final class Code {
	private const MAX_FILES = 60000; // and folders
	private const MAX_TIME = 4.0;    // seconds; calbridge waits for 10
	/** Files that decide what runs: code, and what code reads. */
	private const TYPES = '/\.(php\d?|phtml|inc|json|mo|html|twig|tpl|ini|xml|ya?ml)\z/i';
	private const SKIPPED = ['.git', '.svn', 'node_modules'];
	/** Hooks that bear on the calendar's routes, besides those that calbridge names. */
	private const HOOKS = '/\A(tribe_rest_|tribe_events_archive_|tec_rest_|rest_)/';

	private static $files = 0;       // and folders, looked at so far
	private static $until = 0.0;     // Unix time at which the scan stops
	private static $visited = [];    // real paths of folders
	private static $incomplete = ''; // why
	private static $fresh = 0; // Unix time since which a file counts as just changed

	/** Why the last scan has stopped before its end; '' if it has not. */
	public static function incomplete(): string {
		return self::$incomplete;
	}

	/**
	 * Fingerprints by part: "plugins/x", "mu-plugins/x.php", "themes/x", "hook x". Null: the scan had to stop, see incomplete().
	 *
	 * PHP may run an old version of a file until opcache looks again, and two changes within a second have the same
	 * time. So a file that has just changed counts as another one a little later.
	 */
	public static function parts(array $names, float $seconds = self::MAX_TIME): ?array {
		clearstatcache(true);
		self::$files = 0;
		self::$visited = [];
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
		return self::stops() ? null : $parts;
	}

	/** True when the scan has to stop: what it has found says nothing then. */
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

	/** Where opcache never looks at files again, code changes when it starts anew. */
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
	 * A line for each file that is, or is below, a root. A folder that links lead to as well is visited once, by the first name; the
	 * lines of the others say where they lead.
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
		$of = @stat($file) ?: ['size' => -1, 'mtime' => 0, 'ctime' => 0];
		return implode(' ', [$file, $of['size'], $of['mtime'], $of['ctime']]) . (max($of['mtime'], $of['ctime']) >= self::$fresh ? ' just now' : '');
	}

	/** Files that this request has run and that lie elsewhere, but for WordPress's own and for caches. */
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
