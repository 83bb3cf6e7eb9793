// Package blocks renders the blocks of the block editor: render.go goes through the
// blocks of a text, core.go has what WordPress changes in the HTML of its own
// blocks, layout.go the classes of layouts, names.go which blocks are rendered by
// a plugin. excerpt.go renders those that an excerpt may hold, refs.go says which
// reusable blocks and organizers a text refers to.
//
// A text goes in, HTML without block comments comes out; blocks that cannot be
// rendered are counted in RequestState. Of wptext's packages it may import
// neither content nor media nor images nor kses.
package blocks
