package sitedb

// dialect holds the few places where MySQL and SQLite want different SQL. The
// arguments are SQL expressions, never values.
type dialect interface {
	engine() string
	// castSigned is the leading integer of a text, 0 when there is none:
	// CAST(expr AS SIGNED).
	castSigned(expr string) string
	// castDatetime is the text as "YYYY-MM-DD HH:MM:SS", NULL when it is no date:
	// CAST(expr AS DATETIME).
	castDatetime(expr string) string
	// binary makes comparisons and ordering of expr go by bytes instead of by the
	// column's collation.
	binary(expr string) string
	// forUpdate is the end of a SELECT that locks its rows until the transaction
	// ends; "" where transactions lock everything anyway.
	forUpdate() string
	// classify sorts an error of this engine's driver.
	classify(err error) failure
}

// textCollation is the collation of WordPress's text columns on every server
// that has it; SQLite gets an emulation under the same name.
const textCollation = "utf8mb4_unicode_520_ci"
