package api

import "calbridge/rest/trait"

// PostKind describes one of TEC's post types as the database has it. What an API calls it in
// paths and JSON is that API's own matter.
type PostKind struct {
	PostType  string
	Caps      string // plural base of the capabilities: tribe_events in edit_tribe_events
	LinkKey   string // event meta that links to posts of this type, "" for events
	OriginKey string // meta that names the plugin which made a post
	// Block names the block of an event's content that shows a linked post, and BlockAttribute its
	// attribute with the id. Both are "" for events.
	Block, BlockAttribute string
}

var (
	Events = &PostKind{PostType: "tribe_events", Caps: "tribe_events", OriginKey: "_EventOrigin"}
	Venues = &PostKind{
		PostType: "tribe_venue", Caps: "tribe_venues", LinkKey: "_EventVenueID", OriginKey: "_VenueOrigin",
		Block: "tribe/event-venue", BlockAttribute: "venue",
	}
	Organizers = &PostKind{
		PostType: "tribe_organizer", Caps: "tribe_organizers", LinkKey: "_EventOrganizerID", OriginKey: "_OrganizerOrigin",
		Block: "tribe/event-organizer", BlockAttribute: "organizer",
	}
)

// TaxonomyKind describes a taxonomy of events.
type TaxonomyKind struct {
	Name         string // taxonomy: tribe_events_cat
	Hierarchical bool
	CoreRoute    string      // WordPress's own route of these terms, which _links name
	PostRoutes   []PostRoute // in link order
	QueryVar     string      // filter argument on those routes
	ManageCap    string      // capability besides edit_tribe_events that managing terms needs
}

// PostRoute is WordPress's own route of a post type that has a taxonomy.
type PostRoute struct {
	Path    string
	Without trait.Name // a trait whose sites don't have it, "" for none
}

var embedRoute = PostRoute{Path: "tec_calendar_embed", Without: trait.TermsOfTwoPostTypes}

var (
	Categories = &TaxonomyKind{
		Name: "tribe_events_cat", Hierarchical: true, CoreRoute: "tribe_events_cat",
		PostRoutes: []PostRoute{{Path: "tribe_events"}, embedRoute}, QueryVar: "tribe_events_cat", ManageCap: "publish_tribe_events",
	}
	Tags = &TaxonomyKind{
		Name: "post_tag", CoreRoute: "tags",
		PostRoutes: []PostRoute{{Path: "posts"}, {Path: "tribe_events"}, embedRoute}, QueryVar: "tags", ManageCap: "manage_categories",
	}
)

// KindOf returns the kind of a post type, or nil for a type of another plugin.
func KindOf(postType string) *PostKind {
	for _, kind := range []*PostKind{Events, Venues, Organizers} {
		if kind.PostType == postType {
			return kind
		}
	}
	return nil
}
