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
//	sitedb.Write      user, zone, rules → a transaction, run again after a conflict; a Tx of
//	                  stores and editors
//	Posts.New         the fields of the request → a PostEdit
//	PostEdit.Save     Rules.Clean filters the texts; setDates and schedule → dates and status;
//	                  setName → a free slug (names.lock, posts.slug_taken, within
//	                  PostWriter.Rivals)
//	  insert          the row (posts.insert) → its id and a MetaEdit; PostWriter.PostCreated files
//	                  it under its language; guid (posts.update)
//	  assignTerms     Terms, as PostWriter.TermsOfPost wants them → relations
//	                  (terms.wanted_and_had, terms.assign); counts are due
//	PostEdit.Meta     the handler sets metadata, in memory
//	PostEdit.Flush    PostWriter.MetaChanged, then the rows (meta.insert)
//	Calendar          SyncEvent: metadata → rows of dates (events.save_row, occurrences.insert)
//	Rows.WriteCounts  counts (terms.lock_counts, terms.recount, terms.counted)
//	Writer.Finish     the language plugin's last step
//	Rows.Finish       cron
//	ChangeSet         what changed → Changes, and after COMMIT tags for the tracker and the
//	                  companion plugin's notice
//	Calendar          UpdateRange and MarkSaved: options, in a transaction for all events that
//	                  were saved meanwhile; a writer that is alone does it before its COMMIT
//
// # Locks
//
// Two transactions wait for each other only where one invariant holds for both. All locks
// are those of rows that exist, and last until COMMIT. They are taken in this order, as far
// as a request needs them; where it can't hold, a deadlock makes one of two run again.
//
//	names         a slug that a post may get, the title of a new venue or organizer, the URL
//	              of a new picture: one of 64 rows of options, by a hash (Rows.LockNames)
//	terms         names, slugs, parents and children of terms, groups of translations, when
//	              a term is made, changed or deleted: the row of siteurl (Rows.LockTerms)
//	posts         a post and its metadata, with all that hangs on it (rowedit.Posts.Lock)
//	counts        the rows of all terms whose objects changed, before they are counted
//	              (Rows.WriteCounts)
//	cron          the option, before it is changed (Rows.Finish)
//	groups        the numbers of WPML's groups: the row of home (Rows.LockGroups)
//	the calendar  its options, before the range of all events is read (Calendar.UpdateRange)
//
// A process that is killed leaves all rows of a request or none, except for the calendar's
// options: those are as before until the next save or start, as PHP leaves them when it
// ends before its last hook.
//
// It writes through package rowedit, reads through the stores of posts and terms that
// sitedb passes in, and imports no plugin.
package edit
