package blocks

import (
	"slices"
	"strings"

	"calbridge/rest/wptext/scan"
)

// dynamicBlock reports whether WordPress or The Events Calendar renders the block in
// PHP from data outside the text, so that its saved HTML isn't what a visitor sees.
func dynamicBlock(name string) bool {
	space, short, _ := strings.Cut(name, "/")
	return space == "tribe" || space == "tec" || space == "core" &&
		(dynamicCoreBlocks[short] || slices.ContainsFunc(dynamicPrefixes, func(p string) bool { return strings.HasPrefix(short, p) }))
}

var dynamicPrefixes = strings.Fields("comment- comments query post- site- term- navigation")

var dynamicCoreBlocks = scan.WordSet(`archives avatar breadcrumbs calendar categories footnotes home-link icon
latest-comments latest-posts legacy-widget loginout page-list pattern read-more rss search tag-cloud
template-part widget-group`)

// tecBlocks are the calendar's own blocks.
var tecBlocks = scan.WordSet(`tribe/classic-event-details tribe/event-datetime tribe/event-venue
tribe/event-organizer tribe/event-links tribe/event-price tribe/event-category tribe/event-tags
tribe/event-website tribe/featured-image tec/archive-events tec/single-event`)

// foreignBlock reports whether the block is another plugin's and may show something
// else than its saved HTML. static are the blocks that don't, as namespace/name or
// namespace/*.
func foreignBlock(name string, static []string) bool {
	space, _, _ := strings.Cut(name, "/")
	return space != "core" && !slices.Contains(static, name) && !slices.Contains(static, space+"/*")
}
