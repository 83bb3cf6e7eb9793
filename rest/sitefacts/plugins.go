package sitefacts

import "strings"

// Plugin is a plugin that is known to change answers.
type Plugin struct {
	Prefix string // of its main file in the list of active plugins
	Name   string
	Does   string
	// Closes reports that it may close the API, or hide events from some visitors.
	Closes bool
}

// KnownPlugins returns the table of plugins that are known to change responses. It has no caches,
// because the companion plugin invalidates them after a write.
func KnownPlugins() []Plugin {
	const (
		closesREST = "may close the REST API to visitors or switch application passwords off"
		members    = "may hide events from visitors who are not members"
		rewrites   = "may rewrite addresses of pictures or texts"
	)
	return []Plugin{
		{"events-calendar-pro/", "Events Calendar Pro", "adds recurring events, fields of its own and further arguments", false},
		{"event-tickets-plus/", "Event Tickets Plus", "adds tickets, prices and attendees of shops", false},
		{"events-community/", "Community Events", "lets visitors submit and edit events", false},
		{"the-events-calendar-community-events/", "Community Events", "lets visitors submit and edit events", false},
		{"the-events-calendar-filterbar/", "Filter Bar", "changes which events are listed", false},
		{"event-aggregator/", "Event Aggregator", "imports events, and adds fields about their origin", false},
		{"events-virtual/", "Virtual Events", "adds fields, and may hide links from visitors", true},

		{"disable-json-api/", "Disable REST API", closesREST, true},
		{"disable-wp-rest-api/", "Disable WP REST API", closesREST, true},
		{"wp-rest-api-authentication/", "WordPress REST API Authentication", closesREST, true},
		{"rest-api-toolbox/", "REST API Toolbox", closesREST, true},
		{"perfmatters/", "Perfmatters", closesREST, true},
		{"wp-hide-security-enhancer/", "WP Hide", closesREST, true},
		{"clearfy/", "Clearfy", closesREST, true},
		{"wordfence/", "Wordfence", "switches application passwords off by default, and may block requests", true},
		{"better-wp-security/", "Solid Security", closesREST, true},
		{"ithemes-security-pro/", "Solid Security Pro", closesREST, true},
		{"all-in-one-wp-security-and-firewall/", "All-In-One Security", closesREST, true},
		{"sucuri-scanner/", "Sucuri Security", closesREST, true},
		{"wp-cerber/", "WP Cerber Security", closesREST, true},
		{"defender-security/", "Defender Security", closesREST, true},
		{"really-simple-ssl/", "Really Simple Security", closesREST, true},

		{"memberpress/", "MemberPress", members, true},
		{"paid-memberships-pro/", "Paid Memberships Pro", members, true},
		{"restrict-content-pro/", "Restrict Content Pro", members, true},
		{"restrict-content/", "Restrict Content", members, true},
		{"members/", "Members", members, true},
		{"ultimate-member/", "Ultimate Member", members, true},
		{"s2member/", "s2Member", members, true},
		{"wishlist-member/", "WishList Member", members, true},
		{"woocommerce-memberships/", "WooCommerce Memberships", members, true},
		{"content-control/", "Content Control", members, true},
		{"user-access-manager/", "User Access Manager", members, true},
		{"groups/", "Groups", members, true},
		{"force-login/", "Force Login", closesREST, true},
		{"wp-force-login/", "Force Login", closesREST, true},
		{"jonradio-private-site/", "My Private Site", closesREST, true},
		{"password-protected/", "Password Protected", closesREST, true},

		{"cdn-enabler/", "CDN Enabler", rewrites, false},
		{"amazon-s3-and-cloudfront/", "WP Offload Media", rewrites, false},
		{"amazon-s3-and-cloudfront-pro/", "WP Offload Media", rewrites, false},
		{"jetpack/", "Jetpack", rewrites + ", by its image CDN", false},
		{"wp-smushit/", "Smush", rewrites + ", by its image CDN", false},
		{"shortpixel-adaptive-images/", "ShortPixel Adaptive Images", rewrites, false},
		{"ewww-image-optimizer/", "EWWW Image Optimizer", rewrites, false},
		{"optimole-wp/", "Optimole", rewrites, false},
		{"bunnycdn/", "bunny.net", rewrites, false},
	}
}

// KnownPlugins returns the active plugins that are known to change responses, each with its main
// file.
func (d *Document) KnownPlugins() map[string]Plugin {
	found := map[string]Plugin{}
	for _, file := range d.Texts(Plugins) {
		for _, p := range KnownPlugins() {
			if strings.HasPrefix(file, p.Prefix) {
				found[file] = p
				break
			}
		}
	}
	return found
}
