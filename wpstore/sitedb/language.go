package sitedb

import (
	"context"
	"database/sql"
	"math"
	"strconv"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// Taxonomies of Polylang: the language of a post, and that of a term.
const (
	postLanguageTaxonomy = "language"
	termLanguageTaxonomy = "term_language"
)

// languageTables are those without which WPML tells nothing.
var languageTables = []string{"icl_languages", "icl_translations"}

// languages reads the languages of a site from its language plugin. One query,
// none without a plugin. A plugin that is active but was never set up gives the
// site no languages.
func (db *DB) languages(ctx context.Context, facts *wpstore.SiteFacts, tables map[string]bool) (i18n.Languages, error) {
	switch i18n.DetectPlugin(facts.ActivePlugins) {
	case i18n.WPML:
		if tables["icl_languages"] && tables["icl_translations"] {
			return db.wpmlLanguages(ctx, facts)
		}
	case i18n.Polylang:
		return db.polylangLanguages(ctx, facts)
	}
	return i18n.Languages{}, nil
}

func (db *DB) wpmlLanguages(ctx context.Context, facts *wpstore.SiteFacts) (i18n.Languages, error) {
	settings := storedArray(facts.Raw["icl_sitepress_settings"])
	found := i18n.WPMLFacts{
		Default:     php.ToString(settings.At("default_language")),
		Order:       textsOf(settings.At("languages_order")),
		Negotiation: php.ToInt(settings.At("language_negotiation_type")),
		Domains:     textMap(settings.At("language_domains")),
	}
	if urls, ok := settings.At("urls").(*php.Array); ok {
		found.DefaultDirectory = php.ToBool(urls.At("directory_for_default_language"))
	}
	query := sq.Select("code", "default_locale").
		Column(db.elementIndex()).
		Column(db.translationRows()).
		From(db.table("icl_languages")).
		Where(sq.Eq{"active": 1}).
		OrderBy("id")
	err := db.query(ctx, "site.languages", query, func(rows *sql.Rows) error {
		var code string
		var locale sql.NullString
		var index sql.NullString
		var translations sql.NullInt64
		if err := rows.Scan(&code, &locale, &index, &translations); err != nil {
			return err
		}
		db.byElement.Store(index.String)
		db.translations.Store(translations.Int64)
		found.Active = append(found.Active, i18n.Language{Code: code, Locale: locale.String})
		return nil
	})
	if err != nil || found.Default == "" || len(found.Active) == 0 {
		return i18n.Languages{}, err
	}
	return i18n.FromWPML(found), nil
}

// polylangLanguages reads the terms of Polylang's two taxonomies of languages: a
// language is a term of the one, named pll_ and the same slug in the other.
func (db *DB) polylangLanguages(ctx context.Context, facts *wpstore.SiteFacts) (i18n.Languages, error) {
	option := storedArray(facts.Raw["polylang"])
	found := i18n.PolylangFacts{
		Default:        php.ToString(option.At("default_lang")),
		HideDefault:    php.ToBool(option.At("hide_default")),
		Force:          php.ToInt(option.At("force_lang")),
		ShortDirectory: php.ToBool(option.At("rewrite")),
		Domains:        textMap(option.At("domains")),
	}
	terms := map[string]int64{}
	query := sq.Select("tt.term_taxonomy_id", "tt.taxonomy", "t.slug", "tt.description").
		From(db.table("terms")+" t").
		Join(db.table("term_taxonomy")+" tt ON tt.term_id = t.term_id").
		Where(sq.Eq{"tt.taxonomy": []string{postLanguageTaxonomy, termLanguageTaxonomy}}).
		OrderBy("t.term_group", "t.term_id")
	err := db.query(ctx, "site.languages", query, func(rows *sql.Rows) error {
		var id int64
		var taxonomy, slug, description string
		if err := rows.Scan(&id, &taxonomy, &slug, &description); err != nil {
			return err
		}
		if taxonomy == termLanguageTaxonomy {
			terms[strings.TrimPrefix(slug, "pll_")] = id
			return nil
		}
		locale := php.ToString(storedArray(description).At("locale"))
		found.All = append(found.All, i18n.Language{Code: slug, Locale: locale, PostTerm: id})
		return nil
	})
	if err != nil || len(found.All) == 0 {
		return i18n.Languages{}, err
	}
	for i := range found.All {
		found.All[i].TermTerm = terms[found.All[i].Code]
	}
	if found.Default == "" {
		found.Default = found.All[0].Code
	}
	return i18n.FromPolylang(found, facts.Home), nil
}

// textsOf are the texts of a stored list; nil when the value is none.
func textsOf(v php.Value) []string {
	array, _ := v.(*php.Array)
	return texts(array)
}

// textMap is a stored array of text by key.
func textMap(v php.Value) map[string]string {
	array, _ := v.(*php.Array)
	out := make(map[string]string, array.Len())
	for key, value := range array.All() {
		if text, ok := value.(string); ok {
			out[key.String()] = text
		}
	}
	return out
}

// joinPosts adds the table that tells the language of posts of a type whose ids
// are in a column. Each post has one row at most, so none is multiplied.
//
// The optimizer would look rows up in the unique index, which starts with the type
// and lacks the language: each look-up compares texts by their collation and then
// reads the row. Where another index starts with the id, that one is asked for, so
// that numbers are compared and the index alone is read.
// Measured on MariaDB 10.11 with 10,000 events, that makes the difference between
// half as slow again as without languages, and nearly as fast.
func (db *DB) joinPosts(query sq.SelectBuilder, in wpstore.InLanguage, postType, column string) sq.SelectBuilder {
	switch in.Plugin {
	case i18n.WPML:
		codes := []string{in.Code}
		if in.Also != "" {
			codes = append(codes, in.Also)
		}
		table, filed := db.table("icl_translations")+" il"+db.elementHint(), sq.Eq{"il.element_type": "post_" + postType}
		if in.Scan {
			// The limit keeps the optimizer from looking rows up nevertheless.
			all := sq.Select("il.element_id").
				Column(sq.Alias(sq.Eq{"il.language_code": in.Also}, "also")).
				From(table).
				Where(filed).
				Where(sq.Eq{"il.language_code": codes}).
				Limit(math.MaxInt64)
			return query.JoinClause(sq.Expr(db.joinInOrder()+" (?) il ON il.element_id = "+column, all))
		}
		return query.JoinClause(sq.Expr(db.joinInOrder()+" "+table+" ON ? AND il.element_id = "+column+" AND ?",
			filed, sq.Eq{"il.language_code": codes}))
	case i18n.Polylang:
		return query.JoinClause(db.joinInOrder() + " " + db.table("term_relationships") +
			" lr ON lr.object_id = " + column + " AND lr.term_taxonomy_id = " + strconv.FormatInt(in.Posts, 10))
	}
	return query
}

// joinTerms does the same for the terms t, tt of a taxonomy.
func (db *DB) joinTerms(query sq.SelectBuilder, in wpstore.InLanguage, taxonomy string) sq.SelectBuilder {
	switch in.Plugin {
	case i18n.WPML:
		return query.Join(db.table("icl_translations")+
			" il ON il.element_type = ? AND il.element_id = tt.term_taxonomy_id AND il.language_code = ?", "tax_"+taxonomy, in.Code)
	case i18n.Polylang:
		return query.Join(db.table("term_relationships") +
			" lr ON lr.object_id = t.term_id AND lr.term_taxonomy_id = " + strconv.FormatInt(in.Terms, 10))
	}
	return query
}

// group unserializes the description in which Polylang keeps the members of a
// group of translations: ids by language code.
func group(description string) i18n.Group {
	array, _ := phpserial.Maybe(description).(*php.Array)
	members := make(i18n.Group, array.Len())
	for code, id := range array.All() {
		members[code.String()] = php.ToInt(id)
	}
	return members
}

// languageVariant is what languageColumn depends on.
func (db *DB) languageVariant(languages *i18n.Languages) string {
	if languages.Plugin == i18n.NoPlugin {
		return ""
	}
	variant := []byte(string(languages.Plugin) + db.elementType("il"))
	for i := range languages.All {
		variant = strconv.AppendInt(append(variant, ' '), languages.All[i].PostTerm, 10)
	}
	return string(variant)
}

// languageColumn adds the language of each post to a query of posts: its code
// under WPML, the term_taxonomy id of its language under Polylang, NULL without
// one. A correlated subquery, so that no broken table multiplies rows.
func (db *DB) languageColumn(query sq.SelectBuilder, languages *i18n.Languages) sq.SelectBuilder {
	posts := db.table("posts")
	switch languages.Plugin {
	case i18n.WPML:
		return query.Column(sq.Expr("(?)", sq.Select("MIN(il.language_code)").
			From(db.table("icl_translations")+" il").
			Where("il.element_id = "+posts+".ID").
			Where(sq.Eq{db.elementType("il"): translatedTypes})))
	case i18n.Polylang:
		var terms []int64
		for i := range languages.All {
			terms = append(terms, languages.All[i].PostTerm)
		}
		return query.Column(sq.Expr("(?)", sq.Select("MIN(lr.term_taxonomy_id)").
			From(db.table("term_relationships")+" lr").
			Where("lr.object_id = "+posts+".ID").
			Where(idList("lr.term_taxonomy_id", terms))))
	}
	return query.Column("NULL")
}

// postLanguage finds the language of a Polylang term, given as text.
func postLanguage(languages *i18n.Languages, term string) string {
	id := php.ToInt(term)
	for i := range languages.All {
		if id != 0 && languages.All[i].PostTerm == id {
			return languages.All[i].Code
		}
	}
	return ""
}
