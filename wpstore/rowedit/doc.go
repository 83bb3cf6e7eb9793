// Package rowedit changes the rows of a WordPress database within one transaction and notes
// what changed. It writes single rows: package edit saves whole posts and terms with it,
// and the language plugins file them.
//
//	rows.go       Rows: single rows, with the Runner of a transaction, its time and its user
//	changes.go    ChangeSet: what changed, for caches; the tables that writes change
//	save.go       Save: what a function of WordPress would have done, for its hooks
//	option.go     Options, and which of them are locked
//	locks.go      locks of what has no row of its own
//	counts.go     Counts of terms, which are written last
//	known.go      Known: what a transaction need not read, and what it leaves behind
//	cron.go       Cron: WordPress's list of scheduled events
//	meta.go       Metas: lock, write; meta_edit.go changes metadata in memory
//	post.go       Posts: lock rows, write the columns that differ
//	term.go       Terms: relate, and the option of the children of terms
//	slug.go       unique slugs, equal names
//
// # What always holds
//
//   - Every row is noted in Rows.Changed before it is written: caches don't invalidate
//     anything else.
//   - Columns and statements are written in the order of the calls, which is WordPress's.
//   - Texts that WordPress may change at the same time are locked first (Locked, Lock).
//   - Counts and Cron collect what is due, and are written last.
//   - All types are for one transaction.
//
// It runs statements on a sqlconn.Runner, and imports no store, no plugin and not edit.
package rowedit
