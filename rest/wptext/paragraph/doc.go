// Package paragraph makes paragraphs and line breaks of text with line feeds, as
// WordPress's wpautop does.
//
//	autop.go    the steps in their order
//	blocks.go   steps around elements that make paragraphs of their own
//	breaks.go   steps for <br />
//	media.go    steps around select lists, objects, players and captions
//	tags.go     the elements that make paragraphs of their own
//	unautop.go  frees shortcodes from paragraphs again
//
// Text goes in, HTML comes out, whatever the site's settings. Of wptext's packages it may
// import markup and shortcode only.
package paragraph
