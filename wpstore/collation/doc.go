// Package collation compares text as MySQL and MariaDB do under
// utf8mb4_unicode_520_ci, the collation of WordPress's tables.
//
// That collation knows only the primary weights of the Unicode Collation
// Algorithm 5.2: case and accents do not count, combining marks weigh nothing,
// trailing spaces are padding, punctuation and symbols count and come before
// digits and letters. Each character has the weights of the default Unicode
// table, without contractions and without a language's own order; characters
// without an entry, Chinese for one, get two weights computed from their code
// point. weights.bin holds the table; the test that compares it with a server's
// WEIGHT_STRING writes it anew under -update.
//
// SQLite uses this package for ordering, equality and LIKE.
package collation
