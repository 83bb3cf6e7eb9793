package blocks

import (
	"slices"
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blockparse"
	"calbridge/rest/wptext/markup"
	"calbridge/wpstore/php"
)

// newCoreBlocks are the blocks that WordPress got after 6.5, by the sites that have them.
var newCoreBlocks = func() map[string]trait.Condition {
	all := map[string]trait.Condition{}
	for sites, list := range map[trait.Condition]string{
		{Without: trait.TextBefore69}: `accordion accordion-heading accordion-item accordion-panel math post-comments-count
post-comments-link post-time-to-read term-count term-name term-template terms-query`,
		{Without: trait.TextBefore70}: "breadcrumbs icon",
		{With: trait.TextSince71}:     "playlist playlist-track tab tab-panel tabs tabs-menu tabs-menu-item",
	} {
		for name := range strings.FieldsSeq(list) {
			all["core/"+name] = sites
		}
	}
	return all
}()

// registered reports whether the site's release of WordPress has the block. That of a plugin
// counts as registered.
func (r *renderer) registered(name string) bool {
	sites, ok := newCoreBlocks[name]
	return !ok || sites.In(r.site.Traits)
}

// dynamic reports whether the site renders the block from data outside the text.
func (r *renderer) dynamic(name string) bool { return dynamicBlock(name) && r.registered(name) }

// needsPHP reports whether only WordPress can render the block, if it is registered. Where all
// blocks of plugins are known, those of Event Tickets and of the calendar's add-ons are among them.
func needsPHP(name string, plugins *wptext.PluginBlocks) bool {
	if plugins.Complete && !strings.HasPrefix(name, "core/") {
		return plugins.Rendered(name)
	}
	return dynamicBlock(name) || plugins.Rendered(name)
}

// alwaysVisible are the blocks that WordPress 6.9 doesn't hide.
var alwaysVisible = markup.WordSet("core/freeform core/missing core/pattern core/accordion-heading core/accordion-panel")

// dynamicBlock reports whether WordPress or The Events Calendar renders the block in
// PHP from data outside the text, so that its saved HTML isn't what a visitor sees.
func dynamicBlock(name string) bool {
	space, short, _ := strings.Cut(name, "/")
	return space == "tribe" || space == "tec" || space == "core" &&
		(dynamicCoreBlocks[short] || slices.ContainsFunc(dynamicPrefixes, func(p string) bool { return strings.HasPrefix(short, p) }))
}

var dynamicPrefixes = strings.Fields("comment- comments query post- site- term- navigation")

var dynamicCoreBlocks = markup.WordSet(`archives avatar breadcrumbs calendar categories footnotes home-link icon
latest-comments latest-posts legacy-widget loginout page-list pattern playlist playlist-track read-more rss search tab tab-panel tabs
tabs-menu tabs-menu-item tag-cloud template-part widget-group`)

// tecBlocks are the calendar's own blocks.
var tecBlocks = markup.WordSet(`tribe/classic-event-details tribe/event-datetime tribe/event-venue
tribe/event-organizer tribe/event-links tribe/event-price tribe/event-category tribe/event-tags
tribe/event-website tribe/featured-image tec/archive-events tec/single-event`)

// Unrendered returns the names of the blocks in a text that [Render] can't render, each once.
// profile has the HTML of blocks by name; plugins is that of [wptext.Site].
func Unrendered(text string, profile map[string]string, plugins *wptext.PluginBlocks) (names []string) {
	recorded := func(b *blockparse.Block) bool {
		switch b.Name {
		case "tribe/event-organizer":
			return profile["tribe/event-organizer#box"] != "" || php.Empty(b.Attr("organizer"))
		case "core/social-link":
			_, own := socialIcon(profile, php.ToString(b.Attr("service")))
			_, shared := socialIcon(profile, "share")
			return own || shared || php.ToString(b.Attr("url")) == ""
		}
		return profile[b.Name] != ""
	}
	var visit func(list []*blockparse.Block)
	visit = func(list []*blockparse.Block) {
		for _, b := range list {
			renders := b.Name != "core/social-link" && !tecBlocks[b.Name] && !needsPHP(b.Name, plugins)
			if b.Name != "" && !renders && !recorded(b) && !slices.Contains(names, b.Name) {
				names = append(names, b.Name)
			}
			visit(b.Inner())
		}
	}
	visit(blockparse.Parse(text))
	return names
}
