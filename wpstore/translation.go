package wpstore

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore/coherence"
)

// translatedTypes are the values of element_type under which WPML files the posts
// that events have to do with; an id is that of one post, whatever its type.
var translatedTypes = []string{"post_" + EventType, "post_" + VenueType, "post_" + OrganizerType, "post_page", "post_post"}

// PostTranslations returns the translations of posts, by id: a group holds the
// post itself too, under its own language. Posts without a language are absent.
// One query, none for no ids and on a site without languages.
func (db *DB) PostTranslations(ctx context.Context, languages *i18n.Languages, ids []int64) (map[int64]i18n.Group, error) {
	if languages.Plugin == i18n.NoPlugin {
		return map[int64]i18n.Group{}, nil
	}
	return recall(ctx, db, groupsPart(), ids, func(ids []int64) (map[int64]i18n.Group, error) {
		return db.readPostTranslations(ctx, languages, ids)
	})
}

func (db *DB) readPostTranslations(ctx context.Context, languages *i18n.Languages, ids []int64) (map[int64]i18n.Group, error) {
	coherence.DependOn(ctx, coherence.Post, ids...)
	found := make(map[int64]i18n.Group, len(ids))
	err := eachBlock(ids, func(block []int64) error {
		switch languages.Plugin {
		case i18n.WPML:
			query := sq.Select("a.element_id", "b.language_code", "b.element_id").
				From(db.table("icl_translations") + " a").
				Join(db.table("icl_translations") + " b ON b.trid = a.trid AND b.element_type = a.element_type").
				Where(sq.Eq{"a.element_type": translatedTypes}).
				Where(idList("a.element_id", block))
			return db.groupMembers(ctx, "posts.translations", query, found)
		case i18n.Polylang:
			return db.polylangGroups(ctx, "posts.translations", postLanguageTaxonomy, "post_translations", block, found)
		}
		return nil
	})
	return found, err
}

// TermTranslations returns the translations of the terms of a taxonomy, by term
// id, like PostTranslations.
func (db *DB) TermTranslations(ctx context.Context, languages *i18n.Languages, taxonomy string, ids []int64) (map[int64]i18n.Group, error) {
	found := make(map[int64]i18n.Group, len(ids))
	err := eachBlock(ids, func(block []int64) error {
		switch languages.Plugin {
		case i18n.WPML:
			query := sq.Select("ta.term_id", "b.language_code", "tb.term_id").
				From(db.table("term_taxonomy")+" ta").
				Join(db.table("icl_translations")+" a ON a.element_type = ? AND a.element_id = ta.term_taxonomy_id", "tax_"+taxonomy).
				Join(db.table("icl_translations")+" b ON b.trid = a.trid AND b.element_type = ?", "tax_"+taxonomy).
				Join(db.table("term_taxonomy") + " tb ON tb.term_taxonomy_id = b.element_id").
				Where(sq.Eq{"ta.taxonomy": taxonomy}).
				Where(idList("ta.term_id", block))
			return db.groupMembers(ctx, "terms.translations", query, found)
		case i18n.Polylang:
			return db.polylangGroups(ctx, "terms.translations", termLanguageTaxonomy, "term_translations", block, found)
		}
		return nil
	})
	return found, err
}

// groupMembers reads rows of object, language and member.
func (db *DB) groupMembers(ctx context.Context, name string, query sq.Sqlizer, found map[int64]i18n.Group) error {
	return db.query(ctx, name, query, func(rows *sql.Rows) error {
		var id int64
		var code string
		var member sql.NullInt64 // of a translation that was planned only
		if err := rows.Scan(&id, &code, &member); err != nil {
			return err
		}
		if found[id] == nil {
			found[id] = i18n.Group{}
		}
		if member.Valid {
			found[id][code] = member.Int64
		}
		return nil
	})
}

// polylangGroups reads the language and the group of objects. Objects of a group
// of their own have no row for it, or one that names them alone.
func (db *DB) polylangGroups(ctx context.Context, name, languageTaxonomy, groupTaxonomy string, ids []int64, found map[int64]i18n.Group) error {
	query := sq.Select("tr.object_id", "tt.taxonomy", "t.slug", "tt.description").
		From(db.table("term_relationships") + " tr").
		Join(db.table("term_taxonomy") + " tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Join(db.table("terms") + " t ON t.term_id = tt.term_id").
		Where(idList("tr.object_id", ids)).
		Where(sq.Eq{"tt.taxonomy": []string{languageTaxonomy, groupTaxonomy}})
	own := map[int64]string{}
	err := db.query(ctx, name, query, func(rows *sql.Rows) error {
		var id int64
		var taxonomy, slug, description string
		if err := rows.Scan(&id, &taxonomy, &slug, &description); err != nil {
			return err
		}
		switch {
		case taxonomy == groupTaxonomy:
			found[id] = group(description)
		case languageTaxonomy == termLanguageTaxonomy && len(slug) > 4:
			own[id] = slug[4:] // behind "pll_"
		default:
			own[id] = slug
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		members, code := found[id], own[id]
		// What the group says of the object itself is a copy; its language counts.
		if listed := members.Of(id); listed != "" && listed != code {
			delete(members, listed)
		}
		if code == "" {
			continue
		}
		if members == nil {
			members = i18n.Group{}
			found[id] = members
		}
		members[code] = id
	}
	return nil
}
