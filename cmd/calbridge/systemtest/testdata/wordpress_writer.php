<?php
// Saves posts with WordPress's own functions: reads lines of JSON with id and title, and prints a line
// after each save. Its arguments are WordPress's folder, an empty one for wp-content, and the database:
// name, user, password, and host.

[, $wordpress, $content, $name, $user, $password, $host] = $argv;
foreach (['DB_NAME' => $name, 'DB_USER' => $user, 'DB_PASSWORD' => $password, 'DB_HOST' => $host, 'DB_CHARSET' => 'utf8mb4', 'DB_COLLATE' => '',
	'ABSPATH' => $wordpress . '/', 'WP_CONTENT_DIR' => $content, 'DISABLE_WP_CRON' => true, 'WP_HTTP_BLOCK_EXTERNAL' => true] as $constant => $value) {
	define($constant, $value);
}
$_SERVER += ['HTTP_HOST' => 'generated.example', 'REQUEST_URI' => '/', 'REQUEST_METHOD' => 'GET', 'SERVER_PROTOCOL' => 'HTTP/1.1'];
$table_prefix = 'wp_';
require ABSPATH . 'wp-settings.php';
register_post_type('tribe_events', ['public' => true]);

echo "ready\n";
while (($line = fgets(STDIN)) !== false) {
	['id' => $id, 'title' => $title] = json_decode($line, true);
	clean_post_cache($id); // other programs write, too
	$saved = wp_update_post(['ID' => $id, 'post_title' => $title], true);
	echo is_wp_error($saved) ? $saved->get_error_message() : 'saved', "\n";
}
