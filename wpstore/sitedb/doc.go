// Package sitedb opens the database of a WordPress site, and puts the packages that
// read and write it together. It makes no queries of its own but one, which takes turns.
//
//	config.go, db.go  Config, and DB: what all requests share
//	session.go        Session: the stores of one request
//	write.go          Write and Tx: the stores and editors of one transaction
//	changes.go        what the change feed tells besides what the log does
//	dependencies.go   on which sets the result of a named query depends
//	check.go          checks of a database; schema.go makes its tables
//
// # A request
//
//	DB.Session        what it depends on is to be noted, or not → a Session on a Runner
//	AllowCache        rows may come from the cache of rows, lists from the event index
//	UseReplica        the rest is read from a replica, where one is fit
//	KeepConnection    … and over one connection, until done
//	Session.Posts …   ids and queries → rows
//	Session.Queries   how many statements it took
//
// What decides rights is read before UseReplica. For a write see package edit.
//
// # What always holds
//
//   - A DB and a Tx hold no more in common than the stores' type: those of a Session run
//     on its Runner, those of a Tx on the Runner of its transaction.
//   - Within a transaction no rows come from a cache and no list from the index.
//   - What a transaction has changed is told to [Config.Tracker] before [Write] returns;
//     what others change, by [DB.Feed].
//   - A query whose name dependencies.go does not list depends on everything.
//
// Only cmd and rest import it.
package sitedb
