// Package edit saves posts and terms as WordPress's own functions do, with all that they
// write along: slugs, dates, revisions, counts, cron events, and the rows that The
// Events Calendar derives from events.
//
//	post.go           Posts and PostEdit: one post while a request changes it
//	post_save.go      Save: wp_insert_post, for a new post and for a stored one
//	post_name.go      which slug a post gets; slug.go makes it unique
//	post_terms.go     the terms of a post, and their counts
//	post_trash.go     into the trash; post_delete.go removes for good
//	publish_linked.go drafts of venues and organizers that an event publishes
//	revision.go       copies of the texts of a post
//	attachment.go     a new file of the library
//	term.go           Terms; term_insert.go, term_update.go, term_delete.go, term_slug.go
//	occurrence.go     Calendar: the rows of an event's dates; event_range.go the span of all
//	links.go          Links of events to venues and organizers
//	reader.go         what it reads inside of the transaction
//
// # What always holds
//
//   - An editor is for one attempt of one transaction. Nothing but rows is left behind
//     when the attempt is taken back.
//   - Metadata changes in memory and is written by Flush; the row by Save. What was
//     locked stays locked until the transaction ends.
//   - Names, number and order of the statements are WordPress's and pinned by tests:
//     automatic ids follow from them.
//   - Languages are asked of langplugin.PostWriter and TermWriter, at the points of
//     WordPress's hooks.
//
// It writes through package rowedit, reads through the stores of posts and terms that
// sitedb hands it, and imports no plugin.
package edit
