package systemtest

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// judge compares the rows of a thing after its last request with those before the
// request and with those of its complete effect. All earlier ones were answered.
func (k *killer) judge(w *write) {
	k.t.Helper()
	got, made := k.state(w), k.companions(w)
	before, after := "", w.want(w.number, w.action == "delete")
	if w.action != "create" {
		before = w.want(w.before, false)
	}
	all := 0 // further objects that the request creates
	if w.kind == "event" && w.action != "delete" {
		all = 3
		if w.hasVenue() {
			all++
		}
	}
	switch {
	case got == after && (w.action == "delete" || made == all):
		k.tally[fmt.Sprintf("%s, complete, answered %v", w.action, w.status != 0)]++
	case w.status == 0 && got == before && (w.action == "delete" || made == 0):
		k.tally[w.action+", nothing"]++
	default:
		k.t.Errorf("%s of %s %s (number %d, answered %d), with %d of %d things beside:\n got %s\nwant %s\n  or %s",
			w.action, w.kind, w.marker, w.number, w.status, made, all, got, after, before)
	}
}

// companions returns the number of terms, venues and organizers that the request has created
// for its event.
func (k *killer) companions(w *write) int {
	if w.kind != "event" {
		return 0
	}
	m := mark(w.marker, w.number)
	return len(k.check.rows(k.t, `SELECT ID FROM wp_posts WHERE post_type IN ('tribe_venue', 'tribe_organizer') AND post_name IN (?, ?)`, m+"ven", m+"org")) +
		len(k.check.rows(k.t, `SELECT term_id FROM wp_terms WHERE slug IN (?, ?)`, m+"cat", m+"tag"))
}

// want returns the rows of an object after the request with the given number.
func (w *write) want(number int, deleted bool) string {
	m := mark(w.marker, number)
	switch w.kind {
	case "category", "tag":
		if deleted {
			return ""
		}
		return fmt.Sprintf("term %s %s %s", m, m, m)
	}
	status, name := "publish", mark(w.marker, w.first)
	if deleted {
		status, name = "trash", name+"__trashed"
	}
	site := "https://" + m + ".example/"
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", status, name)
	switch w.kind {
	case "event":
		start := killStart(number)
		end := start.Add(2 * time.Hour)
		fmt.Fprintf(&b, " %s %s %s", m, m, m)
		fmt.Fprintf(&b, " %s %s %s %s 7200 UTC %s %d Kc Kc postfix 1", start.Format(time.DateTime), end.Format(time.DateTime),
			start.Format(time.DateTime), end.Format(time.DateTime), site, number)
		fmt.Fprintf(&b, " table %s occurrence %s", start.Format(time.DateTime), start.Format(time.DateTime))
		terms := []string{m + "cat", m + "tag"}
		fmt.Fprintf(&b, " terms %v organizers [33 %sorg %s]", terms, m, m)
	case "venue":
		fmt.Fprintf(&b, " %s %s %s %s %s", m, m, m, m, site)
	case "organizer":
		fmt.Fprintf(&b, " %s %s %s %s %s", m, m, m, m, site)
	}
	return b.String()
}

// state returns the current rows of an object, or "" if it has none.
func (k *killer) state(w *write) string {
	k.t.Helper()
	if w.kind == "category" || w.kind == "tag" {
		taxonomy := map[string]string{"category": "tribe_events_cat", "tag": "post_tag"}[w.kind]
		var out []string
		for _, row := range k.check.rows(k.t, `SELECT t.name, t.slug, tt.description FROM wp_terms t JOIN wp_term_taxonomy tt ON tt.term_id = t.term_id
			WHERE tt.taxonomy = ? AND t.slug LIKE ?`, taxonomy, w.marker+"v%") {
			out = append(out, "term "+strings.Join(row, " "))
		}
		return strings.Join(out, "; ")
	}
	postType := map[string]string{"event": "tribe_events", "venue": "tribe_venue", "organizer": "tribe_organizer"}[w.kind]
	var out []string
	for _, p := range k.check.rows(k.t, `SELECT ID, post_status, post_name, post_title, post_content, post_excerpt FROM wp_posts WHERE post_type = ? AND post_name LIKE ?`, postType, w.marker+"v%") {
		meta := map[string][]string{}
		for _, row := range k.check.rows(k.t, `SELECT meta_key, meta_value FROM wp_postmeta WHERE post_id = ? ORDER BY meta_id`, p[0]) {
			meta[row[0]] = append(meta[row[0]], row[1])
		}
		values := func(keys ...string) string {
			var list []string
			for _, key := range keys {
				list = append(list, strings.Join(meta[key], ","))
			}
			return strings.Join(list, " ")
		}
		s := p[1] + " " + p[2]
		switch w.kind {
		case "event":
			s += " " + p[3] + " " + p[4] + " " + p[5] + " " + values("_EventStartDate", "_EventEndDate", "_EventStartDateUTC", "_EventEndDateUTC", "_EventDuration",
				"_EventTimezone", "_EventURL", "_EventCost", "_EventCurrencySymbol", "_EventCurrencyPosition", "_tribe_featured")
			for _, table := range []string{"events", "occurrences"} {
				for _, row := range k.check.rows(k.t, `SELECT CAST(start_date AS CHAR) FROM wp_tec_`+table+` WHERE post_id = ?`, p[0]) {
					s += " " + map[string]string{"events": "table ", "occurrences": "occurrence "}[table] + row[0]
				}
			}
			var terms []string
			for _, row := range k.check.rows(k.t, `SELECT t.name FROM wp_term_relationships tr JOIN wp_term_taxonomy tt USING (term_taxonomy_id) JOIN wp_terms t ON t.term_id = tt.term_id
				WHERE tr.object_id = ? AND tt.term_id NOT IN (3, 15) ORDER BY tt.taxonomy DESC`, p[0]) {
				terms = append(terms, row[0])
			}
			slices.Sort(terms)
			organizers := []string{}
			for _, id := range meta["_EventOrganizerID"] {
				if id == "33" {
					organizers = append(organizers, id)
					continue
				}
				for _, row := range k.check.rows(k.t, `SELECT p.post_title, m.meta_value FROM wp_posts p LEFT JOIN wp_postmeta m ON m.post_id = p.ID AND m.meta_key = '_OrganizerPhone' WHERE p.ID = ?`, id) {
					organizers = append(organizers, row...)
				}
			}
			s += fmt.Sprintf(" terms %v organizers %v", terms, organizers)
		case "venue":
			s += " " + p[3] + " " + p[4] + " " + values("_VenueCity", "_VenueAddress", "_VenueURL")
		case "organizer":
			s += " " + p[3] + " " + p[4] + " " + values("_OrganizerPhone", "_OrganizerEmail", "_OrganizerWebsite")
		}
		if n := len(k.check.rows(k.t, `SELECT ID FROM wp_posts WHERE post_type = 'revision' AND post_parent = ? AND post_title = ?`, p[0], p[3])); w.action == "update" && p[3] == mark(w.marker, w.number) && n != 1 {
			s += fmt.Sprintf(" with %d revisions", n)
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}
