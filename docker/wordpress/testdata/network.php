<?php
// Makes a network of an installed site, by WordPress's own functions, and the calendar active on all its sites.
// The first argument is the network's host.

define('WP_INSTALLING', true);
$host = $argv[1];

require getcwd() . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
update_option('siteurl', "http://$host");
update_option('home', "http://$host");
foreach ($wpdb->tables('ms_global') as $table => $name) {
	$wpdb->$table = $name;
}
install_network();
$made = populate_network(1, $host, 'admin@example.test', 'Network', '/', false);
if (is_wp_error($made) && $made->get_error_code() !== 'no_wildcard_dns') {
	exit($made->get_error_message());
}
// Before wp-config.php has MULTISITE, WordPress takes the options of a network for those of the site.
$wpdb->update($wpdb->sitemeta, ['meta_value' => serialize(['the-events-calendar/the-events-calendar.php' => 1])], ['meta_key' => 'active_sitewide_plugins']);
echo "network\n";
