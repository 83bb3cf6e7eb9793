package sitedb

import (
	"context"
	"database/sql"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	sq "github.com/Masterminds/squirrel"
)

const (
	// slugSize is the size of the column post_name.
	slugSize = 200
	// trashedSuffix frees the slug of a post in the trash.
	trashedSuffix = "__trashed"
	// desiredSlug remembers the slug that a post had before it was trashed.
	desiredSlug = "_wp_desired_post_slug"
)

// reservedSlugs end in a path that WordPress answers with a feed or an embed.
var reservedSlugs = []string{"feed", "rdf", "rss", "rss2", "atom", "embed"}

// setName finds the slug that the post gets: that of before the trash for a post
// that leaves it, one that says so for a post that enters it, else the one that is
// wanted or the title's, made unique. Drafts keep theirs as it is.
func (e *PostEdit) setName(ctx context.Context) error {
	trashed := e.stored != nil && e.stored.Status == "trash"
	switch {
	case trashed && e.Status != "trash":
		if desired, _ := e.Meta.First(desiredSlug); desired != "" {
			e.Meta.Delete(desiredSlug)
			e.Name = desired
		}
	case e.stored != nil && !trashed && e.Status == "trash":
		if !strings.HasSuffix(e.Name, trashedSuffix) {
			e.Meta.Add(desiredSlug, e.Name)
			e.Name = cutSlug(e.Name, slugSize-len(trashedSuffix)) + trashedSuffix
		}
	}
	if e.stored == nil || e.Name != e.stored.Name {
		e.Name = e.rules.Slug(e.Name)
	}
	if e.Name == "" && !isDraft(e.Status) {
		e.Name = e.rules.Slug(e.Title)
	}
	if e.Status == "pending" && !e.rules.MayPublish(e.Type) {
		e.Name = ""
	}
	if isDraft(e.Status) || e.Name == "" {
		return nil
	}
	var err error
	e.Name, err = e.tx.uniqueSlug(ctx, e.Name, e.ID, e.Type)
	return err
}

// uniqueSlug appends -2, -3 and so on to a slug until no other post of the type,
// whatever its status, has it. One query where the slug is free.
func (tx *Tx) uniqueSlug(ctx context.Context, slug string, id int64, postType string) (string, error) {
	if !slices.Contains(reservedSlugs, slug) {
		taken, err := tx.slugTaken(ctx, slug, id, postType)
		if err != nil || !taken {
			return slug, err
		}
	}
	similar, err := tx.similarSlugs(ctx, slug, id, postType)
	if err != nil {
		return "", err
	}
	for n := int64(2); ; n++ {
		suffix := "-" + formatID(n)
		candidate := cutSlug(slug, slugSize-len(suffix)) + suffix
		if similar[candidate] {
			continue
		}
		// The database has the last word: its collation knows more equals.
		taken, err := tx.slugTaken(ctx, candidate, id, postType)
		if err != nil || !taken {
			return candidate, err
		}
	}
}

func (tx *Tx) slugTaken(ctx context.Context, slug string, id int64, postType string) (bool, error) {
	query, err := tx.languages.rivals(ctx, sq.Select("COUNT(*)").From(tx.table("posts")).
		Where(sq.Eq{"post_name": slug, "post_type": postType}).Where(sq.NotEq{"ID": id}), id, postType)
	if err != nil {
		return false, err
	}
	n, err := tx.number(ctx, "posts.slug_taken", query)
	return n > 0, err
}

// similarSlugs are the slugs that begin like one, as far as all its variants do.
func (tx *Tx) similarSlugs(ctx context.Context, slug string, id int64, postType string) (map[string]bool, error) {
	const longestSuffix = 20
	found := map[string]bool{}
	query, err := tx.languages.rivals(ctx, sq.Select("post_name").From(tx.table("posts")).
		Where(sq.Eq{"post_type": postType}).Where(sq.NotEq{"ID": id}).
		Where("post_name LIKE ?", escapeLike(cutSlug(slug, slugSize-longestSuffix))+"%"), id, postType)
	if err != nil {
		return nil, err
	}
	err = tx.query(ctx, "posts.similar_slugs", query,
		func(rows *sql.Rows) error {
			var name string
			if err := rows.Scan(&name); err != nil {
				return err
			}
			found[strings.ToLower(name)] = true
			return nil
		})
	return found, err
}

// cutSlug shortens a slug to most bytes. One with percent-encoded characters is
// cut between them, and no hyphen is left at the end.
func cutSlug(slug string, most int) string {
	if len(slug) <= most {
		return slug
	}
	decoded, err := url.PathUnescape(slug)
	if err != nil || decoded == slug || !utf8.ValidString(decoded) {
		return strings.TrimRight(slug[:most], "-")
	}
	out := make([]byte, 0, most)
	for _, r := range decoded {
		piece := string(r)
		if r >= utf8.RuneSelf {
			piece = strings.ToLower(url.QueryEscape(piece))
		}
		if len(out)+len(piece) > most {
			break
		}
		out = append(out, piece...)
	}
	return strings.TrimRight(string(out), "-")
}
