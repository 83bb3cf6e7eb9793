package sitedb

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"calbridge/wpstore"
	"calbridge/wpstore/rowedit"
)

// KnownTerms is TermsOf of the transaction's Terms, from memory where an earlier transaction
// has asked the same and nobody has changed a term since. Counts may be old ones. A term that
// is deleted meanwhile is noticed when it is counted. The caller must not change the terms.
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

// question returns what the terms of ids by taxonomy are known by.
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
