package blocks

import (
	"regexp"
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blockparse"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore/php"
)

// tecBlock renders one of the calendar's own blocks from the site's profile. A site that
// doesn't register them shows nothing.
func (r *renderer) tecBlock(b *blockparse.Block) string {
	if !r.site.TECBlocks {
		return r.blockParts(b)
	}
	html, known := r.site.ProfileBlocks[b.Name]
	switch b.Name {
	case "tribe/event-organizer":
		if id := b.Attr("organizer"); !php.Empty(id) {
			return r.organizerBox(toID(id))
		}
		return ""
	case "tribe/event-venue":
		known = known && php.Empty(b.Attr("venue"))
	}
	if !known {
		r.req.NotRendered(b.Name)
	}
	return pastForm(html, r.site.Traits)
}

// pastForms are the forms that the calendar's own blocks have on sites with a trait, in the
// place of those of the newest calendar. The newest changes come first.
var pastForms = []struct {
	with   trait.Name
	newest *regexp.Regexp
	past   string
}{
	{trait.UnnamedSubscriptions, regexp.MustCompile(` tribe-events-c-subscribe-dropdown__list-item--[^ "]*`), ""},
	{trait.DateBlockIsAHeading, regexp.MustCompile(`(?s)<p( class="tribe-events-schedule__datetime"[^>]*>.*?</)p>`), "<h2${1}h2>"},
	{trait.IconsInOneLine, regexp.MustCompile(`<svg\n\t( class="[^"]*--caret-down [^"]*") \taria-hidden="true"\n\t(.*)\n\t(.*)\n>\n\t(.*)\n</svg>`), `<svg $1  $2 $3 aria-hidden="true">$4</svg>`},
	{trait.IconsInOneLine, regexp.MustCompile(`<svg\n\t( class="[^"]*") \taria-hidden="true"\n\t(.*)\n\t(.*)\n>\n\t(.*)\n\t(.*)\n</svg>`), "<svg $1  $2 $3>\n  $4\n  $5\n</svg>"},
	{trait.UnlabelledSubscriptions, regexp.MustCompile(`(aria-controls="tribe-events-subscribe-dropdown-content"\s*aria-label)="[^"]*"`), `$1=""`},
	{trait.DashInDateBlock, regexp.MustCompile("(\t) @ (\t)"), "$1 &#8211; $2"},
	{trait.CaretIsReadAloud, regexp.MustCompile(`(<svg  class="[^"]*--caret-down [^>]*) aria-hidden="true">`), "$1>"},
	{trait.BlocksWithTabStops, regexp.MustCompile(`<div  (class="[^"]*") >`), "<div $1>"},
	{trait.BlocksWithTabStops, regexp.MustCompile(`(tribe-block__venue )tribe-clearfix`), "$1"},
	{trait.BlocksWithTabStops, regexp.MustCompile(`(<div class="[^"]*tribe-events-c-subscribe-dropdown__button")>`), `$1 tabindex="0">`},
	{trait.BlocksWithTabStops, regexp.MustCompile(`<button\s*(class="tribe-events-c-subscribe-dropdown__button-text")[^>]*>`), "<button $1>"},
	{trait.BlocksWithTabStops, regexp.MustCompile(`<div id="tribe-events-subscribe-dropdown-content" `), "<div "},
	{trait.BlocksWithTabStops, regexp.MustCompile(`(<ul class="tribe-events-c-subscribe-dropdown__list")>`), `$1 tabindex="0">`},
	{trait.BlocksWithTabStops, regexp.MustCompile(`(\n\t*)(class="tribe-events-c-subscribe-dropdown__list-item-link")`), `$1$2${1}tabindex="0"`},
}

// pastForm gives the HTML of one of the calendar's blocks, which the profile may have from a
// newer version, the form of the site.
func pastForm(html string, traits trait.Set) string {
	for _, form := range pastForms {
		if traits.Has(form.with) {
			html = form.newest.ReplaceAllString(html, form.past)
		}
	}
	return html
}

// organizerBox returns the block of one organizer. The box of the profile has no place for
// its e-mail address, telephone and website, and the address is encoded at random.
func (r *renderer) organizerBox(id int64) string {
	box, known := r.site.ProfileBlocks["tribe/event-organizer#box"]
	o := r.res.Organizers[id]
	if o == nil {
		o = &wptext.Organizer{}
	}
	if !known || o.Phone != "" || o.Website != "" || o.Email != "" {
		r.req.NotRendered("tribe/event-organizer")
	}
	box = pastForm(box, r.site.Traits)
	return strings.Replace(box, "<h3></h3>", "<h3>"+typography.Title(o.Title, r.site.Locale)+"</h3>", 1)
}
