// Package blocks renders the blocks of the block editor.
//
//	render.go   goes through the blocks of a text
//	core.go     what WordPress changes in the HTML of its own blocks
//	calendar.go the calendar's blocks, in the form of the site's version
//	layout.go   the classes of layouts
//	names.go    which blocks a plugin renders
//	excerpt.go  the blocks that an excerpt may hold
//	refs.go     the reusable blocks and organizers that a text refers to
//
// A text goes in, HTML without block comments comes out; RequestState counts blocks
// that can't be rendered. Of wptext's packages it may import neither content nor
// media nor images nor kses.
package blocks
