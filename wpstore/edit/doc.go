// Package edit saves posts and terms like WordPress's own functions, with everything that
// they write along: slugs, dates, revisions, counts, cron events, and the rows that The
// Events Calendar derives from events.
//
//	post.go           Posts; PostEdit: one post while a request changes it
//	                  within the transaction
//	post_save.go      save, one save of a post: wp_insert_post, for a new one and for a stored one
//	post_read.go      what an update reads, in one batch
//	post_name.go      which slug a post gets; slug.go makes it unique
//	post_written.go   the rows of a post as the transaction leaves them
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
//	Tx.KnownTerms     its terms, from memory or in a batch with the slug that it will probably get
//	                  (names.lock; terms.by_id, posts.slug_taken)
//	Posts.Save        Rules.Clean filters the texts; setDates and schedule → dates and status;
//	                  setName → a free slug, unless the batch has shown that it is (names.lock,
//	                  posts.slug_taken, within PostWriter.Rivals)
//	  insert          the row (posts.insert) → its id and a MetaEdit; where it isn't known up to
//	                  which id posts have terms, occurrences or metadata, that in the same batch
//	                  (posts.used_ids); PostWriter.PostCreated files it under its language; guid
//	                  (posts.update)
//	  assignTerms     Terms, as PostWriter.TermsOfPost wants them → relations
//	                  (terms.assign); counts are due. Where the terms aren't known, or where others
//	                  may have rows of the new id, both are read before (terms.wanted_and_had)
//	PostEdit.Meta     the handler sets metadata, in memory
//	Posts.Flush       PostWriter.MetaChanged, then the rows (meta.insert)
//	Calendar          SyncEvent: metadata → rows of dates (events.save_row, occurrences.insert)
//	Counts.Write      counts: added to and then compared with what is known (terms.add_to_counts,
//	                  terms.lock_counts), or recounted (terms.lock_counts, terms.recount,
//	                  terms.counted)
//	Writer.Finish     the language plugin's last step
//	Cron.Write        cron
//	ChangeSet         what changed → Changes, and after COMMIT tags for the tracker and the
//	                  companion plugin's notice
//	Calendar          SaveRange: options (options.update, options.lock), in a transaction for all
//	                  events that were saved meanwhile; a writer that is alone sends them in one
//	                  batch with its counts, or before its COMMIT where a language plugin or cron
//	                  comes between
//
// These are 15 statements in four round trips, with those that begin and end the transaction, where
// all is known and the slug is free: until the slug is known to be free; the row; all that
// needs its id, up to the batch of the counts and the options; COMMIT.
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
//	              (Counts.Write)
//	cron          the option, before it is changed (Cron.Write)
//	groups        the numbers of WPML's groups: the row of home (Rows.LockGroups)
//	the calendar  its options, before events are read for the range of all (Calendar.UpdateRange)
//
// Neither counts nor the range take longer in a large calendar, where package countcache proves
// that nobody else has changed what they are made of since a transaction of this process has
// written them: the binary log is followed. A count is then changed by what the transaction
// changes. The range is compared with the present dates of the events that have changed, by us
// or by others, as they are read under its lock; all events are read where the first or the
// last one has moved inwards, is no longer public or is gone. Terms by id, and the greatest id of a
// post that has terms, occurrences or metadata, need not be read again either. In a large calendar
// this is also proved before the first write (sitedb.DB.VerifyAhead). Without a followed
// log each write recounts and reads the dates of all events.
//
// # Ids that are given again
//
// The server gives the id of a post again that was deleted by SQL when the table is set back to
// it. Rows that the former post has left are then found, as WordPress finds them: its metadata is
// updated instead of added (meta.left), its terms are replaced or kept and counted, its
// occurrence is updated, its language becomes that of the new post. No statement looks for them
// where the greatest id of such rows is below the new one. A term of which rows are left
// conflicts with their keys; the transaction runs again and gets the next id.
//
// On a Galera cluster, whose nodes don't see each other's locks, names, terms, posts and
// groups also add and delete a row of their own (calbridge_lock_…): of two nodes that do at
// the same time one fails, and its request runs again. Counts, cron and the calendar's options
// are rows that both change anyway, within the transaction.
//
// A process that is killed leaves all rows of a request or none, except for the calendar's
// options: those are as before until the next save or start, as PHP leaves them when it
// ends before its last hook.
//
// It writes through package rowedit, reads through the stores of posts and terms that
// sitedb passes in, and imports no plugin.
package edit
