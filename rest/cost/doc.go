// Package cost reads and writes the prices of events as The Events Calendar does.
//
// It turns text, such as "10-20" or "Free", as stored or as sent with a request, into entries, the
// text of a range, and plain numbers.
//
//	entry.go    entries of a list of texts, their order, the lowest and the highest
//	numbers.go  numbers within text, their separators and decimals
//	format.go   currency of an event, the range as text, the values as numbers
//
// It reads neither the database nor requests, and must not import render, read or edit.
package cost
