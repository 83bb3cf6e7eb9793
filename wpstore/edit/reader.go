package edit

import (
	"context"

	"calbridge/wpstore"
	"calbridge/wpstore/rowedit"
)

// PostReader reads posts inside of the transaction.
type PostReader interface {
	rowedit.PostReader
	PostHeads(ctx context.Context, ids []int64) (map[int64]wpstore.PostHead, error)
}

// TermReader reads terms inside of the transaction.
type TermReader interface {
	Terms(ctx context.Context, taxonomy string, ids []int64) (map[int64]wpstore.Term, error)
	PostTerms(ctx context.Context, postIDs []int64, taxonomies []string) (map[int64][]wpstore.Term, error)
	TermTree(ctx context.Context, taxonomy string) (map[int64]wpstore.Term, error)
}
