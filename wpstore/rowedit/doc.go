// Package rowedit changes the rows of a WordPress database within one transaction:
// options, WordPress's list of cron events, metadata, relations of objects and terms,
// and the posts table; and it notes whose rows it changed.
//
// It knows what WordPress keeps in these rows, but not when: saving a post or a term
// with all that follows is for package edit, and languages are for their plugins,
// which both use this package.
//
//	rows.go       Rows: the Runner of a transaction, its one instant, its user
//	changes.go    ChangeSet, and what caches are told of it; the tables written to
//	option.go     Options
//	cron.go       Cron
//	meta.go       Metas: lock, write; meta_edit.go changes metadata in memory
//	post.go       Posts: lock rows, write the columns that differ
//	term.go       Terms: relate, count, and the option of the children of terms
//	slug.go       slugs that nothing else has, names that are the same
//
// # What always holds
//
//   - Every row that is written is noted in Rows.Changed before the statement: what
//     is not noted stays in caches.
//   - Columns are written in the order given, and statements in the order of the
//     calls, which is WordPress's.
//   - Texts that change row by row and that WordPress may change at the same time are
//     read FOR UPDATE first (Locked, Lock).
//   - Nothing is kept between transactions: all types are made for one.
//
// It runs statements on a sqlconn.Runner, and imports no store, no plugin and no edit.
package rowedit
