package sitedb

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
)

// KnownTerms returns the result of TermsOf of the transaction's Terms. It comes from memory
// if an earlier transaction has read the same ids and no term has changed since. Counts may
// be outdated. A term that is deleted meanwhile is detected when it is counted. The caller
// must not change the terms.
//
// name is a slug to lock that a new post of a site without language plugin will probably get, the
// zero Name for none. Where the terms are read, whether it is free is read in the same round trip;
// if the post gets another slug, that statement was for nothing.
func (tx *Tx) KnownTerms(ctx context.Context, ids map[string][]int64, name wpstore.PostName) ([]wpstore.Term, error) {
	if name.Slug != "" {
		if err := tx.PostEditor.LockNames(ctx, name); err != nil {
			return nil, err
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	asked := question(ids)
	if terms, known := tx.rows.Known.Terms(asked); known {
		return terms, nil
	}
	var terms []wpstore.Term
	b := sqlconn.NewBatch(tx.rows.Runner)
	if err := tx.Terms.QueueTermsOf(b, ids, &terms); err != nil {
		return nil, err
	}
	if err := tx.PostEditor.QueueName(ctx, b, name); err != nil {
		return nil, err
	}
	if err := b.Send(ctx); err != nil {
		return nil, err
	}
	tx.rows.Known.SetTerms(asked, terms)
	return terms, nil
}

// question returns the key under which the terms of ids by taxonomy are stored.
func question(ids map[string][]int64) string {
	var key []byte
	for _, taxonomy := range slices.Sorted(maps.Keys(ids)) {
		key = append(append(key, taxonomy...), ':')
		for _, id := range ids[taxonomy] {
			key = append(strconv.AppendInt(key, id, 10), ',')
		}
	}
	return string(key)
}
