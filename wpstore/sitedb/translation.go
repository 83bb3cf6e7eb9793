package sitedb

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/coherence"
	"calbridge/wpstore/php"
)

// translatedTypes are the values of element_type under which WPML files the posts
// that events have to do with; an id is that of one post, whatever its type.
var translatedTypes = []string{"post_" + wpstore.EventType, "post_" + wpstore.VenueType, "post_" + wpstore.OrganizerType, "post_page", "post_post"}

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
			return db.wpmlGroups(ctx, "posts.translations", block, found)
		case i18n.Polylang:
			return db.polylangGroups(ctx, "posts.translations", block, found)
		}
		return nil
	})
	return found, err
}

// TermTranslations returns the translations of the terms of a taxonomy, by term
// id, like PostTranslations. Ids that are no terms of it are absent.
func (db *DB) TermTranslations(ctx context.Context, languages *i18n.Languages, taxonomy string, ids []int64) (map[int64]i18n.Group, error) {
	if languages.Plugin == i18n.NoPlugin {
		return nil, nil
	}
	found, err := db.LookupTerms(ctx, taxonomy, wpstore.TermLookup{IDs: ids, Translations: languages.Plugin})
	return found.Groups, err
}

// joinTermGroups adds two columns to a query of the terms t, tt of a taxonomy,
// which [keepTermGroup] reads: under WPML, in a row for each member, the language
// and the id of the member; under Polylang the slug of the term's language and the
// description of its group.
func (db *DB) joinTermGroups(query sq.SelectBuilder, plugin i18n.Plugin, taxonomy string) sq.SelectBuilder {
	switch plugin {
	case i18n.WPML:
		translations, kind := db.table("icl_translations"), "tax_"+taxonomy
		return query.Columns("ib.language_code", "ttb.term_id").
			LeftJoin(translations+" ia ON ia.element_type = ? AND ia.element_id = tt.term_taxonomy_id", kind).
			LeftJoin(translations+" ib ON ib.trid = ia.trid AND ib.element_type = ?", kind).
			LeftJoin(db.table("term_taxonomy") + " ttb ON ttb.term_taxonomy_id = ib.element_id")
	case i18n.Polylang:
		filed := func(column, under string) sq.Sqlizer {
			return sq.Expr("(?)", sq.Select("MIN("+column+")").
				From(db.table("term_relationships")+" gr").
				Join(db.table("term_taxonomy")+" g ON g.term_taxonomy_id = gr.term_taxonomy_id").
				Join(db.table("terms")+" gt ON gt.term_id = g.term_id").
				Where("gr.object_id = t.term_id").
				Where(sq.Eq{"g.taxonomy": under}))
		}
		return query.Column(filed("gt.slug", termLanguageTaxonomy)).Column(filed("g.description", termGroupTaxonomy))
	}
	return query.Columns("NULL", "NULL")
}

// keepTermGroup reads the two columns of joinTermGroups.
func keepTermGroup(plugin i18n.Plugin, groups map[int64]i18n.Group, id int64, first, second sql.NullString) {
	switch {
	case !first.Valid && !second.Valid:
	case plugin == i18n.WPML:
		if groups[id] == nil {
			groups[id] = i18n.Group{}
		}
		if second.Valid { // else a translation that was planned only
			groups[id][first.String] = php.ToInt(second.String)
		}
	case plugin == i18n.Polylang:
		groups[id] = ownLanguageCounts(group(second.String), id, strings.TrimPrefix(first.String, "pll_"))
	}
}

// wpmlGroups reads the groups of posts, in a row for each member.
func (db *DB) wpmlGroups(ctx context.Context, name string, ids []int64, found map[int64]i18n.Group) error {
	kind := db.elementType("a")
	query, err := db.templates.byIDs(name, kind, "a.element_id", ids, func(onIDs sq.Sqlizer) sq.Sqlizer {
		return sq.Select("a.element_id", "b.language_code", "b.element_id").
			From(db.table("icl_translations") + " a").
			Join(db.table("icl_translations") + " b ON b.trid = a.trid AND b.element_type = a.element_type").
			Where(sq.Eq{kind: translatedTypes}).
			Where(onIDs)
	})
	if err != nil {
		return err
	}
	rows, err := db.rows(ctx, name, query)
	if err != nil {
		return err
	}
	for i := range rows.len() {
		id, err := rows.number(i, 0)
		if err != nil {
			return fmt.Errorf("query %s: %w", name, err)
		}
		if found[id] == nil {
			found[id] = i18n.Group{}
		}
		if rows.at(i, 2) == "" { // a translation that was planned only
			continue
		}
		if found[id][strings.Clone(rows.at(i, 1))], err = rows.number(i, 2); err != nil {
			return fmt.Errorf("query %s: %w", name, err)
		}
	}
	return nil
}

// polylangGroups reads the language and the group of posts. Posts of a group of
// their own have no row for it, or one that names them alone.
func (db *DB) polylangGroups(ctx context.Context, name string, ids []int64, found map[int64]i18n.Group) error {
	query := sq.Select("tr.object_id", "tt.taxonomy", "t.slug", "tt.description").
		From(db.table("term_relationships") + " tr").
		Join(db.table("term_taxonomy") + " tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Join(db.table("terms") + " t ON t.term_id = tt.term_id").
		Where(idList("tr.object_id", ids)).
		Where(sq.Eq{"tt.taxonomy": []string{postLanguageTaxonomy, postGroupTaxonomy}})
	own := map[int64]string{}
	err := db.query(ctx, name, query, func(rows *sql.Rows) error {
		var id int64
		var taxonomy, slug, description string
		if err := rows.Scan(&id, &taxonomy, &slug, &description); err != nil {
			return err
		}
		if taxonomy == postGroupTaxonomy {
			found[id] = group(description)
		} else {
			own[id] = slug
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if members := ownLanguageCounts(found[id], id, own[id]); members != nil {
			found[id] = members
		}
	}
	return nil
}

// ownLanguageCounts makes a group of Polylang say of an object itself what the
// object says: what the group says of it is a copy. code is "" for an object
// without a language. No group and no language is nil.
func ownLanguageCounts(members i18n.Group, id int64, code string) i18n.Group {
	if listed := members.Of(id); listed != "" && listed != code {
		delete(members, listed)
	}
	if code == "" {
		return members
	}
	if members == nil {
		members = i18n.Group{}
	}
	members[code] = id
	return members
}
