// Package media shows pictures, sound, films and what other sites offer to embed.
//
//	media.go       executes all shortcodes of a text
//	caption.go     [caption]
//	gallery.go     [gallery]; the files and posts that galleries refer to
//	players.go     [audio], [video], [playlist]
//	embed.go       [embed]; how the HTML that WordPress stored is looked up
//	embed_urls.go  URLs that stand alone
//	image_tags.go  completes the image and frame tags of a text
//	size.go        the file of a named size; a whole tag
//	srcset.go      the other files of the same shape
//	object.go      the field "image" of a response
//
// Its input is a text, the site's settings and what was found for the text: attachments and stored
// HTML. It returns HTML or a PHP value, and fetches nothing. RequestState counts players and
// galleries and records whether an important picture was seen. Of wptext's packages it imports
// neither content nor blocks.
package media
