// Package synthetic makes calendars of any size, for measurements and tests: always
// the same ones, of which a program can tell what is in them without asking.
//
// calendar.go makes events and what they refer to, administrator.go a user who may
// write, bulk.go inserts rows in blocks. It writes to tables that exist, on both
// engines, through database/sql; of this module it imports PHP's values and their
// serialized form only.
package synthetic
