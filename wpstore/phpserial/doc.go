// Package phpserial reads and writes the format of PHP's serialize, in which WordPress
// stores arrays in its options and meta tables.
//
//	serialize.go    Serialize
//	unserialize.go  Unserialize: scalars and lengths; nested.go arrays, objects, references
//	maybe.go        values of options and metadata, which may be serialized
//
// Objects are read as data (php.Object); no class is instantiated. Input is limited in
// length, in depth, and in the number of values that references stand for. A result never
// contains itself. The package imports only php.
//
// Source: PHP 8.2's serialize and unserialize, and WordPress's rule for which texts are
// serialized.
package phpserial
