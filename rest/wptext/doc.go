// Package wptext turns stored WordPress text into the text WordPress would
// show, byte for byte: typographic quotes, paragraphs, smilies, titles,
// excerpts, slugs, escaping and the HTML filter applied to untrusted authors.
//
// Every function is pure: settings that WordPress would read from options or
// from a language file come in as arguments. All text is UTF-8, yet the
// functions work on bytes, as the byte-mode regular expressions of WordPress
// do; input that is not valid UTF-8 never panics. All functions need time
// linear in the length of their input.
//
// Behaviour follows WordPress 7.0.
package wptext
