// Package wpstore has the types in which a WordPress database is spoken of in the
// terms of a calendar: posts, metas, terms, users, the facts of a site, queries of
// events, and the errors of reading and writing them. It knows no SQL, and imports
// none of the packages below it but leaves; they read and write the database, and
// package sitedb opens it.
//
// # Where things are
//
// Under the site's table prefix (wp_, and wp_3_ for the third site of a network):
//
//	posts               events (tribe_events), venues (tribe_venue), organizers
//	                    (tribe_organizer), images (attachment); status, dates, texts
//	postmeta            everything else about them, by name: _EventStartDate,
//	                    _EventVenueID, _thumbnail_id …; several rows of one name make
//	                    a list in the order of meta_id
//	terms               names and slugs
//	term_taxonomy       a term as category (tribe_events_cat) or tag (post_tag), its
//	                    parent, and how many published posts carry it
//	term_relationships  which post carries which term_taxonomy_id, which is not
//	                    always the term_id
//	options             settings; many are in PHP's serialized form
//	tec_events          the calendar's own dates of an event
//	tec_occurrences     one row per date on which an event takes place; lists are
//	                    filtered and ordered by it alone
//
// Under the prefix of the network: users, usermeta, and sitemeta with the
// network's settings. The capabilities of a user are in the user meta
// {prefix}capabilities, so that each site has its own.
//
// Dates are texts, "2026-11-21 12:00:00", as stored. Zero dates are common. Each has
// a twin in UTC (post_date_gmt, start_date_utc); the plain one is in the site's zone,
// for events in the event's own.
package wpstore
