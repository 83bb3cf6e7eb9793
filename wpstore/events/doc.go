// Package events lists events, and venues and organizers by themselves and by their
// events, as SQL.
//
//	query.go      Store: a wpstore.EventQuery becomes a page, from an Index where there is
//	              one, else by one statement
//	select.go     the statement: joins and conditions; dates.go says where the dates are
//	walk.go       pages read in the order of an index by start, if the owner has added one
//	languages.go  lists that count the events of a second language
//	key.go        when two statements are the same, so that it is built once
//	linked.go     LinkedStore: venues and organizers
//	indexed.go    lists from an Index, for both stores
//	source.go     Source: the rows that package eventindex is made of
//
// A field added to [wpstore.EventQuery] has its condition in select.go, and its place in
// key.go: TestEveryFieldSelects and TestEventKey say which of them ignores it.
//
// It imports sqlconn, langplugin, eventindex and, for the Source, options.
package events
