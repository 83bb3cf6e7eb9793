package sitedb

import "calbridge/wpstore/invalidation"

// dependsOn returns the sets on which the result of a query depends. Dependencies of
// queries by id are collected by the loaders. A query that isn't listed depends on
// everything.
func dependsOn(name string) []invalidation.Kind {
	switch name {
	case "posts.read", "posts.heads", "meta.read", "meta.read_keys", "terms.of_posts", "terms.by_id":
		return nil
	case "events.ids", "events.count", "events.next_end":
		return []invalidation.Kind{invalidation.Events}
	case "tickets.of_events", "tickets.attendance":
		return []invalidation.Kind{invalidation.Tickets}
	case "posts.by_path", "posts.oembed_cache", "posts.attached_images", "posts.all_ids", "posts.by_prefix", "posts.with_meta", "posts.count",
		"linked.ids", "linked.count", "linked.search", "linked.of_event", "linked.of_events", "linked.with_events", "linked.upcoming":
		return []invalidation.Kind{invalidation.Posts}
	case "posts.translations":
		return []invalidation.Kind{invalidation.Translations}
	case "terms.ids", "terms.count", "terms.page", "terms.tree":
		return []invalidation.Kind{invalidation.Terms}
	case "terms.lookup", "terms.of_post_groups":
		return []invalidation.Kind{invalidation.Terms, invalidation.Translations}
	case "options.read", "options.read_network", "site.tables", "site.charsets", "site.other_charsets", "site.indexes", "site.languages":
		return []invalidation.Kind{invalidation.Site}
	}
	return []invalidation.Kind{invalidation.Anything}
}
