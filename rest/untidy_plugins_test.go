package rest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"calbridge/rest/api"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// untidyPlugin is a plugin with rows of its own, in an untidy database.
type untidyPlugin struct {
	name string
	fill func(*untidyDatabase)
	// roots are the directories of its languages, besides the default one.
	roots []string
}

// untidyPlugins returns the plugins whose rows calbridge reads, the first of which is none.
func untidyPlugins() []untidyPlugin {
	return []untidyPlugin{
		{"no plugin", func(*untidyDatabase) {}, nil},
		{"WPML", (*untidyDatabase).fillWPML, []string{"/en", "/de"}},
		{"Polylang", (*untidyDatabase).fillPolylang, []string{"/en", "/de"}},
		{"Event Tickets", (*untidyDatabase).fillTickets, nil},
	}
}

// translatable returns the ids of all posts and terms, by the type under which WPML files them.
func (u *untidyDatabase) translatable() map[string][]int64 {
	out := map[string][]int64{}
	for kind, ids := range u.posts {
		out["post_"+kind] = ids
	}
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		for _, id := range u.terms[tax.Name] {
			for i := range int64(3) {
				out["tax_"+tax.Name] = append(out["tax_"+tax.Name], id+1000*i) // rows of term_taxonomy, and others
			}
		}
	}
	return out
}

// fillWPML files posts and terms under languages: active ones, inactive ones, and some that do not
// exist, in groups of several kinds, of one language, and of what is missing.
func (u *untidyDatabase) fillWPML() {
	u.useWPML()
	if u.chance(50) {
		settings := &php.Array{}
		settings.SetString("default_language", oneOf[php.Value](u.maker, "cs", "cs", "en", "fr", "", nil, int64(1)))
		settings.SetString("languages_order", oneOf[php.Value](u.maker, php.Strings("cs", "en", "de"), "cs", nil, php.Strings("xx")))
		settings.SetString("language_negotiation_type", oneOf[php.Value](u.maker, int64(1), "1", int64(1)))
		settings.SetString("custom_posts_sync_option", oneOf[php.Value](u.maker, "x", php.Strings("tribe_events"), nil))
		u.setOption("icl_sitepress_settings", settings)
	}
	groups := map[string]bool{} // which have one element of each language
	all := u.translatable()
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		for _, id := range append(slices.Clone(all[kind]), 99999) {
			trid, code := oneOf(u.maker, id, 1+u.Int64N(40), 1+u.Int64N(40), 0, -1), oneOf(u.maker, "cs", "cs", "en", "en", "de", "fr", "", "xx", "EN")
			group := fmt.Sprint(trid, code)
			if groups[group] || u.chance(10) {
				continue
			}
			groups[group] = true
			u.insert("icl_translations", row{"element_type": kind, "element_id": id, "trid": trid, "language_code": code, "source_language_code": oneOf[any](u.maker, nil, nil, "cs", "en", "")})
		}
	}
	for i := range 20 { // of other kinds, without an element
		u.insert("icl_translations", row{"element_type": oneOf(u.maker, "post_page", "", "tax_x", "post_tribe_events"), "element_id": oneOf[any](u.maker, nil, nil, 70001+i), "trid": 200000 + i, "language_code": "en"})
	}
}

// fillPolylang files posts and terms under languages, some under several or none, and gives groups
// of translations members that are missing, of another kind, or in two groups.
func (u *untidyDatabase) fillPolylang() {
	languages := u.usePolylang()
	if u.chance(50) {
		option := &php.Array{}
		option.SetString("default_lang", oneOf[php.Value](u.maker, "cs", "cs", "en", "xx", "", nil))
		option.SetString("hide_default", oneOf[php.Value](u.maker, true, true, int64(1), "1"))
		option.SetString("rewrite", oneOf[php.Value](u.maker, true, true, "1"))
		option.SetString("force_lang", int64(1))
		option.SetString("post_types", oneOf[php.Value](u.maker, php.Strings("tribe_events"), "x", nil, php.List(php.Strings("a"))))
		u.setOption("polylang", option)
	}
	terms := []int64{languages["cs"], languages["cs"], languages["en"], languages["en"], languages["de"]}
	for _, kind := range slices.Sorted(maps.Keys(u.posts)) {
		for _, id := range u.posts[kind] {
			for _, term := range u.some(terms, 2) {
				u.relateOnce(id, term)
			}
		}
	}
	for _, tax := range slices.Sorted(maps.Keys(u.terms)) {
		for _, id := range u.terms[tax] {
			for _, term := range u.some(terms, 2) {
				u.relateOnce(id, term+5)
			}
		}
	}
	ids := slices.Concat(u.posts[api.Events.PostType], u.posts[api.Venues.PostType], u.terms[api.Categories.Name], []int64{0, -1, 99999})
	for i := range int64(40) {
		members := &php.Array{}
		for _, code := range []string{"cs", "en", "de", "xx", "sync"} {
			if u.chance(60) {
				members.SetString(code, oneOf[php.Value](u.maker, oneOf(u.maker, ids...), oneOf(u.maker, ids...), fmt.Sprint(oneOf(u.maker, ids...)), "x", nil, php.Strings("5")))
			}
		}
		description := oneOf[php.Value](u.maker, members, members, members, members, "", "a:1:{i:0", "\xff")
		u.addLanguageTerm(11000+i, oneOf(u.maker, "post_translations", "term_translations"), fmt.Sprintf("pll_%x", i), description)
		for range u.IntN(4) {
			u.relateOnce(oneOf(u.maker, ids...), 11000+i)
		}
	}
}

// relateOnce does what relate does, unless the object has the term.
func (u *untidyDatabase) relateOnce(object, term int64) {
	u.exec("INSERT OR IGNORE INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (?, ?)", object, term+500)
}

// some returns up to n different values.
func (u *untidyDatabase) some(values []int64, n int) (out []int64) {
	for range u.IntN(n + 1) {
		if v := oneOf(u.maker, values...); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// untidyTicketMeta are the keys that decide what tickets cost and how many are left.
var untidyTicketMeta = []string{wpstore.TicketPrice, wpstore.TicketStock, wpstore.TicketManageStock, wpstore.TicketCapacity, wpstore.TicketStart, wpstore.TicketEnd}

// fillTickets adds tickets and attendees of events, of missing events, and of other posts.
func (u *untidyDatabase) fillTickets() {
	u.setOption("active_plugins", php.Strings("event-tickets/event-tickets.php", "the-events-calendar/the-events-calendar.php"))
	u.setCalendarOptions("tickets_commerce_enabled", oneOf[php.Value](u.maker, true, "1", false, nil), "defaultCurrencySymbol", "Kč",
		"tickets-commerce-currency-code", oneOf[php.Value](u.maker, "EUR", "CZK", "xx", "", nil, php.Strings("EUR")),
		"tickets-commerce-currency-number-of-decimals", oneOf[php.Value](u.maker, "2", "0", "", "-1", "1e9", nil, php.Strings("2")),
		"tickets-commerce-currency-decimal-separator", oneOf[php.Value](u.maker, ",", "", "\xff", nil), "tickets-commerce-currency-position", oneOf[php.Value](u.maker, "postfix", "prefix", "x", nil))
	events := slices.Concat(u.posts[api.Events.PostType], []int64{201, 0, 99999})
	for i := range int64(60) {
		p := oneOf(u.maker, wpstore.AllTicketPosts()...)
		for _, post := range []struct {
			id        int64
			kind, key string
		}{{6001 + i, p.Tickets, p.TicketEvent}, {7001 + i, p.Attendees, p.AttendeeEvent}} {
			u.insert("posts", row{"ID": post.id, "post_type": post.kind, "post_status": oneOf(u.maker, "publish", "publish", "publish", "draft", "trash", ""), "post_title": "\xff", "post_date": "0000-00-00 00:00:00"})
			u.addMeta(post.id, post.key, oneOf(u.maker, fmt.Sprint(oneOf(u.maker, events...)), fmt.Sprint(oneOf(u.maker, events...)), "", "x", "1001abc"))
			for _, key := range append(slices.Clone(untidyTicketMeta), p.CheckedIn) {
				for range oneOf(u.maker, 0, 1, 1, 2) {
					u.insert("postmeta", row{"post_id": post.id, "meta_key": key, "meta_value": u.value(strings.Replace(key, "_date", "Date", 1))})
				}
			}
		}
	}
}
