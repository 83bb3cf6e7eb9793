package sitefacts

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"calbridge/rest/trait"
)

// Concern is a behaviour of the site that calbridge lacks.
type Concern struct {
	Name   string // of the finding, such as "site.theme"
	Found  string
	Advice string
	// Closes reports that the site may close what calbridge would show.
	Closes bool
	// Stops reports that calbridge's responses are wrong in every mode: it must not answer.
	Stops bool
}

// Concerns returns all concerns about a site.
func (d *Document) Concerns() []Concern {
	judges := []func(*Document) []Concern{
		versionConcerns, themeConcerns, excerptConcerns, localeConcerns, pluginConcerns, ticketConcerns, hookConcerns, capConcerns,
		uploadConcerns, tableConcerns, charsetConcerns, recurrenceConcerns, sourceConcerns,
	}
	var all []Concern
	for _, judge := range judges {
		all = append(all, judge(d)...)
	}
	return all
}

const (
	// compareAdvice is for differences that no setting removes.
	compareAdvice = "Answers differ there. See what it means for your clients with `calbridge check --upstream`, or let WordPress answer with --mode proxy."
	// uncomparedAdvice is for versions that calbridge was not compared with.
	uncomparedAdvice = "Compare both with `calbridge check --upstream`, or serve the site with --mode auto, which answers only what it has compared."
	hookAdvice       = "calbridge doesn't run PHP. Compare answers in --mode diff-proxy; leave the site to WordPress with --mode proxy if they differ."
	closedAdvice     = "calbridge doesn't run PHP, and may show what the site hides. Let WordPress answer with --upstream and --mode proxy. If you know that nothing is closed, or accept it, set --serve-despite-hooks."
	knowAdvice       = "Install the companion plugin (docker/wordpress) and set --upstream, or let calbridge read the WordPress folder with --wordpress-dir."
)

// versionConcerns names the traits of the site's versions that calbridge lacks.
func versionConcerns(d *Document) []Concern {
	var all []Concern
	for _, p := range []struct {
		product trait.Product
		version Name
		finding string
	}{{trait.Calendar, TEC, "calendar.version"}, {trait.WordPressCore, WordPress, "wordpress.version"}, {trait.Tickets, TicketsVersion, "event-tickets.version"}} {
		version := d.Text(p.version)
		if version == "" && p.product == trait.Tickets {
			continue // the plugin isn't active
		}
		if version == "" {
			all = append(all, Concern{Name: p.finding, Found: fmt.Sprintf("the version of %s is not known", p.product), Advice: knowAdvice})
			continue
		}
		var differ []string
		for _, t := range trait.Of(d.versions()) {
			switch {
			case t.Product != p.product:
			case t.Uncompared:
				all = append(all, Concern{
					Name: p.finding, Advice: uncomparedAdvice,
					Found: fmt.Sprintf("%s %s (%s) was not compared with calbridge: it is %s", p.product, version, d.From(p.version), t.What),
				})
			case !t.Reproduced:
				differ = append(differ, t.What)
			}
		}
		if len(differ) > 0 {
			all = append(all, Concern{
				Name: p.finding, Advice: compareAdvice,
				Found: fmt.Sprintf("%s %s (%s) answers otherwise: %s", p.product, version, d.From(p.version), strings.Join(differ, "; ")),
			})
		}
		var open []string
		for _, t := range trait.Unproven(d.versions()) {
			if t.Product == p.product {
				open = append(open, t.What)
			}
		}
		if len(open) > 0 {
			all = append(all, Concern{
				Name: p.finding, Advice: compareAdvice,
				Found: fmt.Sprintf("%s %s (%s) is unrecorded; whether this holds there is a guess: %s", p.product, version, d.From(p.version), strings.Join(open, "; ")),
			})
		}
	}
	if d.Traits().Has(trait.UnprovenCreation) {
		all = append(all, Concern{
			Name: "writes.version", Advice: "Compare a new event with one that WordPress made, or set --read-only.",
			Found: fmt.Sprintf("which rows %s %s writes for new events, venues, organizers and terms is unrecorded: calbridge writes those of 6.17.2", trait.Calendar, d.Text(TEC)),
		})
	}
	return all
}

func (d *Document) versions() trait.Versions {
	return trait.Versions{trait.Calendar: d.Text(TEC), trait.WordPressCore: d.Text(WordPress), trait.Tickets: d.Text(TicketsVersion)}
}

// Traits returns the traits of the site's versions.
func (d *Document) Traits() trait.Set { return trait.SetOf(d.versions()) }

func pluginConcerns(d *Document) []Concern {
	_, known := d.hooks()
	found := d.KnownPlugins()
	var all []Concern
	for _, file := range slices.Sorted(maps.Keys(found)) {
		p := found[file]
		c := Concern{Name: "site.plugins", Found: fmt.Sprintf("%s (%s) %s", p.Name, file, p.Does), Advice: hookAdvice}
		if p.Closes && !known {
			c.Closes, c.Advice = true, closedAdvice+" "+knowAdvice
		}
		all = append(all, c)
	}
	return all
}

// ticketConcerns returns concerns about currencies, of which most have unrecorded signs.
func ticketConcerns(d *Document) []Concern {
	sign := d.Text(TicketSign)
	if sign == "" {
		return nil
	}
	return []Concern{{Name: "site.tickets", Found: fmt.Sprintf("Event Tickets shows costs in %s, whose sign is unrecorded; calbridge's is %s", d.Text(TicketCurrency), sign), Advice: compareAdvice}}
}

func hookConcerns(d *Document) []Concern {
	const name = "site.hooks"
	hooks, known := d.hooks()
	if !known {
		return []Concern{{Name: name, Found: "which filters the site has is not known: plugins, must-use plugins and the theme may change, hide or close anything", Advice: knowAdvice}}
	}
	var all []Concern
	for _, h := range KnownHooks() {
		var where []string
		for _, used := range hooks {
			if used.Name == h.Name && (h.Closes || !d.inRecordedTheme(used)) {
				where = append(where, used.Where)
			}
		}
		if len(where) == 0 || h.Fact != "" && slices.Contains([]Source{Setting, Companion, Profile}, d.From(h.Fact)) {
			continue
		}
		c := Concern{Name: name, Found: fmt.Sprintf("%s is hooked (%s): %s", h.Name, Few(where), h.Does), Advice: hookAdvice, Closes: h.Closes}
		if c.Closes {
			c.Advice = closedAdvice
		}
		all = append(all, c)
	}
	for _, h := range d.unconfirmed() {
		all = append(all, Concern{
			Name: "facts.sources", Found: fmt.Sprintf("%s names the hook %s, which the companion plugin doesn't report", h.Where, h.Name),
			Advice: "calbridge trusts the companion plugin. Check whether that code runs for some requests only.",
		})
	}
	return all
}

// Few joins the first five texts of a list by commas, and adds how many more there are.
func Few(list []string) string {
	const most = 5
	if len(list) > most {
		return strings.Join(list[:most], ", ") + fmt.Sprintf(" and %d more", len(list)-most)
	}
	return strings.Join(list, ", ")
}

func capConcerns(d *Document) []Concern {
	caps := value[map[string]int](d, PageCaps)
	var all []Concern
	for _, filter := range slices.Sorted(maps.Keys(caps)) {
		if caps[filter] != usualCap {
			all = append(all, Concern{Name: "site.page-caps", Found: fmt.Sprintf("%s makes %d the largest per_page, calbridge's is %d", filter, caps[filter], usualCap), Advice: compareAdvice})
		}
	}
	return all
}

func uploadConcerns(d *Document) []Concern {
	site, ours := d.Text(Uploads), d.Text(UploadsRendered)
	if site == "" || sameURL(site, ours) {
		return nil
	}
	return []Concern{{Name: "site.uploads", Found: fmt.Sprintf("the site's pictures are at %s (%s), in calbridge's answers at %s", site, d.From(Uploads), ours), Advice: compareAdvice}}
}

// tableConcerns returns concerns about which tables are read, as decided by option, constant and
// environment.
func tableConcerns(d *Document) []Concern {
	f, _ := d.Fact(CalendarTables)
	if others, ok := f.Others[Database]; !ok || f.Source == Setting || f.Source == Config || others == f.Value {
		return nil
	}
	return []Concern{{Name: "site.calendar-tables", Found: fmt.Sprintf("by the %s, reading the calendar tables is %s, by the database it is %s", f.Source, show(f.Value), show(f.Others[Database])), Advice: "Set --define TEC_CUSTOM_TABLES_V1_DISABLED=true where PHP's environment or a filter switches them off."}}
}

// charsetConcerns returns concerns about character sets. Whether texts fit their columns is
// checked with the database.
func charsetConcerns(d *Document) []Concern {
	site, ours := d.Text(Connection), d.Text(ConnectionUsed)
	if site == "" || ours == "" || site == ours {
		return nil
	}
	return []Concern{{Name: "site.charset", Found: fmt.Sprintf("WordPress's connections speak %s (%s), calbridge's %s: texts may be shown and stored wrongly", site, d.From(Connection), ours), Advice: "Set --define DB_CHARSET to what DB_CHARSET is in wp-config.php."}}
}

// recurrenceConcerns returns the concern about recurring events: their occurrences have addresses,
// dates and links of their own, none of which calbridge renders.
func recurrenceConcerns(d *Document) []Concern {
	sign := d.Text(Recurrence)
	if sign == "" {
		return nil
	}
	return []Concern{{
		Name: "calendar.recurrence", Found: "the site has recurring events, which calbridge doesn't render: " + sign, Stops: true,
		Advice: "Let WordPress answer with --upstream and --mode proxy. While calbridge serves such a site, it passes all requests to --upstream, and answers 503 without it.",
	}}
}

func sourceConcerns(d *Document) []Concern {
	var all []Concern
	for _, text := range d.Disagreements() {
		all = append(all, Concern{Name: "facts.sources", Found: text, Advice: "calbridge trusts the first, which is closest to PHP."})
	}
	return all
}
