// Package wpstore has the types of a WordPress database with a calendar: posts, metadata,
// terms, users, the facts of a site, queries for lists, and errors. It has no SQL and
// opens no connection.
//
//	post.go, meta.go, term.go, user.go   rows, as stored
//	meta_key.go                          keys of metadata, and how PHP reads each
//	event_query.go, linked_query.go      queries for lists, and their pages
//	language.go                          restricts a query to a language
//	site.go                              the options of a site
//	errors.go                            errors that callers distinguish
//
// # The packages below
//
// Each imports only packages above it, this one, and leaves.
//
//	table        names of tables
//	sqlconn      servers, dialects, and the Runner of named statements
//	rowcache     rows by id, until an invalidation
//	schema       descriptions of the tables
//	countcache   counts of terms that need not be counted again
//	changefeed   changes by others, from the binary log
//	rowedit      rows of a transaction, and what changed
//	langplugin   the interface of language plugins; wpml and polylang implement it
//	terms, posts, users, options
//	             stores: ids in, rows out
//	eventindex   lists of events from memory
//	searchindex  candidates of searches from memory
//	events       lists of events, venues and organizers, as SQL
//	edit         saves posts and terms as WordPress does
//	check        checks whether a database can be served
//	sitedb       combines all of it: opens a site, makes the Session of a request and the
//	             Tx of a write
//
// # A write, from above
//
//	sitedb.Write         opens a transaction and runs it again after a conflict
//	edit.Posts, Terms    decide what WordPress would store; PostEdit is one post meanwhile
//	rowedit.Rows         writes rows of single tables, and notes in a ChangeSet what changed
//	sqlconn.Runner       sends statements: those without a result with the next one that has one,
//	                     those of a Batch together
//	Counts.Write     counts of terms, last, with what package countcache knows of them
//	countcache.Memory    gets what the transaction leaves behind, at COMMIT
//	invalidation, notice get the changes, after COMMIT
//	sitedb.finisher      writes the calendar's options for all that were saved meanwhile
//
// The doc.go of package edit has each step with its statements.
//
// wpconfig and wpfolder read the files of a site without running them, with langpack and
// phptoken.
//
// Leaves are dbaddr, php, phpserial, collation, invalidation, countcache, binlog, mysqlwire, ddl,
// sqlite and phptoken. For demonstrations and tests there are sample, synthetic,
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
//	tec_occurrences     one row per date on which an event takes place, which filters
//	                    and orders lists
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
//   - Texts compare under the column's collation, which normally ignores case, accents
//     and trailing spaces; see package collation. Where PHP compares bytes, so do the
//     stores.
//   - Loaders take any number of ids in any order and return rows by id, without ids that
//     don't exist. The number of queries of a call doesn't depend on the number of rows.
//   - Errors match [ErrUnavailable] if the database can't be reached, and [ErrSchema] if a
//     table or column is missing.
package wpstore
