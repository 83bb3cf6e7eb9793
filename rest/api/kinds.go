package api

import (
	"strings"

	"calbridge/rest/trait"
)

// PostKind describes one of TEC's post types as the interface treats it. Package routes
// joins it with its arguments and handlers.
type PostKind struct {
	Collection string // path segment and list key: events
	Singular   string // name in error codes and field that holds the title: event
	PostType   string
	Caps       string // plural base of the capabilities: tribe_events in edit_tribe_events
	LinkKey    string // event meta that links to posts of this type, "" for events
}

var (
	Events     = &PostKind{Collection: "events", Singular: "event", PostType: "tribe_events", Caps: "tribe_events"}
	Venues     = &PostKind{Collection: "venues", Singular: "venue", PostType: "tribe_venue", Caps: "tribe_venues", LinkKey: "_EventVenueID"}
	Organizers = &PostKind{Collection: "organizers", Singular: "organizer", PostType: "tribe_organizer", Caps: "tribe_organizers", LinkKey: "_EventOrganizerID"}
)

// TaxonomyKind describes a taxonomy of events.
type TaxonomyKind struct {
	Collection   string // path segment and list key: categories
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
		Collection: "categories", Name: "tribe_events_cat", Hierarchical: true, CoreRoute: "tribe_events_cat",
		PostRoutes: []PostRoute{{Path: "tribe_events"}, embedRoute}, QueryVar: "tribe_events_cat", ManageCap: "publish_tribe_events",
	}
	Tags = &TaxonomyKind{
		Collection: "tags", Name: "post_tag", CoreRoute: "tags",
		PostRoutes: []PostRoute{{Path: "posts"}, {Path: "tribe_events"}, embedRoute}, QueryVar: "tags", ManageCap: "manage_categories",
	}
)

// OriginKey returns the meta key that names the plugin which made a post.
func (k *PostKind) OriginKey() string {
	return "_" + strings.ToUpper(k.Singular[:1]) + k.Singular[1:] + "Origin"
}

// KindOf returns the kind of a post type, or nil for a type of another plugin.
func KindOf(postType string) *PostKind {
	for _, kind := range []*PostKind{Events, Venues, Organizers} {
		if kind.PostType == postType {
			return kind
		}
	}
	return nil
}
