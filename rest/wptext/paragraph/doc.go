// Package paragraph makes paragraphs and line breaks of text with line feeds, as
// WordPress's wpautop does: autop.go has the steps in their order, blocks.go,
// breaks.go and media.go the steps themselves, tags.go the elements that are
// paragraphs of their own. unautop.go frees shortcodes from paragraphs again.
//
// It knows no site. Of wptext's packages it may import markup, shortcode and scan
// only.
package paragraph
