<?php
// Makes the tables and the first rows of a site, by WordPress's own functions.

define('WP_INSTALLING', true);

function wp_new_blog_notification() { // no mail
}

require getcwd() . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Test', 'admin', 'admin@example.test', true, '', 'password');
echo "installed\n";
