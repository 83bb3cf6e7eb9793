package blocks

import (
	"testing"

	"calbridge/rest/trait"
	"calbridge/rest/wptext/sitetest"
	"calbridge/rest/wptext/texttest"
)

// TestPastForms: the calendar's blocks, of which the profile has the newest form, in the forms
// of older releases.
func TestPastForms(t *testing.T) {
	const (
		date     = "<div  class=\"tribe-events-schedule\" >\n\t<p class=\"tribe-events-schedule__datetime\">\n\t<span>1 May</span>\n\t @ \t10:00</p>\n</div>"
		pastDate = "<div class=\"tribe-events-schedule\">\n\t<h2 class=\"tribe-events-schedule__datetime\">\n\t<span>1 May</span>\n\t &#8211; \t10:00</h2>\n</div>"
		item     = `<li class="tribe-events-c-subscribe-dropdown__list-item`
		icon     = "<svg\n\t class=\"x\" \taria-hidden=\"true\"\n\tviewBox=\"0 0 1 2\"\n\txmlns=\"u\"\n>\n\t<path d=\"1\"/>\n\t<path d=\"2\"/>\n</svg>"
		caret    = "<svg\n\t class=\"x--caret-down y\" \taria-hidden=\"true\"\n\tviewBox=\"0 0 3 4\"\n\txmlns=\"u\"\n>\n\t<path d=\"3\"/>\n</svg>"
		button   = "<button\n\t\tclass=\"tribe-events-c-subscribe-dropdown__button-text\"\n\t\taria-expanded=\"false\"\n\t\taria-controls=\"tribe-events-subscribe-dropdown-content\"\n\t\taria-label=\"%s\"\n\t>"
	)
	for _, c := range []struct{ version, html, want string }{
		{"6.15.7", date, date},
		{"6.15.6", date, "<div  class=\"tribe-events-schedule\" >\n\t<h2 class=\"tribe-events-schedule__datetime\">\n\t<span>1 May</span>\n\t @ \t10:00</h2>\n</div>"},
		{"6.5.2", date, "<div  class=\"tribe-events-schedule\" >\n\t<h2 class=\"tribe-events-schedule__datetime\">\n\t<span>1 May</span>\n\t &#8211; \t10:00</h2>\n</div>"},
		{"6.0.13", date, pastDate},
		{"6.0.13", pastDate, pastDate},
		{"6.17.2", pastDate, pastDate},
		{"6.15.20", item + ` tribe-events-c-subscribe-dropdown__list-item--ical">`, item + ` tribe-events-c-subscribe-dropdown__list-item--ical">`},
		{"6.14.2", item + ` tribe-events-c-subscribe-dropdown__list-item--ical">`, item + `">`},
		{"6.14.2", icon + caret, icon + caret},
		{"6.12.0.1", icon + caret, "<svg  class=\"x\"  viewBox=\"0 0 1 2\" xmlns=\"u\">\n  <path d=\"1\"/>\n  <path d=\"2\"/>\n</svg><svg  class=\"x--caret-down y\"  viewBox=\"0 0 3 4\" xmlns=\"u\" aria-hidden=\"true\"><path d=\"3\"/></svg>"},
		{"6.3.7", caret, "<svg  class=\"x--caret-down y\"  viewBox=\"0 0 3 4\" xmlns=\"u\"><path d=\"3\"/></svg>"},
		{"6.12.0.1", button, button},
		{"6.8.3", button, "<button\n\t\tclass=\"tribe-events-c-subscribe-dropdown__button-text\"\n\t\taria-expanded=\"false\"\n\t\taria-controls=\"tribe-events-subscribe-dropdown-content\"\n\t\taria-label=\"\"\n\t>"},
		{"6.0.13", button, `<button class="tribe-events-c-subscribe-dropdown__button-text">`},
		{"6.0.13", `<div  class="tribe-block tribe-block__venue tribe-clearfix" >`, `<div class="tribe-block tribe-block__venue ">`},
		{"6.0.13", `<div class="b tribe-events-c-subscribe-dropdown__button">`, `<div class="b tribe-events-c-subscribe-dropdown__button" tabindex="0">`},
		{"6.0.13", `<div id="tribe-events-subscribe-dropdown-content" class="c"><ul class="tribe-events-c-subscribe-dropdown__list">`, `<div class="c"><ul class="tribe-events-c-subscribe-dropdown__list" tabindex="0">`},
		{"6.0.13", "<a\n\t\tclass=\"tribe-events-c-subscribe-dropdown__list-item-link\"\n\t\ttarget=\"_blank\">", "<a\n\t\tclass=\"tribe-events-c-subscribe-dropdown__list-item-link\"\n\t\ttabindex=\"0\"\n\t\ttarget=\"_blank\">"},
	} {
		site := sitetest.Site("https://town.example")
		site.Traits = trait.SetOf(trait.Versions{trait.Calendar: c.version})
		site.ProfileBlocks = map[string]string{"tribe/event-links": c.html, "tribe/event-organizer#box": c.html}
		texttest.CheckPairs(t, render(site), "<!-- wp:tribe/event-links /-->", c.want, `<!-- wp:tribe/event-organizer {"organizer":10} /-->`, c.want)
	}
}
