// Package notice carries word of changed rows between calbridge and WordPress.
//
// A write by SQL passes by WordPress's object cache, by page caches and by plugins
// that hook on saving. After each committed write a [Client] tells the companion
// plugin (docker/wordpress/calbridge-companion.php) which posts, terms, users and
// options changed, and the plugin makes WordPress forget them. The other way, the
// plugin tells a [Handler] what a request to WordPress changed.
//
// A message is a POST of JSON with three headers: the Unix time, a random nonce and
// the HMAC-SHA256 of purpose, time, nonce and body under a shared secret. A receiver
// refuses what is older or newer than a few minutes and what it has seen before.
// Notices name rows and never carry their content, so that a lost, repeated or late
// one can cost time but cannot make a wrong value appear.
package notice
