// Package postlink reads from a post's metadata which other posts it names: the venues
// and organizers of an event, and the picture of any post.
//
// In: metadata as it is stored, in the forms that old versions of the calendar have left
// behind too. Out: ids, whether such posts exist or not. All of it is in postlink.go.
//
// It reads no database and must not import render, read or edit.
package loader
