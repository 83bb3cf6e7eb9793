// Package media renders the shortcodes that show files: media.go executes all
// shortcodes of a text, caption.go, gallery.go and players.go render one each,
// and gallery.go says which files and posts galleries refer to.
//
// What comes in is text, the site's settings and the files found for it; HTML comes
// out, and RequestState counts players and galleries. Of wptext's packages it may
// import neither content nor blocks nor embed.
package media
