package profile

import (
	"strings"

	"calbridge/compat/jsontree"
)

// blockRoot ties the element that a dynamic block of the calendar renders to its
// block, by a class of the element.
type blockRoot struct {
	class, block string
	// newlines end the block's markup behind the element. Descriptions show them
	// mixed with the blank lines between blocks.
	newlines int
}

// blockRoots are the blocks that render something without an event at hand. The
// organizer's block is missing because what it renders depends on the organizer.
var blockRoots = []blockRoot{
	{"tribe-events-schedule", "tribe/event-datetime", 1},
	{"tribe-block__venue", "tribe/event-venue", 1},
	{"tribe-block__events-link", "tribe/event-links", 2},
	{"tribe-block__event-price", "tribe/event-price", 1},
	{"tribe-events-section-category", "tribe/event-category", 1},
	{"tribe-events-section-tags", "tribe/event-tags", 1},
	{"tribe-events-event-meta", "tribe/classic-event-details", 1},
}

// descriptions are those that were searched for blocks already, by their source.
type descriptions map[source]map[string]bool

// vote takes the markup of dynamic blocks out of descriptions, each description once.
func (d *descriptions) vote(v *votes, from source, root *jsontree.Node) {
	root.Walk(func(node *jsontree.Node) {
		description := node.Member("description")
		if !description.Is(jsontree.String) || !strings.Contains(description.Raw(), "tribe-") {
			return
		}
		if *d == nil {
			*d = descriptions{}
		}
		if (*d)[from] == nil {
			(*d)[from] = map[string]bool{}
		}
		text := description.Text()
		if (*d)[from][text] {
			return
		}
		(*d)[from][text] = true
		voteMarkup(v, from, text)
	})
}

func voteMarkup(v *votes, from source, text string) {
	for at := 0; ; {
		i := strings.Index(text[at:], "<div")
		if i < 0 {
			return
		}
		start := at + i
		at = start + len("<div")
		root, found := blockAt(text[start:])
		if !found {
			continue
		}
		end := elementEnd(text, start)
		if end < 0 {
			return
		}
		at = end
		// Blanks before the element belong to the block, unless the description's
		// own beginning was trimmed there.
		begin := len(strings.TrimRight(text[:start], " \t"))
		weight := 1
		if start == 0 {
			weight = 0
		}
		markup := text[begin:end] + strings.Repeat("\n", root.newlines)
		v.add(from, slot{section: sectionBlocks, key: root.block}, markup, weight)
	}
}

// blockAt tells which block the element at the beginning of text is the root of.
func blockAt(text string) (blockRoot, bool) {
	tag, _, _ := strings.Cut(text, ">")
	_, class, found := strings.Cut(tag, `class="`)
	if !found {
		return blockRoot{}, false
	}
	class, _, _ = strings.Cut(class, `"`)
	for name := range strings.FieldsSeq(class) {
		for _, root := range blockRoots {
			if root.class == name {
				return root, true
			}
		}
	}
	return blockRoot{}, false
}

// elementEnd finds the end of the div element that begins at start, or -1.
func elementEnd(text string, start int) int {
	depth := 0
	for at := start; ; {
		i := strings.IndexByte(text[at:], '<')
		if i < 0 {
			return -1
		}
		at += i
		switch {
		case strings.HasPrefix(text[at:], "<div"):
			depth++
		case strings.HasPrefix(text[at:], "</div>"):
			depth--
			if depth == 0 {
				return at + len("</div>")
			}
		}
		at++
	}
}
