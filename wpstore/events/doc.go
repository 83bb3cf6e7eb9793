// Package events lists events, and venues and organizers by themselves and by their
// events, as SQL.
//
//	query.go      Store: a wpstore.EventQuery becomes a page, from an Index where there is
//	              one, else by one statement
//	select.go     the statement: joins and conditions; dates.go: where the dates are
//	order.go      the order of a list
//	filters.go    the table of filters
//	walk.go       pages read in the order of an index by start, if the owner has added one
//	languages.go  lists that count the events of a second language
//	key.go        when two statements are the same, so that it is built once
//	linked.go     LinkedStore: venues and organizers
//	indexed.go    lists from an Index, for both stores
//	source.go     Source: the rows that package eventindex is made of
//	searches.go   searches among the candidates of package searchindex
//	search_source.go
//	              SearchSource: the texts that package searchindex is made of
//
// A filter is added with a row in filters.go, a row for its argument in the table of package
// routes, and a description in each language of i18n. Cache keys, walks, the index, the URL of
// the list and its changes follow. A condition that is more than a filter is a field of
// [wpstore.EventQuery] with its condition in select.go; TestEveryFieldSelects fails otherwise.
//
// It imports sqlconn, langplugin, eventindex, searchindex and, for the Source, options.
package events
