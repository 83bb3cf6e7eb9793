// Package collation compares text as MySQL and MariaDB do under utf8mb4_unicode_520_ci, the
// collation of WordPress's tables.
//
//	compare.go  order and equality
//	like.go     LIKE patterns
//	weights.go  the weights of characters, unpacked from weights.bin
//
// The collation uses only the primary weights of the Unicode Collation Algorithm 5.2. Case
// and accents are ignored, combining marks weigh nothing, trailing spaces are padding, and
// punctuation and symbols come before digits and letters. There are no contractions and no
// language-specific rules. Characters without an entry, such as Chinese, get two weights
// computed from their code point. The test that compares the table with a server's
// WEIGHT_STRING rewrites weights.bin under -update.
//
// SQLite uses this package for ordering, equality and LIKE. It imports nothing of this
// module.
package collation
