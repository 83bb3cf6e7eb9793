package rest

// postKind describes one of TEC's post types as the interface treats it: plain
// data, so that tables may name it; routes.go joins it with its arguments and
// handlers.
type postKind struct {
	collection string // path segment and list key: events
	singular   string // name in error codes and field that holds the title: event
	postType   string
	caps       string // plural base of the capabilities: tribe_events in edit_tribe_events
	linkKey    string // event meta that links to posts of this type, "" for events
}

var (
	eventKind     = &postKind{collection: "events", singular: "event", postType: "tribe_events", caps: "tribe_events"}
	venueKind     = &postKind{collection: "venues", singular: "venue", postType: "tribe_venue", caps: "tribe_venues", linkKey: "_EventVenueID"}
	organizerKind = &postKind{collection: "organizers", singular: "organizer", postType: "tribe_organizer", caps: "tribe_organizers", linkKey: "_EventOrganizerID"}
)

// taxonomyKind describes a taxonomy of events.
type taxonomyKind struct {
	collection   string // path segment and list key: categories
	name         string // taxonomy: tribe_events_cat
	hierarchical bool
	coreRoute    string   // WordPress's own route of these terms, which _links name
	postRoutes   []string // WordPress's routes of the post types that have the taxonomy, in link order
	queryVar     string   // filter argument on those routes
	manageCap    string   // capability besides edit_tribe_events that managing terms needs
}

var (
	categoryKind = &taxonomyKind{
		collection: "categories", name: "tribe_events_cat", hierarchical: true, coreRoute: "tribe_events_cat",
		postRoutes: []string{"tribe_events", "tec_calendar_embed"}, queryVar: "tribe_events_cat", manageCap: "publish_tribe_events",
	}
	tagKind = &taxonomyKind{
		collection: "tags", name: "post_tag", coreRoute: "tags",
		postRoutes: []string{"posts", "tribe_events", "tec_calendar_embed"}, queryVar: "tags", manageCap: "manage_categories",
	}
)
