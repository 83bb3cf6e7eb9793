// Package wpstore has the types in which a WordPress database is spoken of in the
// terms of a calendar: posts, metadata, terms, users, the facts of a site, queries of
// lists, and the errors of reading and writing them. It knows no SQL and no server.
//
//	post.go, meta.go, term.go, user.go   rows, as stored
//	event_query.go, linked_query.go      queries of lists, and their pages
//	language.go                          restricts a query to a language
//	site.go                              what the options say about a site
//	errors.go                            errors that callers tell apart
//
// # The packages below
//
// Each imports only such as stand above it, this one, and leaves.
//
//	table        names of tables
//	sqlconn      servers, dialects, and the Runner of named statements
//	rowcache     rows by id, until an invalidation
//	schema       descriptions of the tables
//	changefeed   what others change, by the binary log
//	rowedit      rows of a transaction, and what they change
//	langplugin   the interface of language plugins; wpml and polylang implement it
//	terms, posts, users, options
//	             stores: ids in, rows out
//	eventindex   lists of events from memory
//	events       lists of events, venues and organizers, as SQL
//	edit         saves posts and terms as WordPress does
//	check        looks whether a database can be served
//	sitedb       puts all of it together: opens a site, makes the Session of a request and
//	             the Tx of a write
//
// Leaves are php, phpserial, collation, invalidation, binlog, mysqlwire, ddl, sqlite,
// wpconfig and wpdump. For demonstrations and tests there are sample, synthetic,
// mariadbd and wptest.
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
// # What holds everywhere
//
//   - Dates are texts, "2026-11-21 12:00:00", as stored. Zero dates are common.
//     Each has a twin in UTC (post_date_gmt, start_date_utc); the plain one is in
//     the site's zone, for events in the event's own.
//   - Texts compare as the column's collation says, normally without regard to
//     case, accents and trailing spaces; see package collation. Where PHP compares
//     by bytes, so do the stores.
//   - Loaders take ids in any order and number, and answer by id; what does not
//     exist is not in the answer. The number of queries of a call does not depend
//     on the number of rows, and each method tells it.
//   - Errors match [ErrUnavailable] when the database cannot be asked, and
//     [ErrSchema] when a table or column is not there.
package wpstore
