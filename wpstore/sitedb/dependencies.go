package sitedb

import "calbridge/wpstore/coherence"

// dependsOn are the sets on which the result of a query depends. Queries by id
// depend on what has these ids, which the loaders note. A query that is not listed
// depends on everything.
func dependsOn(name string) []coherence.Kind {
	switch name {
	case "posts.read", "posts.heads", "meta.read", "meta.read_keys", "terms.of_posts", "terms.by_id":
		return nil
	case "events.ids", "events.count":
		return []coherence.Kind{coherence.Events}
	case "posts.by_path", "posts.oembed_cache", "posts.attached_images", "posts.all_ids",
		"linked.ids", "linked.count", "linked.search", "linked.of_event", "linked.with_events", "linked.upcoming":
		return []coherence.Kind{coherence.Posts}
	case "posts.translations":
		return []coherence.Kind{coherence.Translations}
	case "terms.ids", "terms.count", "terms.page", "terms.tree":
		return []coherence.Kind{coherence.Terms}
	case "terms.lookup", "terms.of_post_groups":
		return []coherence.Kind{coherence.Terms, coherence.Translations}
	case "options.read", "options.read_network", "site.tables", "site.languages":
		return []coherence.Kind{coherence.Site}
	}
	return []coherence.Kind{coherence.Anything}
}
