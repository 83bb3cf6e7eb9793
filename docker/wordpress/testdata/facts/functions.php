<?php
add_theme_support('html5', ['caption', 'gallery']);
$GLOBALS['content_width'] = 584;
add_filter('excerpt_length', function ($words) {
	return $words;
}, 999);
