package edit

import (
	"context"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// slugs finds the slugs of posts, which are unique among the posts of a type.
type slugs struct {
	rows      *rowedit.Rows
	languages langplugin.PostWriter
	// expected is a locked slug that a new post will probably get, and how many posts have it.
	expected wpstore.PostName
	posts    int64
}

// reservedSlugs returns the paths of WordPress's feeds and embeds.
func reservedSlugs() []string {
	return []string{"feed", "rdf", "rss", "rss2", "atom", "embed"}
}

// unique appends -2, -3 and so on to a slug until no other post of the type, whatever its
// status, has it. It locks the slug, unless it is the one that the post has: then the
// others see it.
func (s slugs) unique(ctx context.Context, slug, stored string, id int64, postType string) (string, error) {
	if !slices.Contains(reservedSlugs(), slug) {
		check := s.lockedTaken
		if slug == stored {
			check = s.taken
		}
		taken, err := check(ctx, slug, id, postType)
		if err != nil || !taken {
			return slug, err
		}
	}
	similar, err := s.similar(ctx, slug, id, postType)
	if err != nil {
		return "", err
	}
	return rowedit.NumberedSlug(ctx, slug, func(ctx context.Context, candidate string) (bool, error) {
		if similar[candidate] {
			return true, nil
		}
		// Under the collation more slugs are equal.
		return s.lockedTaken(ctx, candidate, id, postType)
	})
}

// lockedTaken does what taken does for a slug that stays as it is until the transaction ends.
func (s slugs) lockedTaken(ctx context.Context, slug string, id int64, postType string) (bool, error) {
	if err := s.rows.Locks.Names(ctx, wpstore.PostName{Type: postType, Slug: slug}); err != nil {
		return false, err
	}
	return s.taken(ctx, slug, id, postType)
}

// queue locks a slug that a new post of a site without language plugin will probably get, and
// queues the query that finds out whether it is free.
func (s *slugs) queue(ctx context.Context, b *sqlconn.Batch, name wpstore.PostName) error {
	if name.Slug == "" || slices.Contains(reservedSlugs(), name.Slug) {
		return nil
	}
	if err := s.rows.Locks.Names(ctx, name); err != nil {
		return err
	}
	query, err := s.rows.Templates().Shaped("posts.slug_taken", "", []any{name.Slug, name.Type}, func() sq.Sqlizer {
		return s.sameSlug(name.Slug, name.Type)
	})
	if err == nil {
		s.expected = name
		b.Number("posts.slug_taken", query, &s.posts)
	}
	return err
}

// sameSlug counts the posts of a type with a slug.
func (s slugs) sameSlug(slug, postType string) sq.SelectBuilder {
	return sq.Select("COUNT(*)").From(s.rows.Table("posts")).Where(sq.Eq{"post_name": slug, "post_type": postType})
}

func (s slugs) taken(ctx context.Context, slug string, id int64, postType string) (bool, error) {
	if id == 0 && s.expected == (wpstore.PostName{Type: postType, Slug: slug}) {
		return s.posts > 0, nil
	}
	query, err := s.takenQuery(ctx, slug, id, postType)
	if err != nil {
		return false, err
	}
	n, err := s.rows.Number(ctx, "posts.slug_taken", query)
	return n > 0, err
}

// takenQuery counts the other posts with a slug.
func (s slugs) takenQuery(ctx context.Context, slug string, id int64, postType string) (sq.SelectBuilder, error) {
	same := s.sameSlug(slug, postType)
	if id != 0 {
		same = same.Where(sq.NotEq{"ID": id})
	}
	return s.languages.Rivals(ctx, same, id, postType)
}

// similar returns the slugs that begin with what all variants of a slug have in common.
func (s slugs) similar(ctx context.Context, slug string, id int64, postType string) (map[string]bool, error) {
	const longestSuffix = 20
	found := map[string]bool{}
	query, err := s.languages.Rivals(ctx, sq.Select("post_name").From(s.rows.Table("posts")).
		Where(sq.Eq{"post_type": postType}).Where(sq.NotEq{"ID": id}).
		Where("post_name LIKE ?", sqlconn.EscapeLike(rowedit.CutSlug(slug, rowedit.SlugSize-longestSuffix))+"%"), id, postType)
	if err != nil {
		return nil, err
	}
	var name string
	err = s.rows.Query(ctx, "posts.similar_slugs", query, sqlconn.EachRow(func() { found[strings.ToLower(name)] = true }, &name))
	return found, err
}
