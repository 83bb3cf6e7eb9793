<?php
// A persistent object cache for tests: one file for each key, nothing more.

function calbridge_test_cache_file($key, $group): string {
	return WP_CONTENT_DIR . '/cached/' . md5(($group ?: 'default') . "\n" . $key);
}

function calbridge_test_cache_passing($group, $add = []): bool {
	static $groups = [];
	$groups += array_fill_keys((array) $add, true);
	return isset($groups[$group ?: 'default']);
}

function &calbridge_test_cache_memory(): array {
	static $memory = [];
	return $memory;
}

function wp_cache_init() {
	wp_using_ext_object_cache(true);
}

function wp_cache_get($key, $group = '', $force = false, &$found = null) {
	$file = calbridge_test_cache_file($key, $group);
	if (calbridge_test_cache_passing($group)) {
		$text = calbridge_test_cache_memory()[$file] ?? false;
	} else {
		$text = @file_get_contents($file);
	}
	$entry = is_string($text) ? @unserialize($text) : false;
	$found = is_array($entry) && ($entry['until'] === 0 || $entry['until'] > time());
	return $found ? $entry['value'] : false;
}

function wp_cache_set($key, $value, $group = '', $expire = 0) {
	$file = calbridge_test_cache_file($key, $group);
	$text = serialize(['value' => $value, 'until' => $expire > 0 ? time() + (int) $expire : 0]);
	if (calbridge_test_cache_passing($group)) {
		$memory = &calbridge_test_cache_memory();
		$memory[$file] = $text;
		return true;
	}
	file_put_contents($file . getmypid(), $text);
	return rename($file . getmypid(), $file);
}

function wp_cache_add($key, $value, $group = '', $expire = 0) {
	wp_cache_get($key, $group, false, $found);
	return !$found && !wp_suspend_cache_addition() && wp_cache_set($key, $value, $group, $expire);
}

function wp_cache_replace($key, $value, $group = '', $expire = 0) {
	wp_cache_get($key, $group, false, $found);
	return $found && wp_cache_set($key, $value, $group, $expire);
}

function wp_cache_delete($key, $group = '') {
	$file = calbridge_test_cache_file($key, $group);
	$memory = &calbridge_test_cache_memory();
	unset($memory[$file]);
	return @unlink($file);
}

function wp_cache_incr($key, $offset = 1, $group = '') {
	$value = wp_cache_get($key, $group, false, $found);
	return $found && wp_cache_set($key, max(0, (int) $value + $offset), $group) ? max(0, (int) $value + $offset) : false;
}

function wp_cache_decr($key, $offset = 1, $group = '') {
	return wp_cache_incr($key, -$offset, $group);
}

function wp_cache_flush() {
	$memory = &calbridge_test_cache_memory();
	$memory = [];
	array_map('unlink', glob(WP_CONTENT_DIR . '/cached/*') ?: []);
	return true;
}

function wp_cache_close() {
	return true;
}

function wp_cache_add_global_groups($groups) {
}

function wp_cache_add_non_persistent_groups($groups) {
	calbridge_test_cache_passing('', $groups);
}
