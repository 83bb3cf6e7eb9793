package sitedb

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"calbridge/wpstore"
	"calbridge/wpstore/rowedit"
)

// KnownTerms returns the result of TermsOf of the transaction's Terms. It comes from memory
// if an earlier transaction has read the same ids and no term has changed since. Counts may
// be outdated. A term that is deleted meanwhile is detected when it is counted. The caller
// must not change the terms.
func (tx *Tx) KnownTerms(ctx context.Context, ids map[string][]int64) ([]wpstore.Term, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	asked := question(ids)
	if terms, known := rowedit.KnownTerms(tx.rows, asked); known {
		return terms, nil
	}
	terms, err := tx.Terms.TermsOf(ctx, ids)
	if err == nil {
		rowedit.TermsRead(tx.rows, asked, terms)
	}
	return terms, err
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
