package profile

import (
	"regexp"
	"slices"
	"strings"

	"calbridge/compat/jsontree"
)

// blockRoot maps a class of the element that a dynamic block of the calendar renders to
// the block.
type blockRoot struct {
	class, block string
	// newlines end the block's markup after the element. In descriptions they are mixed
	// with the blank lines between blocks.
	newlines int
}

// blockRoots are the blocks that render something without an event. The organizer's
// block is missing because its output depends on the organizer.
var blockRoots = []blockRoot{
	{"tribe-events-schedule", "tribe/event-datetime", 1},
	{"tribe-block__venue", "tribe/event-venue", 1},
	{"tribe-block__events-link", "tribe/event-links", 2},
	{"tribe-block__event-price", "tribe/event-price", 1},
	{"tribe-events-section-category", "tribe/event-category", 1},
	{"tribe-events-section-tags", "tribe/event-tags", 1},
	{"tribe-events-event-meta", "tribe/classic-event-details", 1},
}

// descriptions are those already searched for blocks.
type descriptions map[described]bool

type described struct {
	from source
	text string
}

// vote collects the markup of dynamic blocks from descriptions, each description once.
func (d descriptions) vote(v *votes, from source, root *jsontree.Node) {
	root.Walk(func(node *jsontree.Node) {
		description := node.Member("description")
		if !description.Is(jsontree.String) || !strings.Contains(description.Raw(), "tribe-") && !strings.Contains(description.Raw(), "gallery-columns-") {
			return
		}
		seen := described{from, description.Text()}
		if !d[seen] {
			d[seen] = true
			voteMarkup(v, from, seen.text)
			voteGalleryStyles(v, from, seen.text)
		}
	})
}

// division is the opening tag of a div element with its classes.
var division = regexp.MustCompile(`<div[^>]*?class="([^"]*)"`)

func voteMarkup(v *votes, from source, text string) {
	for at := 0; ; {
		found := division.FindStringSubmatchIndex(text[at:])
		if found == nil {
			return
		}
		start := at + found[0]
		classes := strings.Fields(text[at+found[2] : at+found[3]])
		at += found[1]
		i := slices.IndexFunc(blockRoots, func(root blockRoot) bool { return slices.Contains(classes, root.class) })
		if i < 0 {
			continue
		}
		end := elementEnd(text, start)
		if end < 0 {
			return
		}
		at = end
		// Blanks before the element belong to the block, unless the element begins the
		// description, whose beginning was trimmed.
		begin := len(strings.TrimRight(text[:start], " \t"))
		weight := 1
		if start == 0 {
			weight = 0
		}
		v.add(from, slot{section: sectionBlocks, key: blockRoots[i].block}, text[begin:end]+strings.Repeat("\n", blockRoots[i].newlines), weight)
	}
}

// divEdge is the beginning or end of a div element.
var divEdge = regexp.MustCompile(`<div|</div>`)

// elementEnd returns the end of the div element that begins at start, or -1.
func elementEnd(text string, start int) int {
	depth := 0
	for _, edge := range divEdge.FindAllStringIndex(text[start:], -1) {
		depth++
		if text[start+edge[0]+1] == '/' {
			depth -= 2
		}
		if depth == 0 {
			return start + edge[1]
		}
	}
	return -1
}
