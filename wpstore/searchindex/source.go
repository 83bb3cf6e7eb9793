package searchindex

import "context"

// Source reads the site's database. It is used by one goroutine at a time. Each method takes one
// query, except Classes. Texts are valid until the function that gets them returns.
type Source interface {
	// Columns returns the collations of the columns that searches compare, once each. It is empty
	// if the texts of connections aren't UTF-8, or without a server.
	Columns(ctx context.Context) ([]Collation, error)
	// Weights calls each with the weights of the characters from first to last that the
	// collation's character set has.
	Weights(ctx context.Context, c Collation, first, last rune, each func(r rune, weights []byte)) error
	// IDs returns the ids of all posts that are searched, in any order.
	IDs(ctx context.Context) ([]int64, error)
	// Texts calls each with the texts of those of the posts that are searched, at least once for
	// each of them. The ids are ascending.
	Texts(ctx context.Context, ids []int64, each func(id int64, texts ...[]byte)) error
}

// Collation names a collation, its character set and the version of the server, in which the same characters
// weigh the same.
type Collation struct{ Charset, Name, Server string }
