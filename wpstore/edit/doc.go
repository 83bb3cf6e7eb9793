// Package edit saves posts and terms like WordPress's own functions, with everything that
// they write along: slugs, dates, revisions, counts, cron events, and the rows that The
// Events Calendar derives from events.
//
//	post.go           Posts and PostEdit: one post while a request changes it; what it reads
//	                  within the transaction
//	post_save.go      Save: wp_insert_post, for a new post and for a stored one
//	post_read.go      what an update reads
//	post_name.go      which slug a post gets; slug.go makes it unique
//	post_terms.go     the terms of a post, and their counts
//	post_trash.go     into the trash; post_delete.go removes for good
//	publish_linked.go drafts of venues and organizers that an event publishes
//	revision.go       copies of the texts of a post
//	attachment.go     a new file of the library
//	term.go           Terms; term_insert.go, term_update.go, term_delete.go, term_slug.go
//	occurrence.go     Calendar: the rows of an event's dates; event_range.go the span of all
//	links.go          Links of events to venues and organizers
//
// # What always holds
//
//   - An editor is for one attempt of one transaction. A rollback leaves nothing behind.
//   - Metadata changes in memory: Flush writes it, Save writes the row. Locks last until
//     the transaction ends.
//   - Number and order of the statements are WordPress's, and tests pin them: automatic
//     ids depend on them.
//   - The language plugin acts through langplugin.PostWriter and TermWriter, which are
//     called where WordPress has hooks.
//
// # A new event, step by step
//
// What a POST of an event does below its handler; statements are in parentheses.
//
//	sitedb.Write      user, zone, rules → a transaction (write.turn), retried once after a
//	                  conflict; a Tx of stores and editors
//	Posts.New         the fields of the request → a PostEdit
//	PostEdit.Save     Rules.Clean filters the texts; setDates and schedule → dates and status;
//	                  setName → a free slug (posts.slug_taken, within PostWriter.Rivals)
//	  insert          the row (posts.insert) → its id and a MetaEdit; PostWriter.PostCreated files
//	                  it under its language; guid (posts.update)
//	  assignTerms     Terms, as PostWriter.TermsOfPost wants them → relations and counts
//	                  (terms.wanted_and_had, terms.assign)
//	PostEdit.Meta     the handler sets metadata, in memory
//	PostEdit.Flush    PostWriter.MetaChanged, then the rows (meta.insert)
//	Calendar          SyncEvent: metadata → rows of dates (events.save_row, occurrences.insert);
//	                  UpdateRange and MarkSaved: options
//	Writer.Finish     the language plugin's last step
//	ChangeSet         what changed → Changes (terms.of_taxonomy_ids), and after COMMIT tags for
//	                  the tracker and the companion plugin's notice
//
// It writes through package rowedit, reads through the stores of posts and terms that
// sitedb passes in, and imports no plugin.
package edit
