// Package wptext and the packages below it turn stored WordPress text into the text that
// WordPress shows, byte for byte, and sent text into the text that WordPress stores.
// Behaviour follows WordPress 7.0. Tables and traits (package trait)
// have what other releases do.
//
// This package holds what all renderers share: the settings of a [Site] and its [Theme]
// (site.go, theme.go, uploads.go), the [Resources] found in the database for a set of texts
// (resources.go) and the [RequestState] of an answer (state.go).
//
// The packages, from the top; each imports only those below it:
//
//	content      whole texts: description, excerpt, JSON-LD; what they refer to
//	blocks       the blocks of the block editor as HTML
//	media        pictures, sound, films, embedded URLs; the field "image"
//	kses         the HTML filter for authors without unfiltered_html
//	paragraph    paragraphs and line breaks (wpautop)
//	wptext       this package
//	typography   quotes, dashes, smilies, titles; the strings of a language
//	blockparse   block comments: finding, reading, attributes
//	shortcode    shortcodes: finding, attributes, executing
//	sanitize     plain text, slugs, accents, e-mail addresses
//	escape       text inside HTML, attributes, scripts; URLs; entities
//	markup       HTML tokens, tags and attributes; character classes, searches, replacements
//
// A description goes through them like this:
//
//	content.Render(post_content, site, resources, state)
//	  shortcode.Foreign      counts the shortcodes of other plugins
//	  media.ExpandEmbeds     [embed] and lone URLs → stored HTML, media shortcodes
//	  blocks.Render          block comments → HTML
//	  typography.Texturize   quotes, dashes
//	  paragraph.Autop, .ShortcodeUnautop
//	  media.Shortcodes       [caption] [gallery] [audio] [video] [playlist]
//	  media.CompleteTags     sizes, srcset, lazy loading
//	  typography.Smilies
//
// Settings that WordPress reads from options or a language file are arguments; nothing
// here reads a database, a clock or a file. All text is UTF-8, yet the functions work on
// bytes, as WordPress's byte-mode regular expressions do; invalid UTF-8 never panics. All
// functions take time linear in the length of their input.
//
// This package imports typography, for the strings of a language, escape, trait and
// wpstore/php. None of the packages may import rest or wpstore beyond trait and the values
// of PHP (wpstore/php, wpstore/phpserial, rest/phpjson).
package wptext
