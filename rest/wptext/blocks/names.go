package blocks

import (
	"slices"
	"strings"
)

// dynamicBlock says whether WordPress or The Events Calendar renders the block
// in PHP from data that is not in the text, so that its saved HTML, if any, is
// not what a visitor sees.
func dynamicBlock(name string) bool {
	space, short, _ := strings.Cut(name, "/")
	switch space {
	case "core":
		return dynamicCoreBlock(short)
	case "tribe", "tec":
		return true
	}
	return false
}

func dynamicCoreBlock(name string) bool {
	for _, prefix := range [...]string{"comment-", "comments", "query", "post-", "site-", "term-", "navigation"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	switch name {
	case "archives", "avatar", "breadcrumbs", "calendar", "categories", "footnotes", "home-link", "icon",
		"latest-comments", "latest-posts", "legacy-widget", "loginout", "page-list", "pattern",
		"read-more", "rss", "search", "tag-cloud", "template-part", "widget-group":
		return true
	}
	return false
}

// tecBlock says whether the name is one of the calendar's own blocks.
func tecBlock(name string) bool {
	switch name {
	case "tribe/classic-event-details", "tribe/event-datetime", "tribe/event-venue", "tribe/event-organizer",
		"tribe/event-links", "tribe/event-price", "tribe/event-category", "tribe/event-tags",
		"tribe/event-website", "tribe/featured-image", "tec/archive-events", "tec/single-event":
		return true
	}
	return false
}

// foreignBlock says whether the block is another plugin's and may show something
// else than the HTML saved in the text. Only the plugin knows, so the site names
// the blocks that do not: static, each as namespace/name or namespace/*.
func foreignBlock(name string, static []string) bool {
	space, _, _ := strings.Cut(name, "/")
	return space != "core" && !slices.ContainsFunc(static, func(known string) bool {
		return known == name || known == space+"/*"
	})
}
