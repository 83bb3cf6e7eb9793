// Package wptext and the packages below it turn stored WordPress text into the
// text that WordPress would show, byte for byte, and sent text into the text that
// WordPress would store. Behaviour follows WordPress 7.0.
//
// This package holds the facts that all renderers know: the [Site] with its
// [Theme] (site.go), what was found in the database for a set of texts, the
// [Resources] with each [Attachment] (resources.go, uploads.go), and what
// rendering remembers within one answer, the [RequestState] (state.go).
//
// The packages, from the top; each imports only what stands below it:
//
//	content      whole texts: description, excerpt, JSON-LD; what they refer to
//	blocks       the blocks of the block editor as HTML
//	media        the shortcodes that show pictures, sound and films
//	embed        URLs that embed something from another site
//	images       pictures of the media library: sizes, tags, the field "image"
//	kses         the HTML filter for authors who are not trusted
//	paragraph    paragraphs and line breaks (wpautop)
//	wptext       this package
//	typography   quotes, dashes, smilies, titles; the strings of a language
//	blockparse   block comments: finding, reading, attributes
//	shortcode    shortcodes: finding, attributes, executing
//	sanitize     plain text, slugs, accents, e-mail addresses
//	markup       HTML tokens, tags and their attributes
//	escape       text inside HTML, attributes, scripts; URLs; entities
//	scan         bytes: character classes, searches, replacements
//
// A description goes through them like this:
//
//	content.Render(post_content, site, resources, state)
//	  shortcode.NoteForeign  counts the shortcodes of other plugins
//	  embed.Expand           [embed] and lone URLs → stored HTML, media shortcodes
//	  blocks.Render          block comments → HTML
//	  typography.Texturize   quotes, dashes
//	  paragraph.Autop, .ShortcodeUnautop
//	  media.Shortcodes       [caption] [gallery] [audio] [video] [playlist]
//	  images.CompleteTags    sizes, srcset, lazy loading
//	  typography.Smilies
//
// Settings that WordPress would read from options or from a language file come
// in as arguments; nothing here reads a database, a clock or a file. All text is
// UTF-8, yet the functions work on bytes, as the byte-mode regular expressions of
// WordPress do; input that is not valid UTF-8 never panics. All functions need
// time linear in the length of their input.
//
// This package imports typography, for the strings of a language, and wpstore/php;
// nothing else of this module. None of the packages may import rest or wpstore
// beyond the values of PHP (wpstore/php, wpstore/phpserial, rest/phpjson).
package wptext
