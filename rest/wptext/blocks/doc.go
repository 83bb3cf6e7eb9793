// Package blocks renders the blocks of the block editor.
//
//	render.go   goes through the blocks of a text
//	core.go     what WordPress changes in the HTML of its own blocks
//	files.go    of galleries, films, files and accordions; texts of reusable blocks
//	social.go   of links to social services
//	finish.go   what it changes in all blocks by their attributes
//	states.go   classes of styles for screens and states
//	notes.go    the marks of editors' notes
//	calendar.go the calendar's blocks, in the form of the site's version
//	layout.go   the classes of layouts
//	names.go    which blocks a release has, which a plugin renders
//	excerpt.go  the blocks that an excerpt may hold
//	refs.go     the reusable blocks, organizers and films that a text refers to
//
// A text goes in, HTML without block comments comes out; RequestState counts blocks
// that can't be rendered. Of wptext's packages it may import neither content nor
// media nor images nor kses.
package blocks
