// Package sitedb opens the database of a WordPress site, and composes the packages that
// read and write it. It has no query of its own.
//
//	config.go, db.go  Config, and DB, which all requests share
//	session.go        Session: the stores of one request
//	write.go          Write and Tx: the stores and editors of one transaction
//	known_terms.go    terms that a transaction need not read
//	verify_ahead.go   counts that the first write of a term need not count
//	written.go        the rows that a transaction leaves, for the response
//	finisher.go       the calendar's options, written once for several transactions
//	dependencies.go   the sets on which the result of a named query depends
//	check.go          checks of a database; schema.go creates its tables
//
// # A request
//
//	DB.Session        a Session on a Runner, which may collect what it depends on
//	AllowCache        rows may come from the row cache, lists from the event index
//	AllowRows         for a request that writes: only rows of posts that it refers to
//	UseReplica        the rest is read from a replica, if one is fit
//	KeepConnection    … and over one connection, until done
//	Session.Posts …   ids and queries → rows
//	Session.Queries   the number of statements
//
// Everything that decides about permissions is read before UseReplica. For a write see
// package edit.
//
// # Invariants
//
//   - DB and Tx share only the type of their stores: a Session's stores run on its Runner,
//     a Tx's on the Runner of its transaction.
//   - Within a transaction no rows come from a cache and no list from the index, except
//     what package countcache proves: [Tx.KnownTerms].
//   - Write returns after the calendar's options are committed too, unless that fails.
//   - What a transaction has changed is invalidated in [Config.Tracker] before [Write]
//     returns; changes by others are invalidated by [DB.Feed].
//   - A query whose name dependencies.go doesn't list depends on everything.
//
// Only cmd and rest import it.
package sitedb
