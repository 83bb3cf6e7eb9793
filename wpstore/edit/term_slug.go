package edit

import (
	"context"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/terms"
)

// termSlugs finds the slugs of terms.
type termSlugs struct {
	terms   rowedit.Terms
	tree    TermReader
	plugins langplugin.Plugins
}

// unique makes a slug that no other term of the taxonomy and language has: it appends the
// slugs of the ancestors one by one, and at last a number. An empty slug stays.
func (s termSlugs) unique(ctx context.Context, slug, taxonomy string, id, parent int64, in wpstore.InLanguage) (string, error) {
	if slug == "" {
		return "", nil
	}
	taken, err := s.taken(ctx, slug, taxonomy, id, in)
	if err != nil || !taken {
		return slug, err
	}
	if parent != 0 {
		tree, err := s.tree.TermTree(ctx, taxonomy)
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
			if taken, err := s.taken(ctx, slug, taxonomy, id, in); err != nil || !taken && len(slug) <= rowedit.SlugSize {
				return slug, err
			}
		}
	}
	return rowedit.NumberedSlug(ctx, slug, func(ctx context.Context, candidate string) (bool, error) {
		return s.taken(ctx, candidate, taxonomy, id, in)
	})
}

func (s termSlugs) taken(ctx context.Context, slug, taxonomy string, id int64, in wpstore.InLanguage) (bool, error) {
	others := s.plugins.Of(in.Plugin).JoinTerms(terms.Select(s.terms.Rows.Tables, taxonomy, "COUNT(*)"), in, taxonomy)
	return s.terms.SlugTaken(ctx, others, slug, id)
}
