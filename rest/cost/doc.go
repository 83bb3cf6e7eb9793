// Package cost reads and writes the prices of events as The Events Calendar does.
//
// What goes in is text as it is stored or as a request gives it, such as "10-20" or
// "Free"; what comes out is entries, the text of a range, and plain numbers.
//
//   - entry.go: the entries of a list of texts, their order, the lowest and the highest
//   - numbers.go: numbers within text, their separators and decimals
//   - format.go: the currency of an event, the range as text, the values as numbers
//
// It reads neither database nor request, and imports none of render, read and edit.
package cost
