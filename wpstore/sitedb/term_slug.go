package sitedb

import (
	"context"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// uniqueTermSlug makes a slug that no other term of the taxonomy, or of a language, has: with the
// slugs of its ancestors appended one after the other, and if that does not help,
// with a number. An empty slug stays.
func (tx *Tx) uniqueTermSlug(ctx context.Context, slug, taxonomy string, id, parent int64, in wpstore.InLanguage) (string, error) {
	if slug == "" {
		return "", nil
	}
	taken, err := tx.termSlugTaken(ctx, slug, taxonomy, id, in)
	if err != nil || !taken {
		return slug, err
	}
	if parent != 0 {
		tree, err := tx.TermTree(ctx, taxonomy)
		if err != nil {
			return "", err
		}
		seen := map[int64]bool{}
		for at := parent; at != 0 && !seen[at]; at = tree[at].Parent {
			seen[at] = true
			if tree[at].Slug == "" {
				break
			}
			slug += "-" + tree[at].Slug
			if taken, err := tx.termSlugTaken(ctx, slug, taxonomy, id, in); err != nil || !taken && len(slug) <= slugSize {
				return slug, err
			}
		}
	}
	for n := int64(2); ; n++ {
		suffix := "-" + formatID(n)
		candidate := cutSlug(slug, slugSize-len(suffix)) + suffix
		if taken, err := tx.termSlugTaken(ctx, candidate, taxonomy, id, in); err != nil || !taken {
			return candidate, err
		}
	}
}

func (tx *Tx) termSlugTaken(ctx context.Context, slug, taxonomy string, id int64, in wpstore.InLanguage) (bool, error) {
	n, err := tx.number(ctx, "terms.slug_taken", tx.joinTerms(tx.terms(taxonomy, "COUNT(*)"), in, taxonomy).
		Where(sq.Eq{"t.slug": slug}).Where(sq.NotEq{"t.term_id": id}))
	return n > 0, err
}
