// Package synthetic generates calendars of any size, for measurements and tests. They are
// always the same, so that a program can compute their contents.
//
//	calendar.go       events and what they refer to
//	administrator.go  a user who may write; index statistics
//	bulk.go           inserts rows in blocks
//
// It fills existing tables of either engine through database/sql. Of this module it imports
// only PHP's values and their serialized form.
package synthetic
