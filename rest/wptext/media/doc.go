// Package media renders the shortcodes that show files.
//
//	media.go    executes all shortcodes of a text
//	caption.go  [caption]
//	gallery.go  [gallery]; the files and posts that galleries refer to
//	players.go  [audio], [video], [playlist]
//
// Text, the site's settings and the files found for it come in, HTML comes out;
// RequestState counts players and galleries. Of wptext's packages it may import
// neither content nor blocks nor embed.
package media
